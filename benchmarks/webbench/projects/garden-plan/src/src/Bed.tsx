import { useEffect, useRef, useState, type KeyboardEvent, type PointerEvent } from 'react'
import { clashAt, type Place, type Square, type Squares } from './plan'

interface Props {
  squares: Squares
  chosen: string
  /** Puts a plant into a square, or nothing; a stroke that goes on is part of the same change. */
  onPlant: (at: Place, square: Square, goesOn: boolean) => void
}

function nameOf(squares: Squares, at: Place): string {
  const clash = clashAt(squares, at)
  const plant = squares[at.row][at.column] ?? 'empty'
  return `Row ${at.row + 1}, column ${at.column + 1}: ${plant}${clash ? `, clashes with ${clash}` : ''}`
}

export default function Bed({ squares, chosen, onPlant }: Props) {
  const grid = useRef<HTMLDivElement>(null)
  const [last, setLast] = useState<Place>({ row: 0, column: 0 })
  const [stroke, setStroke] = useState<{ square: Square } | null>(null)
  const isThere = last.row < squares.length && last.column < squares[0].length
  const stop = isThere ? last : { row: 0, column: 0 }

  useEffect(() => {
    if (!stroke) return
    const end = () => setStroke(null)
    window.addEventListener('pointerup', end)
    window.addEventListener('pointercancel', end)
    return () => {
      window.removeEventListener('pointerup', end)
      window.removeEventListener('pointercancel', end)
    }
  }, [stroke])

  const toggled = (at: Place) => (squares[at.row][at.column] === chosen ? null : chosen)

  function begin(event: PointerEvent, at: Place) {
    if (event.button !== 0) return
    // A finger would hold on to the square that it touched first.
    if (event.currentTarget.hasPointerCapture(event.pointerId)) {
      event.currentTarget.releasePointerCapture(event.pointerId)
    }
    const square = toggled(at)
    setStroke({ square })
    onPlant(at, square, false)
  }

  function enter(at: Place) {
    if (stroke && squares[at.row][at.column] !== stroke.square) onPlant(at, stroke.square, true)
  }

  function press(event: KeyboardEvent, at: Place) {
    const to = {
      ArrowUp: { ...at, row: at.row - 1 },
      ArrowDown: { ...at, row: at.row + 1 },
      ArrowLeft: { ...at, column: at.column - 1 },
      ArrowRight: { ...at, column: at.column + 1 },
      Home: { ...at, column: 0 },
      End: { ...at, column: squares[0].length - 1 },
    }[event.key]
    if (to) {
      event.preventDefault()
      const row = grid.current?.children[to.row]
      ;(row?.children[to.column] as HTMLElement | undefined)?.focus()
    } else if (['Delete', 'Backspace'].includes(event.key) && squares[at.row][at.column]) {
      onPlant(at, null, false)
    }
  }

  return (
    <div className="bed" role="grid" aria-label="Bed" ref={grid}>
      {squares.map((row, y) => (
        <div role="row" key={y}>
          {row.map((plant, x) => {
            const at = { row: y, column: x }
            return (
              <button
                key={x}
                type="button"
                role="gridcell"
                className={clashAt(squares, at) ? 'clash' : undefined}
                data-plant={plant ?? undefined}
                aria-label={nameOf(squares, at)}
                tabIndex={y === stop.row && x === stop.column ? 0 : -1}
                onFocus={() => setLast(at)}
                onPointerDown={(event) => begin(event, at)}
                onPointerEnter={() => enter(at)}
                // A press of the pointer was a stroke already; keys and assistive devices count none.
                onClick={(event) => event.detail === 0 && onPlant(at, toggled(at), false)}
                onKeyDown={(event) => press(event, at)}
              >
                {plant}
              </button>
            )
          })}
        </div>
      ))}
    </div>
  )
}
