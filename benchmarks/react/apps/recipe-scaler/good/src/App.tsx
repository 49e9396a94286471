import { useEffect, useState } from 'react'
import { RECIPE, SERVINGS, written, type Units } from './recipe'

const LEAST = 1
const MOST = 24

function read(text: string): number | null {
  const number = Number(text)
  return text.trim() && Number.isInteger(number) && number >= LEAST && number <= MOST ? number : null
}

export default function App() {
  const [text, setText] = useState(String(SERVINGS))
  const [units, setUnits] = useState<Units>('Metric')
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set())
  const servings = read(text)

  useEffect(() => {
    document.title = 'Pancakes'
  }, [])

  function step(by: number) {
    setText((before) => {
      const from = read(before) ?? SERVINGS
      return String(Math.min(MOST, Math.max(LEAST, from + by)))
    })
  }

  function tick(name: string) {
    setTicked((before) => {
      const after = new Set(before)
      if (!after.delete(name)) after.add(name)
      return after
    })
  }

  function reset() {
    setText(String(SERVINGS))
    setUnits('Metric')
    setTicked(new Set())
  }

  return (
    <main>
      <h1>Pancakes</h1>
      <div className="controls">
        <button type="button" onClick={() => step(-1)}>Fewer</button>
        <label>
          Servings
          <input
            type="number"
            min={LEAST}
            max={MOST}
            step={1}
            value={text}
            aria-invalid={servings === null}
            onChange={(event) => setText(event.target.value)}
          />
        </label>
        <button type="button" onClick={() => step(1)}>More</button>
        <label>
          Units
          <select value={units} onChange={(event) => setUnits(event.target.value as Units)}>
            <option>Metric</option>
            <option>Ounces</option>
          </select>
        </label>
        <button type="button" onClick={reset}>Reset</button>
      </div>
      {servings === null ? (
        <p role="alert">Servings must be a whole number from {LEAST} to {MOST}.</p>
      ) : (
        <ul>
          {RECIPE.map((ingredient) => (
            <li key={ingredient.name}>
              <label>
                <input
                  type="checkbox"
                  checked={ticked.has(ingredient.name)}
                  onChange={() => tick(ingredient.name)}
                />
                <span>{written(ingredient, servings, units)}</span>
              </label>
            </li>
          ))}
        </ul>
      )}
    </main>
  )
}
