import { MINUTE_MS, SECOND_MS } from '../../units.ts'

/** After this time, a stall counts half as much. */
const HALF_LIFE_MS = MINUTE_MS
/** A stall counts as so much when it is noted: whole numbers, since of others V8 makes an object at each look. */
export const STALL_SCORE = 1024
/** A lower score counts as none: what is left of one stall after three minutes. */
const LEAST_SCORE = STALL_SCORE / 8
const MAX_CLIENTS = 1000

/** How often each client has recently begun a body that then did not come. */
export interface Stalls {
  note(client: string, nowMs: number): void
  /** The score of a client: STALL_SCORE for each of its stalls, the older the less; 0 for most clients. */
  of(client: string, nowMs: number): number
}

interface Noted {
  score: number
  atMs: number
  /** What is left of it in a second, for all looks of that second. */
  left: number
  second: number
}

/** Keeps the scores of the last thousand clients that stalled, in this isolate only. */
export function createStalls(): Stalls {
  /** In the order of the last stall. */
  const scores = new Map<string, Noted>()

  function of(client: string, nowMs: number): number {
    const noted = scores.get(client)
    if (!noted) return 0
    const second = Math.trunc(nowMs / SECOND_MS)
    if (noted.second !== second) {
      const left = Math.round(noted.score * 2 ** ((noted.atMs - nowMs) / HALF_LIFE_MS))
      noted.left = left < LEAST_SCORE ? 0 : left
      noted.second = second
    }
    return noted.left
  }

  return {
    note(client, nowMs) {
      const score = of(client, nowMs) + STALL_SCORE
      scores.delete(client)
      scores.set(client, { score, atMs: nowMs, left: score, second: Math.trunc(nowMs / SECOND_MS) })
      const [first] = scores.keys()
      if (scores.size > MAX_CLIENTS && first !== undefined) scores.delete(first)
    },
    of,
  }
}
