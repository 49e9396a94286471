import { useState } from 'react'
import { FIRST, ROWS, after, isOver, jumpsFrom, pegs, type Board } from './board'
import { Hole } from './Hole'

export default function App() {
  const [history, setHistory] = useState<readonly Board[]>([FIRST])
  const [selected, setSelected] = useState<number | null>(null)
  const [isRefused, setIsRefused] = useState(false)
  const board = history[history.length - 1]
  const left = pegs(board)

  function press(hole: number) {
    setIsRefused(false)
    if (board[hole]) {
      setSelected(selected === hole ? null : hole)
      return
    }
    if (selected === null) return
    const jump = jumpsFrom(board, selected).find(({ to }) => to === hole)
    if (!jump) {
      setIsRefused(true)
      return
    }
    setHistory([...history, after(board, jump)])
    setSelected(null)
  }

  function turnBack(to: readonly Board[]) {
    setHistory(to.length ? to : [FIRST])
    setSelected(null)
    setIsRefused(false)
  }

  function message(): string {
    if (left === 1) return 'Solved, one peg left'
    if (isOver(board)) return `No more jumps, ${left} pegs left`
    if (isRefused) return 'Not a jump'
    return selected === null ? 'Press a peg to select it.' : 'Now press an empty hole.'
  }

  return (
    <main>
      <h1>Peg triangle</h1>
      <div className="board">
        {Array.from({ length: ROWS }, (_, row) => (
          <div className="row" key={row}>
            {Array.from({ length: row + 1 }, (_, column) => {
              const hole = (row * (row + 1)) / 2 + column + 1
              return (
                <Hole
                  key={hole}
                  number={hole}
                  hasPeg={board[hole]}
                  isSelected={selected === hole}
                  onPress={() => press(hole)}
                />
              )
            })}
          </div>
        ))}
      </div>
      <p role="status">{message()}</p>
      <p className="figures">
        <span>Pegs left: {left}</span> <span>Moves: {history.length - 1}</span>
      </p>
      <p>
        <button type="button" onClick={() => turnBack(history.slice(0, -1))}>Undo</button>{' '}
        <button type="button" onClick={() => turnBack([FIRST])}>New game</button>
      </p>
    </main>
  )
}
