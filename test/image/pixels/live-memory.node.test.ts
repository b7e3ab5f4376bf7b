import { expect, test } from 'vitest'
import { encodeWebp, joinSideBySide } from '../../../src/image/codecs.ts'
import { CODECS_MAX_BYTES } from '../../../src/image/pixels/budget.ts'
import { codecMemory } from '../../../src/image/pixels/instances.ts'
import { probe } from '../../../src/image/probe.ts'
import { pick, seededRandom } from '../../support/random.ts'
import { large } from '../join/made.ts'
import { sized } from '../join/side-by-side.ts'
import { madeAvif } from './made-avif.ts'

const SEED = 20261122
const WEB = { width: 3840, height: 3840 }
const PREVIEW = { width: 200, height: 200 }

/** Thumbnail or web size of a file. */
async function encode(bytes: Uint8Array, box: typeof WEB) {
  const facts = probe(bytes)
  if (!facts) throw new Error('not a picture')
  await encodeWebp({ bytes, facts }, box, 90)
}

test(`the worst pictures in any order: all codecs that live take 72 MiB at most, seed ${SEED}`, async () => {
  const progressive = await large(6000, 4000, { progressive: true })
  const baseline = await large(6000, 4000)
  const avif = await madeAvif({ width: 4032, height: 3024, chroma: '4:2:0', quality: 60 })
  const fullChroma = await madeAvif({ width: 4032, height: 3024, chroma: '4:4:4', quality: 60 })
  const deep = await madeAvif({ width: 1500, height: 1000, chroma: '4:2:0', depth: 10 })
  const jobs: [string, () => Promise<unknown>][] = [
    ['a progressive JPEG for the web', () => encode(progressive, WEB)],
    ['a baseline JPEG for the web', () => encode(baseline, WEB)],
    ['a thumbnail of an AVIF', () => encode(avif, PREVIEW)],
    ['a thumbnail of an AVIF of full chroma', () => encode(fullChroma, PREVIEW)],
    ['a thumbnail of an AVIF of 10 bits', () => encode(deep, PREVIEW)],
    ['a cover', () => joinSideBySide(sized(progressive, 3000), sized(progressive, 3000), 'jpeg')],
    ['a cover of AVIFs', () => joinSideBySide(sized(avif, 3000), sized(avif, 3000), 'png')],
  ]
  const random = seededRandom(SEED)
  for (let i = 0; i < 10; i++) {
    const [name, job] = pick(jobs, random)
    await job()
    expect(codecMemory().peakBytes, name).toBeLessThanOrEqual(CODECS_MAX_BYTES)
  }
})
