/** Steps of so many pixels take some milliseconds, whatever is decoded and made of them. */
const PIECE_PIXELS = 250_000
const PIECE_MS = 8

/** Counts steps, and lets other requests go on where enough has been done since they last could. */
export type GiveWay = () => Promise<void>

/**
 * Makes a decoder of rows give way. On Cloudflare the clock stands still while a Worker computes, so steps are counted there,
 * each taken for sixteen rows (a row of macroblocks of most formats); where it moves, the time decides.
 */
export function createGiveWay(width: number): GiveWay {
  const pieceSteps = Math.max(1, Math.floor(PIECE_PIXELS / (16 * width)))
  let steps = 0
  let sinceMs = Date.now()
  return async () => {
    steps++
    const elapsedMs = Date.now() - sinceMs
    if (elapsedMs > 0 ? elapsedMs < PIECE_MS : steps < pieceSteps) return
    await new Promise((resolve) => setTimeout(resolve, 0))
    steps = 0
    sinceMs = Date.now()
  }
}
