import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { listCorpus } from '../../../test/support/corpus.ts'
import { itemBytes, readItems } from '../../src/container/avif-items.ts'
import { hasGainMap } from '../../src/container/gain-map.ts'
import { type AnyFacts, probe } from '../../src/probe.ts'
import { ImageRefusal } from '../../src/refusal.ts'
import { stripMetadata } from '../../src/strip.ts'

interface Stripped {
  path: string
  facts: AnyFacts
  bytes: Uint8Array
  /** `undefined` when it was refused. */
  stripped: Uint8Array | undefined
}

/** Larger images are not decoded by another program, which would take long. */
const DECODED_MAX_PIXELS = 1_000_000

/** Every image of the corpus that is accepted, animated ones included, GIFs left out. */
function stripAll(): Stripped[] {
  return listCorpus()
    .filter(({ expected, format }) => expected.includes(200) && format !== 'gif')
    .flatMap(({ path, read }) => {
      const bytes = read()
      try {
        const facts = probe(bytes)
        return facts ? [{ path, facts, bytes, stripped: tryStrip(bytes, facts) }] : []
      } catch {
        return []
      }
    })
}

function tryStrip(bytes: Uint8Array, facts: AnyFacts): Uint8Array | undefined {
  try {
    return stripMetadata(bytes, facts)
  } catch (error) {
    if (error instanceof ImageRefusal) return undefined
    throw error
  }
}

/** The pixels another program sees, or `undefined` where it sees none. */
async function decode(bytes: Uint8Array): Promise<Buffer | undefined> {
  try {
    return await sharp(bytes, { failOn: 'none' }).raw().toBuffer()
  } catch {
    return undefined
  }
}

const all = stripAll()
const changed = all.filter(({ bytes, stripped }) => stripped && stripped !== bytes && stripped.length < bytes.length)

describe.skipIf(all.length === 0)('the corpus (needs the corpus)', () => {
  test('only image sequences cannot be stripped', () => {
    expect(
      all.filter(({ stripped }) => !stripped).every(({ facts }) => facts.format === 'avif' && facts.animated),
    ).toBe(true)
  })

  test('nothing grows, and every fact stays', () => {
    expect(changed.length).toBeGreaterThan(100)
    for (const { path, facts, bytes, stripped } of all) {
      if (!stripped) continue
      expect(stripped.length, path).toBeLessThanOrEqual(bytes.length)
      expect(probe(stripped), path).toEqual(facts)
    }
  })

  test('what is stripped once has nothing more to lose', () => {
    for (const { path, facts, stripped } of all) {
      if (stripped) expect(Buffer.compare(stripMetadata(stripped, facts), stripped), path).toBe(0)
    }
  })

  test('every pixel stays, and no EXIF, XMP or IPTC does', async () => {
    let compared = 0
    for (const { path, facts, bytes, stripped } of changed) {
      if (!stripped || facts.size.width * facts.size.height > DECODED_MAX_PIXELS) continue
      const before = await decode(bytes)
      if (!before) continue
      compared++
      expect((await decode(stripped))?.equals(before), path).toBe(true)
      const [old, { exif, xmp, iptc, icc }] = await Promise.all([sharp(bytes).metadata(), sharp(stripped).metadata()])
      expect(iptc, path).toBeUndefined()
      // The parameters of a gain map are XMP.
      expect(xmp === undefined || hasGainMap(bytes), path).toBe(true)
      expect(exif?.length ?? 0, path).toBeLessThanOrEqual(facts.orientation === 1 ? 0 : 32)
      expect(icc, path).toEqual(old.icc)
    }
    expect(compared).toBeGreaterThan(100)
  })

  test('the data of every AVIF item that stays is the same', () => {
    const avifs = changed.filter(({ facts }) => facts.format === 'avif')
    expect(avifs.length).toBeGreaterThan(10)
    for (const { path, bytes, stripped } of avifs) {
      const [before, after] = [readItems(bytes), stripped && readItems(stripped)]
      if (!before || !after || !stripped) throw new Error(`${path} has no items`)
      for (const item of after.items.values()) {
        const old = before.items.get(item.id)
        expect(old && Buffer.compare(itemBytes(stripped, item), itemBytes(bytes, old)), `${path} ${item.id}`).toBe(0)
      }
    }
  })
})
