import sharp from 'sharp'
import { expect, test } from 'vitest'
import { createCodec } from '../../src/workers.ts'

const RULE = { maxWaiting: 1, waitMs: 1000, jobMaxMs: 1000, lostMs: 1000 }

test('the memory of a job whose request was cancelled is free when its turn is given away', async () => {
  const create = { width: 2000, height: 2000, channels: 3, background: '#369' } as const
  const image = new Uint8Array(await sharp({ create }).png().toBuffer())
  let nowMs = 0
  let isCancelled = false
  let pauses = 0
  const codec = createCodec({
    turns: RULE,
    clock: {
      nowMs: () => nowMs,
      toPresent: () => {
        pauses++
        return isCancelled ? new Promise(() => {}) : Promise.resolve()
      },
      wait: async () => {},
    },
  })
  const size = { width: 200, height: 200 }
  await codec.thumbnail(image, size)
  const pausesOfAll = pauses
  void codec.thumbnail(image, size)
  while (pauses < pausesOfAll + 3) await new Promise((resolve) => setTimeout(resolve, 0))
  isCancelled = true
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(codec.memory().liveBytes).toBeGreaterThan(0)
  nowMs += RULE.jobMaxMs + 1
  codec.queue()
  expect(codec.memory().liveBytes).toBe(0)
  isCancelled = false
  expect((await codec.thumbnail(image, size)).size).toEqual(size)
})
