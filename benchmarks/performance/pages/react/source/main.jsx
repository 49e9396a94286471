import { useMemo, useState } from "react";
import { createRoot } from "react-dom/client";
import { recipes, shopping } from "./recipes.js";

const week = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
const today = "Wed";
const choices = ["Family favourite", "Spicy", "Lunchbox", "Guests"];

function Recipe({ id, onClose, onPlan }) {
  const recipe = recipes[id];
  const [serves, setServes] = useState(6);
  const [tags, setTags] = useState(["Spicy", "Lunchbox"]);
  const [day, setDay] = useState("Thu");
  const [note, setNote] = useState("Swap spinach for kale if it looks better.");
  const scaled = (n) => +((n * serves) / recipe.serves).toFixed(1);
  const flip = (tag) => setTags(tags.includes(tag) ? tags.filter((t) => t !== tag) : [...tags, tag]);
  return (
    <div className="shade" onClick={onClose}>
      <div className="modal" role="dialog" aria-modal="true" aria-label={recipe.name} onClick={(e) => e.stopPropagation()}>
        <button className="close" aria-label="Close" onClick={onClose}>×</button>
        <h2>{recipe.name}</h2>
        <div className="facts">{recipe.minutes} min · £{scaled(recipe.cost).toFixed(2)} · {recipe.tags.join(", ")}</div>
        <div className="serves">
          Serves
          <button aria-label="Fewer" disabled={serves <= 1} onClick={() => setServes(serves - 1)}>−</button>
          <b>{serves}</b>
          <button aria-label="More" disabled={serves >= 6} onClick={() => setServes(serves + 1)}>+</button>
          <span className="facts" style={{ margin: 0 }}>6 at most</span>
        </div>
        <ul>{recipe.parts.map(([what, n, unit]) => <li key={what}>{scaled(n)} {unit} {what}</li>)}</ul>
        <div>{choices.map((tag) => <span key={tag} className={"tag" + (tags.includes(tag) ? " on" : "")} onClick={() => flip(tag)}>{tag}</span>)}</div>
        <textarea rows="2" aria-label="Note" value={note} onChange={(e) => setNote(e.target.value)} />
        <div className="warn">⚠ Thursday already has Black bean tacos. Planning this will replace it.</div>
        <div className="acts">
          <label>Cook on <select value={day} onChange={(e) => setDay(e.target.value)}>{week.map((d) => <option key={d}>{d}</option>)}</select></label>
          <button className="go" onClick={() => onPlan(day, id)}>Replace meal</button>
          <button className="plain" onClick={onClose}>Cancel</button>
        </div>
      </div>
    </div>
  );
}

function App() {
  const [tab, setTab] = useState("Planner");
  const [plan, setPlan] = useState({ Mon: "salmon", Tue: "ramen", Wed: "chickpea", Thu: "tacos", Sat: "pie" });
  const [list, setList] = useState(shopping);
  const [open, setOpen] = useState("chickpea");
  const left = list.filter(([, got]) => !got).length;
  const cost = useMemo(() => Object.values(plan).reduce((sum, id) => sum + recipes[id].cost, 0), [plan]);
  return (
    <div className="app">
      <div className="head"><h1>Week of meals</h1><span>11–17 May</span><span className="cost">Budget <b>£{cost.toFixed(2)}</b> of £40.00</span></div>
      <div className="tabs" role="tablist">
        {["Planner", "Recipes", "Shopping"].map((name) => (
          <button key={name} role="tab" aria-selected={tab === name} onClick={() => setTab(name)}>
            {name}{name === "Shopping" && <span className="count">{left}</span>}
          </button>
        ))}
      </div>
      {tab === "Planner" && (
        <div className="layout">
          <div className="days">
            {week.map((d) => (
              <div key={d} className={"day" + (d === today ? " now" : "")}>
                <h3>{d}</h3>
                {plan[d]
                  ? <div className="meal" onClick={() => setOpen(plan[d])}>{recipes[plan[d]].name}<small>{recipes[plan[d]].minutes} min</small></div>
                  : <div className="gap">+ Add a meal</div>}
              </div>
            ))}
          </div>
          <div className="side">
            <h2>To buy</h2>
            {list.map(([what, got], i) => (
              <label key={what} className={got ? "got" : ""}>
                <input type="checkbox" checked={got} onChange={() => setList(list.map((row, k) => (k === i ? [row[0], !row[1]] : row)))} />{what}
              </label>
            ))}
          </div>
        </div>
      )}
      {tab === "Recipes" && <div className="days">{Object.entries(recipes).map(([id, r]) => <div key={id} className="meal" onClick={() => setOpen(id)}>{r.name}<small>{r.minutes} min, serves {r.serves}</small></div>)}</div>}
      {tab === "Shopping" && <div className="side">{left} things to buy</div>}
      {open && <Recipe id={open} onClose={() => setOpen(null)} onPlan={(d, id) => { setPlan({ ...plan, [d]: id }); setOpen(null); }} />}
    </div>
  );
}

createRoot(document.getElementById("root")).render(<App />);
