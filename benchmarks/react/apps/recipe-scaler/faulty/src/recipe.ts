export type Units = 'Metric' | 'Ounces'

export interface Ingredient {
  name: string
  amount: number
  unit: 'g' | 'ml' | 'tsp' | ''
}

export const SERVINGS = 4

export const RECIPE: readonly Ingredient[] = [
  { name: 'flour', amount: 240, unit: 'g' },
  { name: 'milk', amount: 360, unit: 'ml' },
  { name: 'eggs', amount: 2, unit: '' },
  { name: 'butter', amount: 30, unit: 'g' },
  { name: 'baking powder', amount: 1.5, unit: 'tsp' },
  { name: 'salt', amount: 0.25, unit: 'tsp' },
]

const QUARTERS = ['', '1/4', '1/2', '3/4']

function inQuarters(amount: number): string {
  const quarters = Math.max(1, Math.round(amount * 4))
  const whole = Math.floor(quarters / 4)
  return [whole || '', QUARTERS[quarters % 4]].filter(Boolean).join(' ')
}

export function rescaled(ingredient: Ingredient, factor: number): Ingredient {
  const amount = ingredient.amount * factor
  const isWeighed = ingredient.unit === 'g' || ingredient.unit === 'ml'
  return { ...ingredient, amount: isWeighed ? Math.round(amount) : amount }
}

/** One line of the list, such as "1 1/2 tsp baking powder". */
export function written(ingredient: Ingredient, units: Units): string {
  const { amount } = ingredient
  switch (ingredient.unit) {
    case 'g':
      return units === 'Metric'
        ? `${Math.round(amount)} g ${ingredient.name}`
        : `${(amount / 28.35).toFixed(1)} oz ${ingredient.name}`
    case 'ml':
      return units === 'Metric'
        ? `${Math.round(amount)} ml ${ingredient.name}`
        : `${(amount / 29.57).toFixed(1)} fl oz ${ingredient.name}`
    default:
      return [inQuarters(amount), ingredient.unit, ingredient.name].filter(Boolean).join(' ')
  }
}
