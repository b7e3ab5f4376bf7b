/** Steps of so many pixels take some milliseconds at most, whatever is decoded and made of them. */
const PIECE_PIXELS = 250_000
const PIECE_MS = 8

/** Counts steps, and lets other requests go on where enough has been done since they last could. */
export type GiveWay = () => Promise<void>

/** A clock, and a way to let others go on. */
export interface Platform {
  nowMs(): number
  letOthers(): Promise<void>
}

type Soon = (then: () => void) => unknown

/**
 * In workerd only timers let other requests go on, not promises, messages or streams; each costs a millisecond in which nothing is
 * done, and `setImmediate` is one of them. In Node.js that costs nothing. Browsers have none.
 */
const { setImmediate: soon = setTimeout }: { setImmediate?: Soon; setTimeout: Soon } = globalThis

const PLATFORM: Platform = { nowMs: () => Date.now(), letOthers: () => new Promise((resolve) => soon(resolve)) }

/**
 * Makes a decoder of rows give way. Where the clock moves, the time decides. On Cloudflare it stands still while a Worker
 * computes, so steps are counted there, each taken for sixteen rows (a row of macroblocks of most formats): how many are a
 * piece is learned from what the clock says after each, which is the most that it took.
 */
export function createGiveWay(width: number, { nowMs, letOthers }: Platform = PLATFORM): GiveWay {
  const leastSteps = Math.max(1, Math.floor(PIECE_PIXELS / (16 * width)))
  let pieceSteps = leastSteps
  let steps = 0
  let sinceMs = nowMs()
  let isMoving = false
  return async () => {
    steps++
    const elapsedMs = nowMs() - sinceMs
    if (elapsedMs > 0) isMoving = true
    if (isMoving ? elapsedMs < PIECE_MS : steps < pieceSteps) return
    await letOthers()
    const tookMs = nowMs() - sinceMs
    if (tookMs > PIECE_MS) pieceSteps = Math.max(leastSteps, pieceSteps >> 1)
    else if (tookMs > 0 && 2 * tookMs <= PIECE_MS) pieceSteps *= 2
    steps = 0
    sinceMs = nowMs()
  }
}
