import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { seededRandom } from './support/random.ts'

const MINUTE_S = 60
const HOUR_S = 3600
const GB = 1e9

/** A sample of a gauge: seconds and its value. */
type Sample = readonly [s: number, value: number]

/** The alert about a filling disk, as docs/operating.md has it. */
function readAlert() {
  const guide = readFileSync(`${import.meta.dirname}/../docs/operating.md`, 'utf8')
  const alert =
    /predict_linear\(tintype_disk_free_bytes\[(\d+)h\], (\d+) \* 86400\) < 1e9( and tintype_disk_free_bytes offset (\d+)h)?` for (\d+) hour/
  const [, rangeH, days, , offsetH = 0, forH] = alert.exec(guide) ?? expect.fail('no alert')
  return {
    rangeS: Number(rangeH) * HOUR_S,
    aheadS: Number(days) * 86_400,
    offsetS: Number(offsetH) * HOUR_S,
    forS: Number(forH) * HOUR_S,
  }
}

/** Returns when the alert fires, by Prometheus' least squares, with a sample and an evaluation each minute. */
function firesAt(samples: readonly Sample[], { rangeS, aheadS, offsetS, forS } = readAlert()): number | undefined {
  let since: number | undefined
  for (const [now] of samples.filter((_, at) => at % 5 === 0)) {
    const range = samples.filter(([s]) => s > now - rangeS && s <= now)
    const isTrue = samples.some(([s]) => s <= now - offsetS) && range.length > 1 && predict(range, now + aheadS) < GB
    since = isTrue ? (since ?? now) : undefined
    if (since !== undefined && now - since >= forS) return now
  }
  return undefined
}

function predict(range: readonly Sample[], atS: number): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const [meanS, meanValue] = [mean(range.map(([s]) => s)), mean(range.map(([, value]) => value))]
  const covariance = mean(range.map(([s, value]) => (s - meanS) * (value - meanValue)))
  const variance = mean(range.map(([s]) => (s - meanS) ** 2))
  return meanValue + (covariance / variance) * (atS - meanS)
}

/** Free space over some hours: some use a minute, and other programs that write and delete 1 GB. */
function freeSpace(seed: number, hours: number, bytesPerHour: number): Sample[] {
  const random = seededRandom(seed)
  return Array.from({ length: hours * 60 }, (_, minute) => [
    minute * MINUTE_S,
    50 * GB - (minute / 60) * bytesPerHour + random() * GB,
  ])
}

test('the alert about a filling disk does not fire on noise, and fires days before the disk is full', () => {
  const alert = readAlert()
  const seeds = Array.from({ length: 10 }, (_, seed) => 1000 + seed)
  const isNoisy = (seed: number) => firesAt(freeSpace(seed, 1, 0), { ...alert, offsetS: 0, forS: 0 }) !== undefined
  expect(seeds.filter(isNoisy).length, 'without the second part and the hour').toBeGreaterThan(5)
  for (const seed of seeds.slice(0, 3)) expect(firesAt(freeSpace(seed, 9, 0)), `seed ${seed}`).toBe(undefined)
  // Full after 50 hours.
  expect(firesAt(freeSpace(1, 9, GB))).toBeLessThan(8 * HOUR_S)
})
