import { useId, useState, type FormEvent } from 'react'
import { PEOPLE, readCents, type Expense, type Person } from './money'

interface Props {
  onAdd: (expense: Omit<Expense, 'id'>) => void
}

export function ExpenseForm({ onAdd }: Props) {
  const [what, setWhat] = useState('')
  const [amount, setAmount] = useState('')
  const [paidBy, setPaidBy] = useState<Person>('Ada')
  const [sharedBy, setSharedBy] = useState<readonly Person[]>(PEOPLE)
  const [problem, setProblem] = useState('')
  const id = useId()

  function add(event: FormEvent) {
    event.preventDefault()
    const cents = readCents(amount)
    const found = !what.trim()
      ? 'What: write what the expense was for.'
      : cents === null
        ? 'Amount: write a number above 0 with at most two decimals.'
        : !sharedBy.length
          ? 'Shared by: tick at least one person.'
          : ''
    setProblem(found)
    if (found || cents === null) return
    onAdd({ what: what.trim(), cents, paidBy, sharedBy: PEOPLE.filter((one) => sharedBy.includes(one)) })
    setWhat('')
    setAmount('')
  }

  return (
    <form onSubmit={add} noValidate>
      <label htmlFor={`${id}-what`}>What</label>
      <input id={`${id}-what`} value={what} maxLength={60} onChange={(event) => setWhat(event.target.value)} />
      <label htmlFor={`${id}-amount`}>Amount</label>
      <input
        id={`${id}-amount`}
        inputMode="decimal"
        value={amount}
        onChange={(event) => setAmount(event.target.value)}
      />
      <label htmlFor={`${id}-by`}>Paid by</label>
      <select id={`${id}-by`} value={paidBy} onChange={(event) => setPaidBy(event.target.value as Person)}>
        {PEOPLE.map((person) => (
          <option key={person}>{person}</option>
        ))}
      </select>
      <fieldset>
        <legend>Shared by</legend>
        {PEOPLE.map((person) => (
          <label key={person}>
            <input
              type="checkbox"
              checked={sharedBy.includes(person)}
              onChange={(event) =>
                setSharedBy(
                  event.target.checked ? [...sharedBy, person] : sharedBy.filter((one) => one !== person),
                )
              }
            />
            {person}
          </label>
        ))}
      </fieldset>
      <button type="submit">Add expense</button>
      {problem && <p role="alert">{problem}</p>}
    </form>
  )
}
