import { type CodecClock, MOVING_CLOCK } from '../clock.ts'

/** Steps of so many pixels take some milliseconds at most, whatever is decoded and made of them. */
const SLICE_PIXELS = 250_000
const SLICE_MS = 8

/** Counts steps, and yields to other requests after enough work. */
export type YieldIfDue = () => Promise<void>

/** A clock, and what is done between two chunks of work. */
interface Pauses extends Pick<CodecClock, 'nowMs' | 'toPresent'> {
  yieldToOthers(): Promise<void>
  /** Is called after each pause; it throws where the job is to end. */
  renew(): void
}

type Soon = (then: () => void) => unknown

/**
 * In workerd only timers yield to other requests, not promises, messages or streams; each costs a millisecond in which nothing is
 * done, and `setImmediate` is one of them. In Node.js that costs nothing. Browsers have none.
 */
const { setImmediate: soon = setTimeout }: { setImmediate?: Soon; setTimeout: Soon } = globalThis

/** Yields to other requests. */
export function yieldToOthers(): Promise<void> {
  return new Promise((resolve) => soon(() => resolve()))
}

const ALONE: Pauses = { ...MOVING_CLOCK, yieldToOthers, renew() {} }

/**
 * Makes a row decoder yield. Where the clock advances, time decides. On Cloudflare it does not advance while a Worker
 * computes, so steps are counted, each as sixteen rows (a row of macroblocks in most formats). The number of steps per
 * chunk is learned from the clock, which is updated after each chunk.
 */
export function createYielder(width: number, pauses: Pauses = ALONE): YieldIfDue {
  const { nowMs, toPresent } = pauses
  const leastSteps = Math.max(1, Math.floor(SLICE_PIXELS / (16 * width)))
  let sliceSteps = leastSteps
  let steps = 0
  let sinceMs = nowMs()
  let isMoving = false
  return async () => {
    steps++
    const shownMs = nowMs() - sinceMs
    if (shownMs > 0) isMoving = true
    if (isMoving ? shownMs < SLICE_MS : steps < sliceSteps) return
    await toPresent()
    const tookMs = nowMs() - sinceMs
    if (tookMs > SLICE_MS) sliceSteps = Math.max(leastSteps, sliceSteps >> 1)
    else if (tookMs > 0 && 2 * tookMs <= SLICE_MS) sliceSteps *= 2
    pauses.renew()
    await pauses.yieldToOthers()
    // In the callback of a timer, the clock shows the scheduled time.
    await toPresent()
    pauses.renew()
    steps = 0
    sinceMs = nowMs()
    isMoving = false
  }
}
