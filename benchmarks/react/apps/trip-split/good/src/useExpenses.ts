import { useEffect, useState } from 'react'
import { PEOPLE, type Expense, type Person } from './money'

const KEY = 'trip-split'

function isExpense(value: unknown): value is Expense {
  const one = value as Expense
  const isPerson = (name: unknown) => PEOPLE.includes(name as Person)
  return (
    typeof one?.id === 'number' &&
    typeof one.what === 'string' &&
    Number.isInteger(one.cents) &&
    isPerson(one.paidBy) &&
    Array.isArray(one.sharedBy) &&
    one.sharedBy.length > 0 &&
    one.sharedBy.every(isPerson)
  )
}

function stored(): Expense[] {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]')
    return Array.isArray(value) ? value.filter(isExpense) : []
  } catch {
    return []
  }
}

/** The expenses, kept in the browser's storage where there is one. */
export function useExpenses() {
  const [expenses, setExpenses] = useState(stored)
  useEffect(() => {
    try {
      localStorage.setItem(KEY, JSON.stringify(expenses))
    } catch {
      // A browser without storage: they last as long as the page.
    }
  }, [expenses])
  return [expenses, setExpenses] as const
}
