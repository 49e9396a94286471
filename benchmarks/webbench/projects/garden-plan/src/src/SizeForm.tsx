import { useState, type FormEvent } from 'react'
import { MOST_COLUMNS, MOST_ROWS } from './plan'

interface Props {
  rows: number
  columns: number
  onSize: (rows: number, columns: number) => void
  onProblem: (problem: string) => void
}

/** A whole number from 1 to the most that there may be, or nothing. */
function read(text: string, most: number): number | null {
  const number = Number(text)
  return /^\d+$/.test(text.trim()) && number >= 1 && number <= most ? number : null
}

/** Give it a key of the bed's size, so that it shows what there is. */
export default function SizeForm({ rows, columns, onSize, onProblem }: Props) {
  const [typed, setTyped] = useState({ rows: String(rows), columns: String(columns) })

  function submit(event: FormEvent) {
    event.preventDefault()
    const height = read(typed.rows, MOST_ROWS)
    const width = read(typed.columns, MOST_COLUMNS)
    if (height === null) onProblem(`Rows must be a whole number from 1 to ${MOST_ROWS}`)
    else if (width === null) onProblem(`Columns must be a whole number from 1 to ${MOST_COLUMNS}`)
    else onSize(height, width)
  }

  return (
    <form onSubmit={submit}>
      <label>
        Rows{' '}
        <input
          inputMode="numeric"
          size={3}
          value={typed.rows}
          onChange={(event) => setTyped({ ...typed, rows: event.target.value })}
        />
      </label>
      <label>
        Columns{' '}
        <input
          inputMode="numeric"
          size={3}
          value={typed.columns}
          onChange={(event) => setTyped({ ...typed, columns: event.target.value })}
        />
      </label>
      <button>Set size</button>
    </form>
  )
}
