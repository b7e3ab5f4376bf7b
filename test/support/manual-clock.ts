import type { Clock } from '../../src/time.ts'

/**
 * Creates a clock that only `pass` advances, in steps of `stepMs`. After each step, `settle` lets everything proceed
 * that can.
 */
export function createManualClock(stepMs: number, settle: () => Promise<void>) {
  let nowMs = 0
  let timers: { dueMs: number; resolve: () => void }[] = []
  const clock: Clock = {
    nowMs: () => nowMs,
    toPresent: async () => {},
    wait: (ms) => new Promise((resolve) => timers.push({ dueMs: nowMs + ms, resolve })),
  }
  async function pass(ms: number) {
    for (const endMs = nowMs + ms; nowMs < endMs; nowMs += stepMs) {
      const due = timers.filter(({ dueMs }) => dueMs <= nowMs)
      timers = timers.filter(({ dueMs }) => dueMs > nowMs)
      for (const { resolve } of due) resolve()
      await settle()
    }
  }
  return { clock, pass }
}
