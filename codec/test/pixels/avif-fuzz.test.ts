import { expect, test, vi } from 'vitest'
import { mutated, seededRandom } from '../../../test/support/random.ts'
import { probe } from '../../src/probe.ts'
import { ImageRefusal } from '../../src/refusal.ts'
import { countRounds, roundsOf } from '../counted-codecs.ts'
import { encodeWebp } from '../encode.ts'
import { imageOf, madeAvif } from './made-avif.ts'

countRounds()

vi.setConfig({ testTimeout: 3_600_000 })

const seed = Number(process.env.TINTYPE_SEED ?? 20_261_121)
const rounds = Number(process.env.FUZZ_ROUNDS ?? 60)
const BOX = { width: 200, height: 200 }
/** Rounds of the codecs' loops for one file; with the seed above the worst one takes 3.2 million. */
const MOST_LOOPS = 50_000_000
/** Of the whole process, from the first rounds to the last. */
const GROWTH_MAX_BYTES = 150_000_000
const FIRST_ROUNDS = 30

test.each([
  ['4:2:0', { chroma: '4:2:0' }],
  ['4:4:4 and 10 bits', { chroma: '4:4:4', depth: 10 }],
  ['4:2:0 with alpha', { chroma: '4:2:0', alpha: true }],
] as const)(
  `${rounds} mutations of an AVIF of %s become images or refusals, and the next good one is as before (seed ${seed})`,
  async (_, wish) => {
    const random = seededRandom(seed)
    const original = Buffer.from(await madeAvif({ width: 400, height: 300, quality: 60, ...wish }))
    const good = imageOf(new Uint8Array(original))
    const before = await encodeWebp(good, BOX, 80)
    let used = 0
    let firstBytes = 0
    for (let round = 0; round < rounds; round++) {
      const bad = new Uint8Array(mutated(original, random))
      const { rounds: loops, result } = await roundsOf(() => isUsed(bad))
      if (result) used++
      expect(loops, `round ${round}`).toBeLessThan(MOST_LOOPS)
      if (round === FIRST_ROUNDS) firstBytes = process.memoryUsage.rss()
      if (round % 10 === 0) expect(await encodeWebp(good, BOX, 80), `after round ${round}`).toEqual(before)
    }
    expect(await encodeWebp(good, BOX, 80)).toEqual(before)
    expect(process.memoryUsage.rss() - firstBytes).toBeLessThan(GROWTH_MAX_BYTES)
    expect(used).toBeGreaterThan(0)
    expect(used).toBeLessThan(rounds)
  },
)

async function isUsed(bytes: Uint8Array): Promise<boolean> {
  try {
    const facts = probe(bytes)
    if (facts) await encodeWebp({ bytes, facts }, BOX, 80)
    return facts !== undefined
  } catch (error) {
    if (error instanceof ImageRefusal) return false
    throw error
  }
}
