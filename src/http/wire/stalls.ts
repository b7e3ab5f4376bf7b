import { MINUTE_MS } from '../../units.ts'

/** A stall counts half after this time. */
const HALF_LIFE_MS = MINUTE_MS
/** What is less counts as none: so much remains of one after three minutes. */
const LEAST_SCORE = 0.125
const MAX_CLIENTS = 1000

/** How often each client let us wait for a body that did not come, of late. */
export interface Stalls {
  note(client: string): void
  /** How many they are, the older the less; 0 for most. */
  of(client: string): number
}

/** Remembers a thousand clients, in this isolate only. */
export function createStalls(nowMs: () => number): Stalls {
  /** The one that stalled last is the last. */
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
