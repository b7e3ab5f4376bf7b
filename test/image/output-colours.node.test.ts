import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { bytesBE, concat, textBytes } from 'tintype-codec/bytes'
import { pngChunk } from 'tintype-codec/container/png-chunks'
import { probe } from 'tintype-codec/interface'
import {
  curves,
  lut8Lab,
  lut16Inks,
  lut16Lab,
  lutAToBXyz,
  P3_COLORANTS,
  parametric,
  profile,
  SRGB_CURVE,
  sampled,
  type Tag,
  xyz,
} from 'tintype-codec/test/made-profile'
import { describe, expect, test } from 'vitest'
import { codec } from '../../src/image/codec.ts'
import { joinCover } from '../../src/image/cover.ts'
import { makeFiles, makeThumbnail } from '../../src/image/thumbnail.ts'

/** A profile that may be larger than its thumbnail. */
const LARGE: Tag = ['blob', new Uint8Array(400_000)]
const toLinear = (x: number) => (x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4)
const sampledSrgb = (count: number) => Array.from({ length: count }, (_, i) => 65535 * toLinear(i / (count - 1)))
const long = sampled(...sampledSrgb(4096))

const P3 = profile([...P3_COLORANTS, ...curves(SRGB_CURVE)])
/** Of P3 as it is written: by a formula, and with the tags that all profiles must have. */
const P3_WRITTEN_BYTES = 388
const THREE_CURVES = curves(
  sampled(1.8 * 256),
  long,
  parametric(4, 2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045, 0, 0),
)
const MATRICES: [string, Uint8Array][] = [
  ['P3, filled up', profile([...P3_COLORANTS, ...curves(SRGB_CURVE), LARGE])],
  ['long curves', profile([...P3_COLORANTS, ...curves(long)])],
  ['a curve of its own for each channel', profile([...P3_COLORANTS, ...THREE_CURVES])],
]
const TABLES: [string, Uint8Array][] = [
  ['tables of 16 bits to Lab', profile([['A2B0', lut16Lab(17)]], { pcs: 'Lab ', version: 2 })],
  ['tables of 8 bits to Lab', profile([['A2B0', lut8Lab(33)]], { pcs: 'Lab ', version: 2 })],
  ['tables of version 4 to XYZ', profile([['A2B0', lutAToBXyz(17)]])],
]
const BROKEN: [string, Uint8Array][] = [
  ['tables cut off', profile([LARGE, ['A2B0', lut16Lab(17).subarray(0, 5000)]], { pcs: 'Lab ', version: 2 })],
  ['no tables and no curves', profile([LARGE, ...P3_COLORANTS])],
]

const SIDE = 64

/** All combinations of 16 values of each channel, in a square. */
const COLOURS = Buffer.from(
  Array.from({ length: SIDE * SIDE }, (_, i) => [(i >> 8) * 17, ((i >> 4) & 15) * 17, (i & 15) * 17]).flat(),
)

/** Returns a PNG of these colours with this profile. */
async function png(icc?: Uint8Array, pixels = COLOURS, side = SIDE): Promise<Uint8Array> {
  const file = await sharp(pixels, { raw: { width: side, height: side, channels: 3 } })
    .png()
    .toBuffer()
  const chunk = icc ? pngChunk('iCCP', concat([textBytes('ICC\0\0'), deflateSync(icc)])) : new Uint8Array()
  return concat([file.subarray(0, 33), chunk, file.subarray(33)])
}

async function image(icc?: Uint8Array, pixels = COLOURS, side = SIDE) {
  const bytes = await png(icc, pixels, side)
  return { bytes, facts: probe(bytes) ?? expect.fail('no picture') }
}

/** Returns the pixels that libvips shows of a file on an sRGB screen. */
function shown(file: Uint8Array): Promise<Buffer> {
  return sharp(file).removeAlpha().raw().toBuffer()
}

/** Returns the mean and the largest difference of samples. */
function difference(ours: Uint8Array, theirs: Uint8Array): { mean: number; most: number } {
  expect(ours.length).toBe(theirs.length)
  const off = Array.from(ours, (value, i) => Math.abs(value - (theirs[i] ?? 0)))
  return {
    mean: off.reduce((sum, value) => sum + value, 0) / off.length,
    most: off.reduce((most, value) => Math.max(most, value), 0),
  }
}

/** Returns the left or the right half of a cover as a PNG, with the exact colours. */
async function half(cover: Uint8Array, left: number): Promise<Buffer> {
  return shown(
    await sharp(cover).extract({ left, top: 0, width: SIDE, height: SIDE }).keepIccProfile().png().toBuffer(),
  )
}

/** Joins a cover of an opaque image and an image that is a PNG only because the other has alpha. */
async function cover(left: Uint8Array | undefined, right: Uint8Array | undefined): Promise<Uint8Array> {
  const [one, other] = [await image(left), await image(right)]
  const joined = await joinCover(one, { ...other, facts: { ...other.facts, alpha: true } })
  expect(joined.facts.format).toBe('png')
  return joined.bytes
}

describe('two images of different colours become one cover in sRGB, as libvips shows them', () => {
  test.each([
    ['P3', P3, 0.1, 1],
    ...MATRICES.map(([name, icc]) => [name, icc, 0.1, 1] as const),
    // libvips uses a grid of its own, and clips colours beyond sRGB at each of its points.
    ...TABLES.map(([name, icc]) => [name, icc, 1, 24] as const),
  ] as const)('%s, beside none', async (_, icc, mean, most) => {
    const joined = await cover(icc, undefined)
    expect((await sharp(joined).metadata()).icc).toBeUndefined()
    const off = difference(await half(joined, 0), await shown(await png(icc)))
    expect(off.mean).toBeLessThanOrEqual(mean)
    expect(off.most).toBeLessThanOrEqual(most)
    expect(difference(await half(joined, SIDE), COLOURS).most).toBe(0)
  })

  test.each(BROKEN)('%s is ignored', async (_, icc) => {
    const joined = await cover(icc, P3)
    expect(difference(await half(joined, 0), COLOURS).most).toBe(0)
    expect(difference(await half(joined, SIDE), await shown(await png(P3))).most).toBeLessThanOrEqual(1)
  })

  test('a JPEG of a rotated image, too', async () => {
    const one = await image(P3, RED)
    const joined = await joinCover(await image(undefined, RED), { ...one, facts: { ...one.facts, orientation: 6 } })
    expect(joined.facts.format).toBe('jpeg')
    const theirs = await shown(P3_RED)
    expect(difference(await half(joined.bytes, SIDE), theirs).mean).toBeLessThanOrEqual(1.5)
  })
})

test('a cover of two images of the same colours has their profile', async () => {
  const joined = await cover(P3, P3)
  expect((await sharp(joined).metadata()).icc).toHaveLength(P3_WRITTEN_BYTES)
  expect(difference(await half(joined, SIDE), await shown(await png(P3))).most).toBe(0)
})

describe('a cover of two profiles that differ in bytes', () => {
  /** The colorants of P3 as another program computes them, with this error. */
  const computed = (off: number): Tag[] => [
    ['rXYZ', xyz(0.5151 + off, 0.2412 - off, -0.0011)],
    ['gXYZ', xyz(0.292, 0.6922 + off, 0.0419)],
    ['bXYZ', xyz(0.1571 - off, 0.0666, 0.7841 + off)],
  ]
  const sameSpace = profile([...computed(0.0003), ...curves(sampled(...sampledSrgb(1024)))], { version: 2 })

  test('but have equal colours has the first one', async () => {
    const joined = await cover(P3, sameSpace)
    expect((await sharp(joined).metadata()).icc).toHaveLength(P3_WRITTEN_BYTES)
    const off = difference(await half(joined, SIDE), await shown(await png(sameSpace)))
    expect(off.mean).toBeLessThanOrEqual(0.1)
    // A channel that is almost dark in sRGB, of a colour at the edge of its gamut.
    expect(off.most).toBeLessThanOrEqual(4)
  })

  test.each([
    ['colorants', profile([...computed(0.002), ...curves(SRGB_CURVE)])],
    ['curves', profile([...P3_COLORANTS, ...curves(parametric(0, 2.2))])],
    ['one of three curves', profile([...P3_COLORANTS, ...curves(SRGB_CURVE, SRGB_CURVE, parametric(0, 2.2))])],
  ])('and differ in %s has none', async (_, icc) => {
    expect((await sharp(await cover(P3, icc)).metadata()).icc).toBeUndefined()
  })
})

/** A colour within sRGB for all of these profiles, which WebP almost keeps. */
const RED = Buffer.from(Array.from({ length: SIDE * SIDE }, () => [200, 100, 60]).flat())
const P3_RED = await png(P3, RED)

/** Returns the thumbnail of an image of this profile, and the distance of its colour from that of libvips. */
async function thumbnailOf(icc: Uint8Array) {
  const { bytes } = await makeThumbnail(await image(icc, RED), 200)
  return {
    bytes,
    ...(await sharp(bytes).metadata()),
    off: difference(await shown(bytes), await shown(await png(icc, RED))),
  }
}

describe('a thumbnail has no large profile', () => {
  test.each(MATRICES)('but a small one for the same colours: %s', async (_, icc) => {
    const { bytes, icc: small, off } = await thumbnailOf(icc)
    expect(small?.length).toBeGreaterThanOrEqual(P3_WRITTEN_BYTES)
    expect(bytes.length).toBeLessThan(2500)
    expect(off.most).toBeLessThanOrEqual(3)
  })

  test.each(TABLES)('it has colours of sRGB: %s', async (_, icc) => {
    const { icc: none, off } = await thumbnailOf(icc)
    expect(none).toBeUndefined()
    expect(off.most).toBeLessThanOrEqual(4)
  })

  test.each(BROKEN)('it is ignored: %s', async (_, icc) => {
    const { bytes, icc: none } = await thumbnailOf(icc)
    expect(none).toBeUndefined()
    expect(difference(await shown(bytes), RED).most).toBeLessThanOrEqual(3)
  })

  test('tables are in the file that replaces the upload, beside which the thumbnail is made', async () => {
    const [, icc = expect.fail('no profile')] = TABLES[0] ?? []
    // Noise, which makes a large file, above a colour.
    const noise = Buffer.from(Array.from({ length: 500 * 480 * 3 }, (_, i) => Math.imul(i + 7, 2654435761) >>> 24))
    const pixels = Buffer.concat([noise, ...Array.from({ length: 20 * 500 }, () => RED.subarray(0, 3))])
    const large = await image(icc, pixels, 500)
    const { candidate, thumbnail } = await makeFiles(large, { maxThumbnailSizePx: 20, candidate: true })
    const tables = (await sharp(candidate?.bytes).metadata()).icc
    expect(tables?.length, `of ${candidate?.bytes.length}`).toBeGreaterThan(4096)
    const end = async (file: Uint8Array) => (await shown(file)).subarray(-5 * 500 * 3)
    const off = difference(await end(candidate?.bytes ?? expect.fail('no candidate')), await end(large.bytes))
    expect(off.most).toBeLessThanOrEqual(4)
    expect((await sharp(thumbnail.bytes).metadata()).icc).toBeUndefined()
  })

  test('tables that would be most of the file are not in it', async () => {
    const [, icc = expect.fail('no profile')] = TABLES[0] ?? []
    const { candidate } = await makeFiles(await image(icc, RED), { maxThumbnailSizePx: 20, candidate: true })
    expect((await sharp(candidate?.bytes).metadata()).icc).toBeUndefined()
    expect(
      difference(await shown(candidate?.bytes ?? expect.fail('none')), await shown(await png(icc, RED))).most,
    ).toBeLessThanOrEqual(4)
  })
})

/** Returns a JPEG with a profile. */
function withProfile(file: Uint8Array, icc?: Uint8Array) {
  const body = icc && concat([textBytes('ICC_PROFILE\0'), Uint8Array.of(1, 1), icc])
  const segment = body ? concat([Uint8Array.of(0xff, 0xe2), bytesBE(body.length + 2, 2), body]) : new Uint8Array()
  const bytes = concat([file.subarray(0, 2), segment, file.subarray(2)])
  return { bytes, facts: probe(bytes) ?? expect.fail('no picture') }
}

describe('greys with a profile for grey', () => {
  const dark = profile([['kTRC', sampled(3 * 256)]], { colourSpace: 'GRAY' })
  const greys = Buffer.from(Array.from({ length: SIDE * SIDE }, (_, i) => (i % SIDE) * 4))
  const raw = { width: SIDE, height: SIDE, channels: 1 } as const

  test('are in a thumbnail as libvips shows them', async () => {
    const file = await sharp(greys, { raw }).toColourspace('b-w').jpeg({ quality: 95 }).toBuffer()
    const { bytes, facts } = withProfile(file, dark)
    const off = difference(
      await shown((await makeThumbnail({ bytes, facts }, 200)).bytes),
      await sharp(bytes).toColourspace('srgb').raw().toBuffer(),
    )
    expect(off.mean).toBeLessThanOrEqual(3)
  })

  test('of colours is ignored', async () => {
    const { bytes } = await makeThumbnail(await image(dark, RED), 200)
    expect((await sharp(bytes).metadata()).icc).toBeUndefined()
  })
})

describe('a JPEG of CMYK', () => {
  const PRESS = profile([['A2B0', lut16Inks(7)]], { colourSpace: 'CMYK', pcs: 'Lab ', version: 2 })

  /** Returns a JPEG of noise by libvips' press, with the profile of another, or none. */
  async function jpeg(icc?: Uint8Array) {
    const colours = sharp(COLOURS, { raw: { width: SIDE, height: SIDE, channels: 3 } }).toColourspace('cmyk')
    return withProfile(await colours.jpeg({ quality: 95, chromaSubsampling: '4:4:4' }).toBuffer(), icc)
  }
  const pixelsOf = async (bytes: Uint8Array) => {
    const { rgba } = await codec.pixels(bytes)
    return rgba.filter((_, i) => i % 4 !== 3)
  }

  test('has the colours of its profile, as libvips shows them', async () => {
    const { bytes } = await jpeg(PRESS)
    const theirs = await sharp(bytes).toColourspace('srgb').raw().toBuffer()
    // Colours beyond sRGB are clipped differently.
    expect(difference(new Uint8Array(await pixelsOf(bytes)), theirs).mean).toBeLessThanOrEqual(2.5)
    const without = await pixelsOf((await jpeg()).bytes)
    expect(difference(new Uint8Array(without), theirs).mean).toBeGreaterThan(15)
  })

  test('has those that browsers show without one if its profile is broken, and in the next image', async () => {
    const expected = await pixelsOf((await jpeg()).bytes)
    expect(await pixelsOf((await jpeg(PRESS.subarray(0, 9000))).bytes)).toEqual(expected)
    await pixelsOf((await jpeg(PRESS)).bytes)
    expect(await pixelsOf((await jpeg()).bytes)).toEqual(expected)
  })
})

test('a PNG whose code points override its profile has none in its thumbnail', async () => {
  const file = await png(P3, RED)
  const bytes = concat([file.subarray(0, 33), pngChunk('cICP', Uint8Array.of(12, 13, 0, 1)), file.subarray(33)])
  const thumbnail = await makeThumbnail({ bytes, facts: probe(bytes) ?? expect.fail('no picture') }, 200)
  expect((await sharp(thumbnail.bytes).metadata()).icc).toBeUndefined()
  expect(difference(await shown(thumbnail.bytes), await shown(P3_RED)).most).toBeLessThanOrEqual(3)
})
