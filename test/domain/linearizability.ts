/**
 * Whether responses are those of a sequential order: linearizability (Herlihy and Wing, 1990), checked by search (Wing and Gong,
 * 1993).
 */

/** One operation of a history: its start and end, in steps, and its response. */
export interface Event<Operation> {
  operation: Operation
  begun: number
  ended: number
  /** Undefined if its process died first: it took effect before `ended`, or never will. */
  response: string | undefined
}

/** Responses that an operation may have in a state, with the state after each. */
export type Step<State, Operation> = (
  operation: Operation,
  state: State,
) => (readonly [response: string, after: State])[]

/** Returns the states in which a history can have ended: none if no order of its operations explains the responses. */
export function explanations<State, Operation>(
  step: Step<State, Operation>,
  events: readonly Event<Operation>[],
  start: State,
): State[] {
  const ends = new Map<string, State>()
  const visit = (left: readonly Event<Operation>[], state: State) => {
    if (left.length === 0) ends.set(JSON.stringify(state), state)
    const firstEnd = Math.min(...left.map(({ ended }) => ended))
    for (const event of left) {
      const others = left.filter((other) => other !== event)
      if (event.response === undefined) visit(others, state)
      if (event.begun > firstEnd) continue
      for (const [response, after] of step(event.operation, state)) {
        if (event.response === undefined || event.response === response) visit(others, after)
      }
    }
  }
  visit(events, start)
  return [...ends.values()]
}
