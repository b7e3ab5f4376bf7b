import inspector from 'node:inspector'
import { expect, test } from 'vitest'
import { createAdmission } from '../../../src/http/body/admission.ts'
import { BODY_ADMISSION, UPLOAD_MAX_BYTES } from '../../../src/limits.ts'

const WAITING = 58
const POLLS = 4000

/**
 * Returns the bytes of all objects that the work allocates, including collected ones. One sample is taken each 4 KiB.
 */
async function allocatedBy(work: () => Promise<void>): Promise<number> {
  const session = new inspector.Session()
  session.connect()
  session.post('HeapProfiler.startSampling', {
    samplingInterval: 4096,
    includeObjectsCollectedByMajorGC: true,
    includeObjectsCollectedByMinorGC: true,
  })
  await work()
  let bytes = 0
  session.post('HeapProfiler.stopSampling', (_, { profile }) => {
    const add = ({ selfSize, children }: inspector.HeapProfiler.SamplingHeapProfileNode) => {
      bytes += selfSize
      for (const child of children) add(child)
    }
    add(profile.head)
  })
  session.disconnect()
  return bytes
}

test('polling for room beside fifty other bodies allocates little', async () => {
  let nowMs = 1_800_000_000_000
  let polls = 0
  const timers: (() => void)[] = []
  const clients = new AbortController()
  const admission = createAdmission(BODY_ADMISSION, {
    nowMs: () => nowMs,
    toPresent: async () => {},
    wait: () => new Promise((resolve) => timers.push(resolve)),
  })
  const open = (client: string) => admission.open({ client, expectedBytes: UPLOAD_MAX_BYTES, signal: clients.signal })
  for (const client of ['one', 'other']) await open(client).take(UPLOAD_MAX_BYTES)
  const waiting = Array.from({ length: WAITING }, (_, i) => {
    const body = open(`waits ${i}`)
    if (i % 2 === 0) body.stall()
    return body.take(UPLOAD_MAX_BYTES).catch(() => {})
  })
  const settled = Promise.resolve()
  // Until all wait, because each updates its clock before and after a timer.
  const settle = async () => {
    for (let turn = 0; turn < 8; turn++) await settled
  }
  await settle()
  expect(timers.length).toBe(WAITING)
  const bytes = await allocatedBy(async () => {
    for (; timers.length > 0; polls++) {
      if (polls === POLLS) clients.abort()
      nowMs++
      timers.shift()?.()
      for (let turn = 0; turn < 5; turn++) await settled
    }
    await Promise.all(waiting)
  })
  // Half of it is the promise of the wait. A number for each waiting body would add 700, an iterator 2000.
  expect(bytes / polls, 'bytes a look').toBeLessThan(2000)
})
