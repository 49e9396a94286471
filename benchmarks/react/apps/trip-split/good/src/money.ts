export const PEOPLE = ['Ada', 'Ben', 'Cleo'] as const
export type Person = (typeof PEOPLE)[number]

export interface Expense {
  id: number
  what: string
  cents: number
  paidBy: Person
  sharedBy: Person[]
}

export interface Payment {
  from: Person
  to: Person
  cents: number
}

/** What each of the sharers bears; the odd cents fall on the first of them. */
export function shares({ cents, sharedBy }: Expense): Map<Person, number> {
  const sharers = [...sharedBy].sort()
  const each = Math.floor(cents / sharers.length)
  const odd = cents - each * sharers.length
  return new Map(sharers.map((person, index) => [person, each + (index < odd ? 1 : 0)]))
}

export function balances(expenses: readonly Expense[]): Map<Person, number> {
  const result = new Map<Person, number>(PEOPLE.map((person) => [person, 0]))
  const add = (person: Person, cents: number) => result.set(person, result.get(person)! + cents)
  for (const expense of expenses) {
    add(expense.paidBy, expense.cents)
    for (const [person, cents] of shares(expense)) add(person, -cents)
  }
  return result
}

/** Among three people paying off the largest debt first needs the fewest payments. */
export function settlements(of: ReadonlyMap<Person, number>): Payment[] {
  const left = new Map(of)
  const payments: Payment[] = []
  for (;;) {
    const sorted = [...left].sort((a, b) => a[1] - b[1])
    const [from, debt] = sorted[0]
    const [to, credit] = sorted[sorted.length - 1]
    const cents = Math.min(-debt, credit)
    if (cents <= 0) return payments
    payments.push({ from, to, cents })
    left.set(from, debt + cents)
    left.set(to, credit - cents)
  }
}

export function inEuros(cents: number): string {
  return (Math.abs(cents) / 100).toFixed(2)
}

export function signed(cents: number): string {
  return (cents < 0 ? '-' : '+') + inEuros(cents)
}

export function readCents(text: string): number | null {
  const match = /^\s*(\d{1,7})(?:[.,](\d{1,2}))?\s*$/.exec(text)
  if (!match) return null
  const cents = Number(match[1]) * 100 + Number((match[2] ?? '').padEnd(2, '0'))
  return cents > 0 ? cents : null
}
