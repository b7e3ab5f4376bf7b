import sharp from 'sharp'
import { expect, test, vi } from 'vitest'
import { below, mutated, seededRandom } from '../../../test/support/random.ts'
import { probe } from '../../src/probe.ts'
import { ImageRefusal } from '../../src/refusal.ts'
import { countRounds, roundsOf } from '../counted-codecs.ts'
import { made, type Wish } from './join/made.ts'
import { joined } from './join/side-by-side.ts'

countRounds()

vi.setConfig({ testTimeout: 3_600_000 })

const seed = Number(process.env.TINTYPE_SEED ?? 20_261_121)
const rounds = Number(process.env.FUZZ_ROUNDS ?? 300)
/** Rounds of the codecs' loops for one cover; with the seed above the worst one takes 1.3 million. */
const MOST_LOOPS = 20_000_000
/** A changed header may tell of many pixels, which is no question for this test. */
const MAX_PIXELS = 1_000_000

const size = { width: 93, height: 70 }
const WISHES: Wish[] = [
  size,
  { ...size, options: { progressive: true }, orientation: 6 },
  { ...size, format: 'png', alpha: true },
  { ...size, format: 'png', options: { progressive: true } },
  { ...size, format: 'gif', alpha: true },
  { ...size, format: 'webp' },
  { ...size, format: 'webp', alpha: true },
  { ...size, format: 'webp', alpha: true, options: { lossless: true } },
  { ...size, format: 'avif' },
  { ...size, format: 'avif', alpha: true },
]
const seeds = await Promise.all(WISHES.map(made))
const good = [await made({ width: 120, height: 90 }), await made({ width: 60, height: 80, format: 'webp' })] as const

test(`mutated images (seed ${seed}, ${rounds} rounds) are joined or refused, and the next cover is right`, async () => {
  const random = seededRandom(seed)
  const before = await joined(...good)
  let covers = 0
  for (let round = 0; round < rounds; round++) {
    const which = below(3, random)
    const pick = () => Buffer.from(seeds[below(seeds.length, random)] ?? good[0])
    const left = new Uint8Array(which === 0 ? pick() : mutated(pick(), random))
    const right = new Uint8Array(which === 1 ? pick() : mutated(pick(), random))
    const format = random() < 0.5 ? 'jpeg' : 'png'
    if (!isModest(left) || !isModest(right)) continue
    const { rounds: loops, result: cover } = await roundsOf(() => joinOrRefuse(left, right, format))
    expect(loops, `round ${round} of seed ${seed}`).toBeLessThan(MOST_LOOPS)
    if (cover) {
      covers++
      await sharp(cover, { failOn: 'warning' }).stats()
    }
    if (round % 20 === 0) expect(await joined(...good), `after round ${round} of seed ${seed}`).toStrictEqual(before)
  }
  expect(covers, `covers of ${rounds}`).toBeGreaterThan(rounds / 20)
})

test('a file cut anywhere is joined or refused', async () => {
  for (const file of seeds) {
    for (let part = 1; part < 12; part++) {
      const cut = file.slice(0, Math.floor((file.length * part) / 12))
      if (isModest(cut)) await joinOrRefuse(good[0], cut, 'jpeg')
    }
  }
})

async function joinOrRefuse(
  left: Uint8Array,
  right: Uint8Array,
  format: 'jpeg' | 'png',
): Promise<Uint8Array | undefined> {
  try {
    return await joined(left, right, format)
  } catch (error) {
    if (error instanceof ImageRefusal) return undefined
    throw error
  }
}

/** Whether the header, which is read before, is that of an image for this test. */
function isModest(file: Uint8Array): boolean {
  try {
    const facts = probe(file)
    return facts !== undefined && facts.size.width * facts.size.height <= MAX_PIXELS
  } catch (error) {
    if (error instanceof ImageRefusal) return false
    throw error
  }
}
