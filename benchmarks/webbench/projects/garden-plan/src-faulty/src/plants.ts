export interface Plant {
  name: string
  /** One letter that stands for it in a plan written as text. */
  sign: string
  /** How many grow in one square of a bed. */
  perSquare: number
  /** From sowing to harvest. */
  weeks: number
  /** Names of plants that do badly beside it; it says so of them, too. */
  clashes: readonly string[]
}

export const PLANTS: readonly Plant[] = [
  { name: 'Tomato', sign: 'T', perSquare: 1, weeks: 16, clashes: ['Kale'] },
  { name: 'Kale', sign: 'K', perSquare: 1, weeks: 9, clashes: ['Tomato'] },
  { name: 'Lettuce', sign: 'L', perSquare: 4, weeks: 6, clashes: [] },
  { name: 'Beans', sign: 'B', perSquare: 9, weeks: 9, clashes: ['Onion'] },
  { name: 'Onion', sign: 'O', perSquare: 9, weeks: 14, clashes: ['Beans'] },
  { name: 'Carrot', sign: 'C', perSquare: 16, weeks: 10, clashes: [] },
]
