import { PLANTS } from './plants'

/** The name of a plant, or nothing. */
export type Square = string | null
export type Squares = readonly (readonly Square[])[]

export interface Plan {
  squares: Squares
  /** A date such as 2027-03-15, or an empty text. */
  sown: string
}

export interface Place {
  row: number
  column: number
}

export const MOST_ROWS = 8
export const MOST_COLUMNS = 10
export const NEW_PLAN: Plan = { squares: sized([], 4, 6), sown: '' }

const DAY = 24 * 60 * 60 * 1000

export const plantOf = (name: Square) => PLANTS.find((plant) => plant.name === name)
export const count = (n: number, word: string) => `${n} ${word}${n === 1 ? '' : 's'}`

/** Squares of a size, each with what stands at its row and column. */
export function sized(squares: Squares, rows: number, columns: number): Squares {
  return Array.from({ length: rows }, (_, row) =>
    Array.from({ length: columns }, (_, column) => squares[row]?.[column] ?? null),
  )
}

export function planted(squares: Squares, at: Place, square: Square): Squares {
  return squares.map((row, y) =>
    y === at.row ? row.map((old, x) => (x === at.column ? square : old)) : row,
  )
}

/** The first plant beside a square that does badly there, as its name. */
export function clashAt(squares: Squares, { row, column }: Place): Square {
  const clashes = plantOf(squares[row][column])?.clashes ?? []
  const beside = [
    squares[row - 1]?.[column],
    squares[row][column - 1],
    squares[row][column + 1],
    squares[row + 1]?.[column],
  ]
  return beside.find((name) => name && clashes.includes(name)) ?? null
}

export function clashing(squares: Squares): number {
  return squares.flatMap((row, y) => row.filter((_, x) => clashAt(squares, { row: y, column: x })))
    .length
}

export interface Crop {
  name: string
  squares: number
  plants: number
  ready: string
}

/** What is harvested, the soonest first. */
export function harvest({ squares, sown }: Plan): Crop[] {
  const all = squares.flat()
  return [...PLANTS]
    .sort((a, b) => a.weeks - b.weeks)
    .map((plant) => ({ plant, squares: all.filter((name) => name === plant.name).length }))
    .filter((crop) => crop.squares > 0)
    .map(({ plant, squares }) => ({
      name: plant.name,
      squares,
      plants: squares * plant.perSquare,
      ready: sown ? later(sown, plant.weeks) : `${plant.weeks} weeks`,
    }))
}

function later(date: string, weeks: number): string {
  const day = new Date(Date.parse(date) + 7 * weeks * DAY)
  return Number.isNaN(day.getTime()) ? '' : day.toISOString().slice(0, 10)
}

export function asText(squares: Squares): string {
  return squares.map((row) => row.map((name) => plantOf(name)?.sign ?? '.').join('')).join('\n')
}

/** Squares from a text, or what is wrong with it. */
export function fromText(text: string): Squares | string {
  const lines = text
    .trim()
    .split('\n')
    .map((line) => line.trim().toUpperCase())
  const columns = lines[0].length
  if (lines.length > MOST_ROWS || columns < 1 || columns > MOST_COLUMNS) {
    return `A plan has 1 to ${MOST_ROWS} lines of 1 to ${MOST_COLUMNS} signs`
  }
  for (const [index, line] of lines.entries()) {
    const unknown = [...line].find((sign) => sign !== '.' && !PLANTS.some((p) => p.sign === sign))
    if (unknown) return `Line ${index + 1}: ${unknown} is no sign`
    if (line.length !== columns) return `Line ${index + 1} is not as long as line 1`
  }
  return lines.map((line) =>
    [...line].map((sign) => PLANTS.find((plant) => plant.sign === sign)?.name ?? null),
  )
}

/** Whether something that was read is a plan. */
export function isPlan(value: unknown): value is Plan {
  const { squares, sown } = (value ?? {}) as Partial<Plan>
  return (
    typeof sown === 'string' &&
    (sown === '' || !Number.isNaN(Date.parse(sown))) &&
    Array.isArray(squares) &&
    squares.length >= 1 &&
    squares.length <= MOST_ROWS &&
    squares.every(
      (row) =>
        Array.isArray(row) &&
        row.length === squares[0].length &&
        row.length >= 1 &&
        row.length <= MOST_COLUMNS &&
        row.every((name) => name === null || plantOf(name)),
    )
  )
}
