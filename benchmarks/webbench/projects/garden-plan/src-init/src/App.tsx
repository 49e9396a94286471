export default function App() {
  return (
    <main>
      <h1>Garden plan</h1>
    </main>
  )
}
