import type { Effect, Event } from './events.ts'
import { reduce } from './reduce.ts'
import type { State } from './state.ts'

/** The state of the page, which events change. */
export interface Store {
  state: () => State
  dispatch: (event: Event) => void
}

/**
 * Shows each state, and then runs the effects of its event. The effects of an event that an effect dispatches come after those of
 * the first event.
 */
export function createStore(initial: State, show: (state: State) => void, run: (effect: Effect) => void): Store {
  let state = initial
  const pending: Effect[] = []
  let isRunning = false

  function runAll(): void {
    if (isRunning) return
    isRunning = true
    try {
      for (let effect = pending.shift(); effect; effect = pending.shift()) run(effect)
    } finally {
      isRunning = false
    }
  }

  return {
    state: () => state,
    dispatch(event) {
      const next = reduce(state, event)
      state = next.state
      show(state)
      pending.push(...next.effects)
      runAll()
    },
  }
}
