import { expect, test } from 'vitest'
import { CODEC_MAX_BYTES } from '../../src/pixels/budget.ts'
import { probe } from '../../src/probe.ts'
import { codec } from '../codec.ts'
import { encodeWebp, joinSideBySide } from '../encode.ts'
import { large } from './join/made.ts'
import { sized } from './join/side-by-side.ts'
import { madeAvif } from './made-avif.ts'

const WEB = { width: 3840, height: 3840 }
const SMALL_WEB = { width: 1200, height: 1200 }
const PREVIEW = { width: 200, height: 200 }

/** Thumbnail or web size of a file. */
async function encode(bytes: Uint8Array, box: typeof WEB) {
  const facts = probe(bytes)
  if (!facts) throw new Error('not an image')
  await encodeWebp({ bytes, facts }, box, 90)
}

/** The shortest series in which each of so many numbers comes right after each of them, itself too: a de Bruijn sequence. */
function everyPairInTurn(count: number): number[] {
  const numbers = Array.from({ length: count }, (_, number) => number)
  const cycle = numbers.flatMap((one) => [one, ...numbers.slice(one + 1).flatMap((other) => [one, other])])
  return [...cycle, 0]
}

test('the worst images after one another: a core is kept for the next one, and all that live take 72 MiB at most', async () => {
  codec.release()
  const progressive = await large({ width: 6000, height: 4000, options: { progressive: true } })
  const avif = await madeAvif({ width: 1600, height: 400, chroma: '4:4:4', quality: 60 })
  // The coefficients take the memory; of what is made of them, the first two are as large as may be.
  let made = 0
  const web = () => encode(progressive, made++ < 2 ? WEB : SMALL_WEB)
  const cover = () => joinSideBySide(sized(progressive, 1000), sized(progressive, 1000), 'jpeg')

  const jobs: Record<string, () => Promise<unknown>> = {
    'a large picture': web,
    'a large cover': cover,
    'a thumbnail of an AVIF': () => encode(avif, PREVIEW),
    'a cover of AVIFs': () => joinSideBySide(sized(avif, 600), sized(avif, 600), 'png'),
  }
  const names = Object.keys(jobs)
  const order = everyPairInTurn(names.length).map((at) => names[at] ?? '')
  const heldBytes: number[] = []
  for (const [at, name] of order.entries()) {
    await jobs[name]?.()
    heldBytes.push(codec.memory().liveBytes)
    expect(codec.memory().peakBytes, order.slice(0, at + 1).join(', then ')).toBeLessThanOrEqual(CODEC_MAX_BYTES)
  }
  // A large image leaves its core for the next one. A cover divides the memory between two: it begins with a new one.
  expect(order.slice(0, 2)).toEqual(['a large picture', 'a large picture'])
  expect(heldBytes[0]).toBeGreaterThan(45_000_000)
  // Coefficients of 45 MB and, of these, 4.5 MB of notes on what is not zero, which the encoder writes over.
  expect(heldBytes[0]).toBeLessThan(50_000_000)
  expect(heldBytes[1], 'kept').toBe(heldBytes[0])
})
