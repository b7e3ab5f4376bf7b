import { readFileSync } from 'node:fs'
import path from 'node:path'
import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { bytesBE, concat, textBytes } from 'tintype-codec/bytes'
import { PNG_SIGNATURE, pngChunk, pngChunks } from 'tintype-codec/container/png-chunks'
import { isFaithfulAsWebp, probe } from 'tintype-codec/interface'
import { describe, expect, test } from 'vitest'
import { codec } from '../../src/image/codec.ts'
import { optimized } from './optimized.ts'

/** Kinds of files that were once shown wrongly, or rejected although browsers show them. */

const FIXTURES = path.join(import.meta.dirname, '../fixtures')

/** Returns the colour at a position of an image, by default in the middle. */
async function colourOf(bytes: Uint8Array, x = 0.5, y = 0.5): Promise<number[]> {
  const { width, height, rgba } = await codec.pixels(bytes)
  const at = (Math.floor(y * height) * width + Math.floor(x * width)) * 4
  return [...rgba.subarray(at, at + 4)]
}

function expectClose(actual: readonly number[], expected: readonly number[], levels = 2): void {
  for (const [i, value] of expected.entries())
    expect(Math.abs((actual[i] ?? -99) - value), `${actual}`).toBeLessThanOrEqual(levels)
}

/** Returns a PNG of RGB, 8 bits a sample, with these chunks before its pixels. */
function png(width: number, height: number, colour: readonly number[], ...chunks: readonly Uint8Array[]): Uint8Array {
  const row = [0, ...Array.from({ length: width }, () => colour).flat()]
  const rows = Uint8Array.from({ length: height * row.length }, (_, i) => row[i % row.length] ?? 0)
  const header = concat([bytesBE(width, 4), bytesBE(height, 4), Uint8Array.of(8, 2, 0, 0, 0)])
  const pixels = pngChunk('IDAT', deflateSync(rows))
  return concat([textBytes(PNG_SIGNATURE), pngChunk('IHDR', header), ...chunks, pixels, pngChunk('IEND')])
}

describe('the colours in chunks of a PNG', () => {
  const gAMA = (gamma: number) => pngChunk('gAMA', bytesBE(gamma * 100_000, 4))
  const cHRM = (...xy: number[]) => pngChunk('cHRM', concat(xy.map((value) => bytesBE(Math.round(value * 100_000), 4))))
  const cICP = (...points: number[]) => pngChunk('cICP', Uint8Array.from(points))
  const SWAPPED = cHRM(0.3127, 0.329, 0.3, 0.6, 0.64, 0.33, 0.15, 0.06)
  const SRGB = cHRM(0.3127, 0.329, 0.64, 0.33, 0.3, 0.6, 0.15, 0.06)

  test.each<[string, readonly number[], Uint8Array[], readonly number[], boolean]>([
    ['a gamma of one: linear light', [128, 128, 128], [gAMA(1)], [188, 188, 188, 255], false],
    ['the gamma of sRGB: as it is', [128, 60, 9], [gAMA(0.45455)], [128, 60, 9, 255], true],
    ['primaries of red and green swapped', [255, 0, 0], [gAMA(0.45455), SWAPPED], [0, 255, 0, 255], false],
    ['the primaries of sRGB: its gamma is exact', [200, 100, 50], [gAMA(0.45455), SRGB], [201, 100, 46, 255], true],
    ['primaries without a gamma: ignored', [255, 0, 0], [SWAPPED], [255, 0, 0, 255], true],
    ['P3 by code points', [200, 100, 100], [cICP(12, 13, 0, 1)], [214, 93, 97, 255], false],
    ['BT.709 by code points: as displays show it', [128, 64, 32], [cICP(1, 1, 0, 1)], [121, 54, 20, 255], false],
    [
      'sRGB counts more than gamma',
      [128, 128, 128],
      [pngChunk('sRGB', Uint8Array.of(0)), gAMA(1)],
      [128, 128, 128, 255],
      true,
    ],
  ])('%s', async (_, colour, chunks, expected, isFaithful) => {
    const bytes = png(8, 8, colour, ...chunks)
    expectClose(await colourOf(bytes), expected)
    const facts = probe(bytes) ?? expect.fail('no PNG')
    expect(await isFaithfulAsWebp({ bytes, facts })).toBe(isFaithful)
  })

  test('such a PNG is stored unchanged when it is optimized', async () => {
    const bytes = png(64, 64, [255, 0, 0], gAMA(1))
    const facts = probe(bytes) ?? expect.fail('no PNG')
    const { stored, optimization } = await optimized({ bytes, facts })
    expect([stored.format, optimization.reason]).toEqual(['png', 'metadata_only'])
  })

  test('such a PNG loses what follows the pixels in their chunk', async () => {
    const plain = Buffer.from(png(64, 64, [255, 0, 0], gAMA(1)))
    const pixels = plain.indexOf('IDAT') + 4
    const stream = plain.subarray(pixels, pixels + plain.readUInt32BE(pixels - 8))
    const secret = pngChunk('IDAT', Buffer.concat([stream, Buffer.from('SECRET')]))
    const bytes = Buffer.concat([plain.subarray(0, pixels - 8), secret, plain.subarray(pixels + stream.length + 4)])
    const facts = probe(bytes) ?? expect.fail('no PNG')
    const { stored, optimization } = await optimized({ bytes, facts })
    expect(Buffer.from(stored.bytes).equals(plain)).toBe(true)
    expect(optimization).toMatchObject({ reason: 'metadata_only', applied: true })
  })
})

describe('a PNG', () => {
  test('that is truncated within its pixels is shown as far as possible, and then transparent', async () => {
    const noise = {
      create: {
        width: 64,
        height: 64,
        channels: 3,
        background: 'red',
        noise: { type: 'gaussian', mean: 128, sigma: 30 },
      },
    } as const
    const whole = new Uint8Array(await sharp(noise).png().toBuffer())
    const bytes = whole.subarray(0, Math.round(whole.length * 0.6))
    expect(probe(bytes)).toMatchObject({ format: 'png', alpha: true })
    const [ours, theirs] = [await codec.pixels(bytes), await codec.pixels(whole)]
    expect(ours.rgba.subarray(0, 64 * 4 * 20)).toEqual(theirs.rgba.subarray(0, 64 * 4 * 20))
    expect([...ours.rgba.subarray(-4)]).toEqual([0, 0, 0, 0])
    expect((await codec.thumbnail(bytes, { width: 20, height: 20 })).size).toEqual({ width: 20, height: 20 })
  })

  test.each([0, 1, 2])('whose IDAT has a wrong checksum, in byte %i from its end, is rejected', async (from) => {
    const bytes = new Uint8Array(png(400, 300, [9, 8, 7]))
    const at = bytes.length - 13 - from
    bytes[at] = (bytes[at] ?? 0) ^ 1
    await expect(codec.pixels(bytes)).rejects.toThrow('its IDAT chunk is damaged')
  })

  test('of one frame with a hidden default image shows that frame', async () => {
    const [shown, hidden] = [png(4, 4, [0, 0, 255]), png(4, 4, [255, 0, 0])]
    const idat = [...pngChunks(shown)].find(({ type }) => type === 'IDAT') ?? expect.fail('no IDAT')
    const data = shown.subarray(idat.body, idat.bodyEnd)
    const acTL = pngChunk('acTL', concat([bytesBE(1, 4), bytesBE(0, 4)]))
    const location = concat([0, 4, 4, 0, 0].map((value) => bytesBE(value, 4)))
    const fcTL = pngChunk('fcTL', concat([location, bytesBE(1, 2), bytesBE(1, 2), Uint8Array.of(0, 0)]))
    const fdAT = pngChunk('fdAT', concat([bytesBE(1, 4), data]))
    const [header, pixels] = [hidden.subarray(0, 33), hidden.subarray(33, -12)]
    const bytes = concat([header, acTL, pixels, fcTL, fdAT, pngChunk('IEND')])
    expectClose(await colourOf(bytes), [0, 0, 255, 255])
  })
})

describe('a GIF', () => {
  const gif = async () => {
    const raw = Buffer.alloc(64 * 64 * 3, 200)
    for (let i = 0; i < raw.length; i += 7) raw[i] = i % 256
    return new Uint8Array(
      await sharp(raw, { raw: { width: 64, height: 64, channels: 3 } })
        .gif()
        .toBuffer(),
    )
  }

  test('that is truncated is transparent from there on, not black', async () => {
    const whole = await gif()
    const bytes = whole.subarray(0, Math.round(whole.length * 0.7))
    expect(probe(bytes)).toMatchObject({ alpha: true })
    const { rgba } = await codec.pixels(bytes)
    expect([...rgba.subarray(-4)]).toEqual([0, 0, 0, 0])
    expect(rgba[3]).toBe(255)
  })

  test('whose first frame reaches beyond its canvas enlarges it', async () => {
    const bytes = (await gif()).slice()
    bytes.set([40, 0, 50, 0], 6)
    expect(probe(bytes)).toMatchObject({ size: { width: 64, height: 64 } })
    expect((await codec.thumbnail(bytes, { width: 200, height: 200 })).size).toEqual({ width: 64, height: 64 })
  })
})

describe('a JPEG', () => {
  const jpeg = async () =>
    new Uint8Array(
      await sharp({ create: { width: 48, height: 40, channels: 3, background: '#c84' } })
        .jpeg({ optimiseCoding: false })
        .toBuffer(),
    )

  test('without Huffman tables has those of annex K, as Motion JPEG does', async () => {
    const whole = await jpeg()
    const bytes = withoutSegments(whole, 0xc4)
    expect(bytes.length).toBeLessThan(whole.length - 400)
    expect(await codec.pixels(bytes)).toEqual(await codec.pixels(whole))
  })

  test.each([0, 1])('with a comment of length %i is read as if it were not there', async (length) => {
    const whole = await jpeg()
    const bytes = concat([whole.subarray(0, 2), Uint8Array.of(0xff, 0xfe, 0, length), whole.subarray(2)])
    expect(await codec.pixels(bytes)).toEqual(await codec.pixels(whole))
  })

  test('of CMYK with a profile is stored unchanged when it is optimized', async () => {
    const made = sharp({ create: { width: 64, height: 64, channels: 3, background: '#c84' } }).toColourspace('cmyk')
    const bytes = new Uint8Array(await made.withIccProfile('cmyk').jpeg().toBuffer())
    const facts = probe(bytes) ?? expect.fail('no JPEG')
    expect((await optimized({ bytes, facts })).optimization.reason).toBe('metadata_only')
  })
})

describe('a WebP', () => {
  const file = () => new Uint8Array(readFileSync(path.join(FIXTURES, 'valid/webp/lossy.webp')))

  test.each<[string, (bytes: Uint8Array) => Uint8Array]>([
    ['whose RIFF size exceeds the file', (bytes) => bytes.with(4, (bytes[4] ?? 0) ^ 0x40).with(5, 0xff)],
    ['whose last chunk is cut', (bytes) => bytes.subarray(0, -8)],
  ])('%s is rejected', (_, change) => {
    expect(probe(file())).toMatchObject({ format: 'webp' })
    expect(() => probe(change(file()))).toThrow('the WebP is cut short')
  })
})

function withoutSegments(bytes: Uint8Array, marker: number): Uint8Array {
  const segments: Uint8Array[] = [bytes.subarray(0, 2)]
  for (let at = 2; ; ) {
    const end = at + 2 + (bytes[at + 2] ?? 0) * 256 + (bytes[at + 3] ?? 0)
    if (bytes[at + 1] === 0xda) return concat([...segments, bytes.subarray(at)])
    if (bytes[at + 1] !== marker) segments.push(bytes.subarray(at, end))
    at = end
  }
}
