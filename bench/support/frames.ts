// Statistics of the frames that a browser has drawn.

/** One and a half of the 60 frames in a second. */
const LATE_FRAME_MS = 25

/** Their number, their number in a second, and the time between them in milliseconds. */
export function describeFrames(framesMs: number[]) {
  const seconds = framesMs.reduce((sum, ms) => sum + ms, 0) / 1000
  const late = framesMs.filter((ms) => ms > LATE_FRAME_MS).length
  return (
    `${framesMs.length} frames in ${seconds.toFixed(1)} s, ${(framesMs.length / seconds).toFixed(0)} a second; ${late} took more than ` +
    `${LATE_FRAME_MS} ms, the longest ${Math.round(Math.max(...framesMs))} ms`
  )
}
