import { useEffect, useReducer } from 'react'
import { isPlan, NEW_PLAN, type Plan } from './plan'

const KEY = 'garden-plan'

interface History {
  past: readonly Plan[]
  plan: Plan
  future: readonly Plan[]
}

type Step = (plan: Plan) => Partial<Plan>

type Action =
  | { type: 'change'; to: Step }
  /** Goes on with the last change, so that one undo takes both back. */
  | { type: 'amend'; to: Step }
  | { type: 'undo' }
  | { type: 'redo' }

function after(history: History, action: Action): History {
  const { past, plan, future } = history
  switch (action.type) {
    case 'change':
      return { past: [...past, plan], plan: { ...plan, ...action.to(plan) }, future: [] }
    case 'amend':
      return { ...history, plan: { ...plan, ...action.to(plan) } }
    case 'undo':
      if (past.length === 0) return history
      return { past: past.slice(0, -1), plan: past[past.length - 1], future: [plan, ...future] }
    case 'redo':
      if (future.length === 0) return history
      return { past: [...past, plan], plan: future[0], future: future.slice(1) }
  }
}

function stored(): Plan {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(KEY) ?? 'null')
    return isPlan(found) ? found : NEW_PLAN
  } catch {
    return NEW_PLAN
  }
}

function begin(): History {
  return { past: [], plan: stored(), future: [] }
}

/** The plan, kept from visit to visit, with what can be taken back. */
export function usePlan() {
  const [{ past, plan, future }, act] = useReducer(after, undefined, begin)

  useEffect(() => {
    try {
      localStorage.setItem(KEY, JSON.stringify(plan))
    } catch {
      // Without storage the plan lasts as long as the page.
    }
  }, [plan])

  useEffect(() => {
    function press(event: KeyboardEvent) {
      const isTyping = (event.target as Element | null)?.closest?.('input:not([type=radio]), textarea')
      if (isTyping || event.key.toLowerCase() !== 'z' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      act({ type: event.shiftKey ? 'redo' : 'undo' })
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [])

  return { plan, act, canUndo: past.length > 0, canRedo: future.length > 0 }
}
