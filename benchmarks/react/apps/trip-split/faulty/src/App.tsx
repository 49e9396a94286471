import { useEffect } from 'react'
import { ExpenseForm } from './ExpenseForm'
import { balances, inEuros, settlements, signed } from './money'
import { useExpenses } from './useExpenses'

export default function App() {
  const [expenses, setExpenses] = useExpenses()
  const even = balances(expenses)
  const payments = settlements(even)

  useEffect(() => {
    document.title = 'Trip split'
  }, [])

  return (
    <main>
      <h1>Trip split</h1>
      <ExpenseForm
        onAdd={(expense) =>
          setExpenses((before) => [
            ...before,
            { ...expense, id: 1 + Math.max(0, ...before.map(({ id }) => id)) },
          ])
        }
      />
      <section aria-label="Expenses">
        <table>
          <thead>
            <tr>
              <th scope="col">What</th>
              <th scope="col">Amount</th>
              <th scope="col">Paid by</th>
              <th scope="col">Shared by</th>
              <th scope="col"><span className="hidden">Delete</span></th>
            </tr>
          </thead>
          <tbody>
            {expenses.map((expense) => (
              <tr key={expense.id}>
                <td>{expense.what}</td>
                <td className="number">{inEuros(expense.cents)}</td>
                <td>{expense.paidBy}</td>
                <td>{expense.sharedBy.join(', ')}</td>
                <td>
                  <button
                    type="button"
                    onClick={() => setExpenses((before) => before.filter(({ id }) => id !== expense.id))}
                  >
                    Delete {expense.what}
                  </button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
        <button type="button" onClick={() => setExpenses([])}>Delete all</button>
      </section>
      <div className="results">
        <section>
          <h2>Balances</h2>
          <ul>
            {[...even].map(([person, cents]) => (
              <li key={person}>{`${person}: ${signed(cents)}`}</li>
            ))}
          </ul>
        </section>
        <section>
          <h2>Settle up</h2>
          {payments.length ? (
            <ul>
              {payments.map(({ from, to, cents }) => (
                <li key={from + to}>{`${from} pays ${to} ${inEuros(cents)}`}</li>
              ))}
            </ul>
          ) : (
            <p>Nothing to settle</p>
          )}
        </section>
      </div>
    </main>
  )
}
