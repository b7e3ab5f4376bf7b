import { expect, test } from 'vitest'
import { encodeWebp, joinSideBySide } from '../../../src/image/codecs.ts'
import { CODECS_MAX_BYTES, IDLE_MAX_BYTES } from '../../../src/image/pixels/budget.ts'
import { codecMemory } from '../../../src/image/pixels/instances.ts'
import { probe } from '../../../src/image/probe.ts'
import { large } from '../join/made.ts'
import { sized } from '../join/side-by-side.ts'
import { madeAvif } from './made-avif.ts'

const WEB = { width: 3840, height: 3840 }
const PREVIEW = { width: 200, height: 200 }
const MOST_IDLE_BYTES = Object.values(IDLE_MAX_BYTES).reduce((sum, bytes) => sum + bytes, 0)

/** Thumbnail or web size of a file. */
async function encode(bytes: Uint8Array, box: typeof WEB) {
  const facts = probe(bytes)
  if (!facts) throw new Error('not a picture')
  await encodeWebp({ bytes, facts }, box, 90)
}

test('the worst pictures after one another: what others left does not live beside them, and all is 72 MiB at most', async () => {
  const progressive = await large(6000, 4000, { progressive: true })
  const avif = await madeAvif({ width: 1600, height: 1200, chroma: '4:4:4', quality: 60 })
  const web = () => encode(progressive, WEB)
  const cover = () => joinSideBySide(sized(progressive, 3000), sized(progressive, 3000), 'jpeg')
  // The worst alone: neither leaves anything.
  await web()
  await cover()
  const { peakBytes: worstBytes, liveBytes } = codecMemory()
  expect(worstBytes).toBeGreaterThan(50_000_000)
  expect(liveBytes).toBe(0)

  // And after each that leaves an instance, or two.
  const leaving: Record<string, () => Promise<unknown>> = {
    'a thumbnail of an AVIF': () => encode(avif, PREVIEW),
    'a cover of AVIFs': () => joinSideBySide(sized(avif, 600), sized(avif, 600), 'png'),
  }
  for (const [name, job] of Object.entries(leaving)) {
    for (const worst of [web, cover]) {
      await job()
      const { liveBytes } = codecMemory()
      expect(liveBytes, `left by ${name}`).toBeGreaterThan(1_000_000)
      expect(liveBytes, `left by ${name}`).toBeLessThanOrEqual(MOST_IDLE_BYTES)
      await worst()
      expect(codecMemory(), `after ${name}`).toEqual({ liveBytes: 0, peakBytes: worstBytes })
    }
  }
  expect(worstBytes).toBeLessThanOrEqual(CODECS_MAX_BYTES)
})
