import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { photo } from '../../../test/support/photo.ts'
import { bytesBE, concat, textBytes } from '../../src/bytes.ts'
import { isFaithfulAsWebp } from '../../src/colours/faithful.ts'
import { findGainMap } from '../../src/container/gain-map.ts'
import { probe } from '../../src/probe.ts'
import { stripMetadata } from '../../src/strip.ts'
import { corpusImages } from '../corpus.ts'
import { exif, segment } from '../probe/made.ts'

const XMP = 'http://ns.adobe.com/xap/1.0/\0'
const HDRGM = 'xmlns:hdrgm="http://ns.adobe.com/hdr-gain-map/1.0/"'

async function plain(width: number, height: number, seed: number): Promise<Uint8Array> {
  const raw = { width, height, channels: 3 } as const
  return new Uint8Array(
    await sharp(photo(width, height, seed), { raw })
      .jpeg()
      .toBuffer(),
  )
}

const withSegments = (file: Uint8Array, ...segments: Uint8Array[]) =>
  concat([file.subarray(0, 2), ...segments, file.subarray(2)])

/** A JPEG with private metadata, and a map of a quarter of its size with these segments behind it. */
async function made(...mapSegments: Uint8Array[]): Promise<Uint8Array> {
  const map = withSegments(await plain(40, 30, 5), ...mapSegments, segment(0xfe, 'SECRET'.repeat(200)))
  const xmp = segment(0xe1, XMP, `<SECRET ${HDRGM} hdrgm:Version="1.0"/>`)
  const index = (size: number, offset: number) => {
    const entry = (tag: number, type: number, count: number, value: number) =>
      concat([bytesBE(tag, 2), bytesBE(type, 2), bytesBE(count, 4), bytesBE(value, 4)])
    const entries = [entry(0xb001, 4, 1, 2), entry(0xb002, 7, 32, 38)]
    const images = [0x030000, size, 0, 0, 0, map.length, offset, 0].map((value) => bytesBE(value, 4))
    return segment(
      0xe2,
      'MPF\0',
      concat([textBytes('MM\0*'), bytesBE(8, 4), bytesBE(2, 2), ...entries, bytesBE(0, 4), ...images]),
    )
  }
  const before = [exif(6), xmp]
  const base = (size: number, offset: number) =>
    plain(160, 120, 3).then((file) => withSegments(file, ...before, index(size, offset)))
  const size = (await base(0, 0)).length
  const header = 2 + before.reduce((sum, { length }) => sum + length, 0) + 8
  return concat([await base(size, size - header), map])
}

const facts = (bytes: Uint8Array) => probe(bytes) ?? expect.fail('not an image')
const strip = (bytes: Uint8Array) => stripMetadata(bytes, facts(bytes))
const isPrivate = (bytes: Uint8Array) => Buffer.from(bytes).includes('SECRET')
const pixels = (bytes: Uint8Array) => sharp(bytes).raw().toBuffer()

const ATTRIBUTES = segment(
  0xe1,
  XMP,
  `<rdf:Description SECRET="" ${HDRGM} hdrgm:Version="1.0" hdrgm:GainMapMax="2.5" hdrgm:BaseRenditionIsHDR="False"/>`,
)
const LISTS = segment(
  0xe1,
  XMP,
  `<a ${HDRGM} hdrgm:Version="1.0"><hdrgm:GainMapMax><rdf:Seq><rdf:li>1</rdf:li><rdf:li>2.5</rdf:li><rdf:li>3</rdf:li></rdf:Seq></hdrgm:GainMapMax></a>`,
)
const APPLE = segment(
  0xe1,
  XMP,
  '<a xmlns:HDRGainMap="http://ns.apple.com/HDRGainMap/1.0/"><HDRGainMap:HDRGainMapVersion>65536</HDRGainMap:HDRGainMapVersion></a>',
)
const ISO = segment(0xe2, 'urn:iso:std:iso:ts:21496:-1\0', new Uint8Array(60).fill(7))

describe('a JPEG with a gain map', () => {
  test.each([
    [
      'attributes of XMP',
      ATTRIBUTES,
      [
        ['GainMapMax', ['2.5']],
        ['BaseRenditionIsHDR', ['False']],
      ],
    ],
    ['lists in XMP', LISTS, [['GainMapMax', ['1', '2.5', '3']]]],
    ['elements of Apple', APPLE, [['HDRGainMapVersion', ['65536']]]],
    ['ISO 21496-1', ISO, []],
  ])('by %s keeps it without other metadata, and is not converted', async (_, mapSegment, parameters) => {
    const bytes = await made(mapSegment)
    expect(await isFaithfulAsWebp({ bytes, facts: facts(bytes) })).toBe(false)
    const stripped = strip(bytes)
    expect([isPrivate(bytes), isPrivate(stripped)]).toEqual([true, false])
    expect(facts(stripped)).toEqual(facts(bytes))
    expect(await pixels(stripped)).toEqual(await pixels(bytes))
    const [before, after] = [findGainMap(bytes), findGainMap(stripped)]
    expect(after?.parameters).toEqual(parameters)
    expect(after?.mapSegments).toEqual(before?.mapSegments)
    expect(await pixels(after?.map ?? expect.fail('no map'))).toEqual(
      await pixels(before?.map ?? expect.fail('no map')),
    )
    expect(after && concat([after.base, after.map])).toEqual(stripped)
    // Stripped again, it stays the same.
    expect(strip(stripped)).toEqual(stripped)
  })

  test('that is only a second image without parameters loses it', async () => {
    const bytes = await made()
    expect(await isFaithfulAsWebp({ bytes, facts: facts(bytes) })).toBe(true)
    expect(findGainMap(strip(bytes))).toBeUndefined()
  })
})

const mapped = corpusImages('jpeg').filter(({ path }) => /gainmap/.test(path))
test.skipIf(mapped.length === 0).each(mapped.map(({ path, file }) => [path, new Uint8Array(file)] as const))(
  '%s keeps its map',
  async (_, bytes) => {
    const before = findGainMap(bytes) ?? expect.fail('no map')
    const after = findGainMap(strip(bytes)) ?? expect.fail('no map')
    expect(after.parameters).toEqual(before.parameters)
    expect(await pixels(after.map)).toEqual(await pixels(before.map))
  },
)
