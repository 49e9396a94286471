/** The holes are numbered 1 to 15, row by row; a board says of each whether it holds a peg. */
export type Board = readonly boolean[]

export const ROWS = 5
export const HOLES = 15

const placeOf = new Map<number, [row: number, column: number]>()
const holeAt = new Map<string, number>()
for (let row = 0, hole = 1; row < ROWS; row++) {
  for (let column = 0; column <= row; column++, hole++) {
    placeOf.set(hole, [row, column])
    holeAt.set(`${row},${column}`, hole)
  }
}

// To the right, down to the left, down to the right; and back.
const DIRECTIONS = [
  [0, 1],
  [1, 0],
  [1, 1],
  [0, -1],
  [-1, 0],
  [-1, -1],
] as const

export const FIRST: Board = Array.from({ length: HOLES + 1 }, (_, hole) => hole > 1)

export interface Jump {
  from: number
  over: number
  to: number
}

export function jumpsFrom(board: Board, from: number): Jump[] {
  if (!board[from]) return []
  const [row, column] = placeOf.get(from)!
  return DIRECTIONS.flatMap(([down, right]) => {
    const over = holeAt.get(`${row + down},${column + right}`)
    const to = holeAt.get(`${row + 2 * down},${column + 2 * right}`)
    return over && to && board[over] && !board[to] ? [{ from, over, to }] : []
  })
}

export function after(board: Board, { from, over, to }: Jump): Board {
  return board.map((peg, hole) => (hole === to ? true : hole === from || hole === over ? false : peg))
}

export function pegs(board: Board): number {
  return board.filter(Boolean).length
}

export function isOver(board: Board): boolean {
  return board.every((_, hole) => hole === 0 || jumpsFrom(board, hole).length === 0)
}
