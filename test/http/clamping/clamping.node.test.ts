import { readFileSync } from 'node:fs'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startClampingService, workerdVersion } from './clamping-service.ts'

/** The service with timers that count from a lagging clock (docs/architecture.md#time), slowed as in production. */
let service: Awaited<ReturnType<typeof startClampingService>>
beforeAll(async () => {
  service = await startClampingService()
})
afterAll(() => service.stop())

async function run(scenario: string, slowMs = 0): Promise<unknown> {
  const headers = { Scenario: scenario, 'Slow-Ms': String(slowMs) }
  return (await fetch(service.baseUrl, { headers })).json()
}

// Measured, its timers do not lag in every process of a busy machine, so its version is what can be held.
test('this workerd is the last public one whose timers count from a lagging clock', () => {
  expect(workerdVersion()).toBe('1.20260120.0')
})

test.each([5, 150])('calls to the storage and the limiter that take %i ms succeed after work', async (slowMs) => {
  expect(await run('storage', slowMs)).toEqual({
    'D1.run': 'answered',
    'files.head': 'answered',
    limiter: 'answered',
  })
})

test('the timeout of a hanging call is as long after work as before', async () => {
  const { isOver, ms } = Object(await run('hanging'))
  expect(isOver).toBe(true)
  expect(ms).toBeGreaterThanOrEqual(400)
})

test('a lease is not renewed several times at once after work', async () => {
  let leastMs = 0
  // A busy machine may stop the service between a timer and the renewal. Timers that catch up fire at once.
  for (let attempt = 0; attempt < 10 && leastMs < 150; attempt++) leastMs = Object(await run('lease')).leastMs
  expect(leastMs).toBeGreaterThanOrEqual(150)
})

test('one job computes at a time, however long, and its time is counted', async () => {
  const states = await Promise.all(Array.from({ length: 3 }, () => run('turn')))
  expect(Math.max(...states.map((state) => Object(state).mostWorking))).toBe(1)
  expect(Math.max(...states.map((state) => Object(state).workedMs))).toBeGreaterThanOrEqual(3 * 500)
})

test('a tick of the cron succeeds', async () => {
  expect(await service.cron()).toMatchObject({ outcome: 'ok' })
})

/** Returns lines of text with noise, which take longest to optimize. */
async function noisyText(side: number): Promise<Uint8Array<ArrayBuffer>> {
  const pixels = new Uint8Array(side * side * 3)
  let random = 12345
  let at = 0
  for (let y = 0; y < side; y++) {
    const isText = y % 26 > 6
    const line = Math.floor(y / 26) * 13
    for (let x = 0; x < side; x++) {
      const value = isText && ((x * 7 + line) ^ (x >> 2)) % 11 < 4 ? 20 : 250
      for (let channel = 0; channel < 3; channel++) {
        random = (Math.imul(random, 1_103_515_245) + 12_345) >>> 0
        pixels[at++] = value + ((random >>> 16) % 16 === 0 ? 1 : 0)
      }
    }
  }
  const raw = { width: side, height: side, channels: 3 } as const
  return new Uint8Array(await sharp(pixels, { raw }).png({ compressionLevel: 3 }).toBuffer())
}

async function plain(side: number): Promise<Uint8Array<ArrayBuffer>> {
  const create = { width: side, height: side, channels: 3, background: '#369' } as const
  return new Uint8Array(await sharp({ create }).jpeg().toBuffer())
}

async function upload(address: string, files: Record<string, Uint8Array<ArrayBuffer>>, slowMs: number) {
  const body = new FormData()
  for (const [field, bytes] of Object.entries(files)) body.set(field, new File([bytes], 'large'))
  body.set('content_type', '0')
  body.set('optimize_for_web', '1')
  const headers = { 'Slow-Ms': String(slowMs) }
  const response = await fetch(`${service.baseUrl}${address}`, { method: 'POST', body, headers })
  return [response.status, response.ok || (await response.text())]
}

test('a large image of noisy text is optimized while D1 takes 150 ms', async () => {
  expect(await upload('/images', { img: await noisyText(3840) }, 150)).toEqual([200, true])
})

test('an AVIF of 100 megapixels is stored while D1 takes 150 ms', async () => {
  const file = path.join(import.meta.dirname, '../../fixtures/large/100-megapixels.avif.gz')
  expect(await upload('/images', { img: new Uint8Array(gunzipSync(readFileSync(file))) }, 150)).toEqual([200, true])
})

test('a cover of two images of 49 megapixels is made while D1 takes 30 ms', async () => {
  const image = await plain(7000)
  expect(await upload('/covers', { img_left: image, img_right: image }, 30)).toEqual([200, true])
})
