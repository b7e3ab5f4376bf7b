import { expect, test } from 'vitest'
import { createYielder } from '../../src/pixels/yielder.ts'

/** Runs a job of `steps` steps of `stepMs` each. Returns how often it yielded, and its longest stretch without. */
async function run(steps: number, stepMs: number, isMoving: boolean) {
  let workedMs = 0
  let seenMs = 0
  let idleMs = 0
  let turns = 0
  let longestMs = 0
  let sinceMs = 0
  const yieldIfDue = createYielder(8000, {
    nowMs: () => Math.floor(isMoving ? workedMs + idleMs : seenMs),
    async toPresent() {
      seenMs = workedMs + idleMs
    },
    renew() {},
    async yieldToOthers() {
      turns++
      idleMs++
      longestMs = Math.max(longestMs, workedMs - sinceMs)
      sinceMs = workedMs
    },
  })
  for (let i = 0; i < steps; i++) {
    workedMs += stepMs
    await yieldIfDue()
  }
  return { turns, longestMs }
}

test.each([
  ['quick steps, by a clock that moves', 0.2, true],
  ['quick steps, by a clock that stands still', 0.2, false],
  ['slow steps, by a clock that moves', 6, true],
  ['slow steps, by a clock that stands still', 6, false],
])('others continue every few milliseconds, and not more often: %s', async (_, stepMs, isMoving) => {
  const steps = 1000
  const { turns, longestMs } = await run(steps, stepMs, isMoving)
  expect(turns).toBeLessThanOrEqual(Math.ceil((steps * stepMs) / Math.min(4, stepMs)) + 10)
  expect(longestMs, 'ms without').toBeLessThanOrEqual(12)
})
