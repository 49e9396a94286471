import { useState } from 'react'
import Bed from './Bed'
import Harvest from './Harvest'
import PlanText from './PlanText'
import SizeForm from './SizeForm'
import { asText, clashing, count, planted, plantOf, sized, type Squares } from './plan'
import { PLANTS } from './plants'
import { usePlan } from './usePlan'

export default function App() {
  const { plan, act, canUndo, canRedo } = usePlan()
  const [chosen, setChosen] = useState(PLANTS[0].name)
  const [problem, setProblem] = useState('')
  const { squares, sown } = plan
  const [rows, columns] = [squares.length, squares[0].length]
  const text = asText(squares)
  const all = squares.flat()
  const plants = all.reduce((sum, name) => sum + (plantOf(name)?.perSquare ?? 0), 0)
  const clashes = clashing(squares)

  function replace(next: Squares) {
    setProblem('')
    if (asText(next) !== text) act({ type: 'change', to: () => ({ squares: next }) })
  }

  return (
    <main>
      <h1>Garden plan</h1>
      <fieldset>
        <legend>Plant</legend>
        {PLANTS.map(({ name }) => (
          <label key={name} data-plant={name}>
            <input
              type="radio"
              name="plant"
              checked={name === chosen}
              onChange={() => setChosen(name)}
            />{' '}
            {name}
          </label>
        ))}
      </fieldset>
      <div className="tools">
        <SizeForm
          key={`${rows} ${columns}`}
          rows={rows}
          columns={columns}
          onSize={(height, width) => replace(sized(squares, height, width))}
          onProblem={setProblem}
        />
        <label>
          Sown on{' '}
          <input
            type="date"
            value={sown}
            onChange={({ target: { value } }) => act({ type: 'change', to: () => ({ sown: value }) })}
          />
        </label>
        <span className="history">
          <button type="button" disabled={!canUndo} onClick={() => act({ type: 'undo' })}>
            Undo
          </button>
          <button type="button" disabled={!canRedo} onClick={() => act({ type: 'redo' })}>
            Redo
          </button>
        </span>
      </div>
      <p id="problem" role="alert">
        {problem}
      </p>
      <Bed
        squares={squares}
        chosen={chosen}
        onPlant={(at, square, goesOn) =>
          act({
            type: goesOn ? 'amend' : 'change',
            to: (now) => ({ squares: planted(now.squares, at, square) }),
          })
        }
      />
      <p role="status">
        {count(all.length, 'square')}, {all.filter(Boolean).length} planted,{' '}
        {count(plants, 'plant')}
      </p>
      <p id="clashes" role="alert">
        {clashes > 0 ? `${clashes} squares clash` : ''}
      </p>
      <div className="below">
        <Harvest plan={plan} />
        <PlanText key={text} squares={squares} onSquares={replace} onProblem={setProblem} />
      </div>
    </main>
  )
}
