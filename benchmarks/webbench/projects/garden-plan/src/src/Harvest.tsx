import { harvest, type Plan } from './plan'

export default function Harvest({ plan }: { plan: Plan }) {
  const crops = harvest(plan)
  if (crops.length === 0) return <p id="nothing">Nothing to harvest</p>
  return (
    <table>
      <caption>Harvest</caption>
      <thead>
        <tr>
          <th scope="col">Plant</th>
          <th scope="col">Squares</th>
          <th scope="col">Plants</th>
          <th scope="col">Ready</th>
        </tr>
      </thead>
      <tbody>
        {crops.map((crop) => (
          <tr key={crop.name}>
            <td>{crop.name}</td>
            <td>{crop.squares}</td>
            <td>{crop.plants}</td>
            <td>{crop.ready}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
