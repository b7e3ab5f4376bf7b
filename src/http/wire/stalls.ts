import { MINUTE_MS } from '../../units.ts'

/** After this time, a stall counts half as much. */
const HALF_LIFE_MS = MINUTE_MS
/** A lower score counts as none: what is left of one stall after three minutes. */
const LEAST_SCORE = 0.125
const MAX_CLIENTS = 1000

/** How often each client has recently begun a body that then did not come. */
export interface Stalls {
  note(client: string): void
  /** The score of a client: its stalls, the older the less; 0 for most clients. */
  of(client: string): number
}

/** Keeps the scores of the last thousand clients that stalled, in this isolate only. */
export function createStalls(nowMs: () => number): Stalls {
  /** In the order of the last stall. */
  const scores = new Map<string, { score: number; atMs: number }>()

  function of(client: string): number {
    const noted = scores.get(client)
    if (!noted) return 0
    const score = noted.score * 2 ** ((noted.atMs - nowMs()) / HALF_LIFE_MS)
    return score < LEAST_SCORE ? 0 : score
  }

  return {
    note(client) {
      const score = of(client) + 1
      scores.delete(client)
      scores.set(client, { score, atMs: nowMs() })
      const [first] = scores.keys()
      if (scores.size > MAX_CLIENTS && first !== undefined) scores.delete(first)
    },
    of,
  }
}
