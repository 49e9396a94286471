import { useState } from 'react'
import { asText, fromText, type Squares } from './plan'

interface Props {
  squares: Squares
  onSquares: (squares: Squares) => void
  onProblem: (problem: string) => void
}

/** Give it a key of the bed's text, so that it shows what there is. */
export default function PlanText({ squares, onSquares, onProblem }: Props) {
  const [typed, setTyped] = useState(asText(squares))

  function use() {
    const found = fromText(typed)
    if (typeof found === 'string') onProblem(found)
    else onSquares(found)
  }

  return (
    <section className="text">
      <label>
        Plan as text
        <textarea
          rows={8}
          cols={12}
          spellCheck={false}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
      </label>
      <button type="button" onClick={use}>
        Use this text
      </button>
    </section>
  )
}
