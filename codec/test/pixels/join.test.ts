import sharp from 'sharp'
import { expect, test } from 'vitest'
import module from '../../generated/codec.wasm'
import { createCores } from '../../src/pixels/cores.ts'
import { join } from '../../src/pixels/join.ts'
import { psnr } from '../psnr.ts'
import { encode, goldenCover, pixelsOf } from './join/golden.ts'
import { made, type Wish } from './join/made.ts'
import { joined, sized } from './join/side-by-side.ts'

const cores = createCores(() => module)

const jpeg: Wish = { width: 480, height: 360, seed: 2 }
const other: Wish = { width: 333, height: 221, seed: 3 }
const small: Wish = { width: 167, height: 111, seed: 3 }

/** Pairs that become a JPEG. */
const OPAQUE: [string, Wish, Wish][] = [
  ['two JPEGs of one size', jpeg, { ...jpeg, seed: 4 }],
  ['a higher and a lower one', { width: 900, height: 701 }, other],
  ['a lower and a much higher one', { width: 400, height: 60 }, { width: 300, height: 1400 }],
  ['a progressive JPEG', { ...other, options: { progressive: true } }, jpeg],
  ['full chroma', { ...jpeg, options: { chromaSubsampling: '4:4:4' } }, other],
  ['a grey JPEG', jpeg, { ...other, grey: true }],
  ['PNG and lossy WebP', { ...jpeg, format: 'png' }, { ...other, format: 'webp' }],
  ['an interlaced PNG', { ...other, format: 'png', options: { progressive: true } }, jpeg],
  ['lossless WebP', jpeg, { ...other, format: 'webp', options: { lossless: true } }],
  ['a GIF', { ...other, format: 'gif' }, jpeg],
  ['an AVIF', { ...other, format: 'avif' }, jpeg],
  ['two AVIFs', { ...other, format: 'avif' }, { ...jpeg, format: 'avif', options: { chromaSubsampling: '4:2:0' } }],
]

for (const [name, left, right] of OPAQUE) {
  test(`${name}: the JPEG is that of sharp, to 40 dB and 10 % of its bytes`, async () => {
    const files = [await made(left), await made(right)] as const
    const cover = await joined(...files)
    const golden = await goldenCover(...files)
    const theirs = await encode(golden, 'jpeg')
    const [ours, reference] = [await pixelsOf(cover), await pixelsOf(theirs)]
    expect([ours.width, ours.height]).toEqual([golden.width, golden.height])
    const decibels = psnr(ours.rgba, reference.rgba)
    expect(decibels, 'dB').toBeGreaterThanOrEqual(40)
    const ratio = cover.length / theirs.length
    expect(Math.abs(ratio - 1), `${ratio.toFixed(3)} of the bytes of sharp, off by`).toBeLessThanOrEqual(0.1)
  })
}

for (const orientation of [2, 3, 4, 5, 6, 7, 8]) {
  for (const format of ['jpeg', 'png'] as const) {
    test(`an image of orientation ${orientation} is upright in a ${format}`, async () => {
      const files = [await made({ width: 151, height: 203, orientation }), await made(small)] as const
      const golden = await goldenCover(...files)
      const ours = await pixelsOf(await joined(...files, format))
      const reference = await pixelsOf(await encode(golden, format))
      expect([ours.width, ours.height]).toEqual([golden.width, golden.height])
      const decibels = psnr(ours.rgba, reference.rgba)
      expect(decibels, 'dB').toBeGreaterThanOrEqual(40)
    })
  }
}

/** Pairs that become a PNG, scaled or not. */
const SEE_THROUGH: [string, Wish, Wish][] = [
  ['PNG', { ...other, format: 'png', alpha: true }, { ...jpeg, height: 221 }],
  ['a palette with alpha', { ...other, format: 'png', alpha: true, options: { palette: true } }, { ...other, seed: 9 }],
  ['GIF', { ...other, format: 'gif', alpha: true }, { ...other, format: 'png', alpha: true }],
  ['lossless WebP', { ...other, format: 'webp', alpha: true, options: { lossless: true, exact: true } }, other],
  ['lossy WebP', other, { ...other, format: 'webp', alpha: true }],
  ['AVIF', { ...other, format: 'avif', alpha: true }, { ...other, format: 'avif', alpha: true, seed: 9 }],
]

for (const [name, left, right] of SEE_THROUGH) {
  test(`the alpha of ${name} is exactly kept, the colours to 40 dB`, async () => {
    const files = [await made(left), await made(right)] as const
    const golden = await goldenCover(...files)
    const ours = await pixelsOf(await joined(...files, 'png'))
    expect(alphaOf(ours.rgba)).toStrictEqual(alphaOf(golden.rgba))
    const decibels = psnr(ours.rgba, golden.rgba)
    expect(decibels, 'dB').toBeGreaterThanOrEqual(40)
  })
}

test('alpha that is scaled down is that of sharp to 40 dB', async () => {
  const files = [await made({ width: 701, height: 900, format: 'png', alpha: true }), await made(other)] as const
  const golden = await goldenCover(...files)
  const decibels = psnr((await pixelsOf(await joined(...files, 'png'))).rgba, golden.rgba)
  expect(decibels, 'dB').toBeGreaterThanOrEqual(40)
})

const SIZES: [number, number][] = [
  [1, 1],
  [1, 2],
  [15, 17],
  [16, 16],
  [33, 31],
  [1, 300],
  [300, 1],
]
for (const format of ['jpeg', 'png'] as const) {
  for (const [width, height] of SIZES) {
    test(`${width} x ${height} joins with any other size as ${format}`, async () => {
      for (const [otherWidth, otherHeight] of SIZES) {
        const left = await made({ width, height, format: 'png' })
        const right = await made({ width: otherWidth, height: otherHeight, format: 'png', seed: 5 })
        const golden = await goldenCover(left, right)
        const cover = await joined(left, right, format)
        const ours = await pixelsOf(cover)
        await sharp(cover, { failOn: 'warning' }).stats()
        expect([ours.width, ours.height]).toEqual([golden.width, golden.height])
        // Grain of single pixels is what 4:2:0 leaves out: the yardstick loses it too.
        const decibels = psnr(ours.rgba, (await pixelsOf(await encode(golden, format))).rgba)
        expect(decibels, `dB with ${otherWidth} x ${otherHeight}`).toBeGreaterThanOrEqual(32)
      }
    })
  }
}

test('noise, flat colour and text-like edges survive the JPEG as they do in sharp', async () => {
  const size = 256
  const noise = Buffer.from(Array.from({ length: size * size * 3 }, (_, i) => Math.imul(i + 7, 2654435761) >>> 24))
  const edges = Buffer.from(Array.from({ length: size * size * 3 }, (_, i) => (Math.floor(i / 3) % 7 < 2 ? 0 : 255)))
  const flat = Buffer.alloc(size * size * 3, 201)
  const files = await Promise.all(
    [noise, edges, flat].map(async (raw) => {
      const file = sharp(raw, { raw: { width: size, height: size, channels: 3 } }).png()
      return new Uint8Array(await file.toBuffer())
    }),
  )
  for (const left of files) {
    for (const right of files) {
      const golden = await goldenCover(left, right)
      const theirs = await encode(golden, 'jpeg')
      const cover = await joined(left, right)
      const [ours, reference] = [await pixelsOf(cover), await pixelsOf(theirs)]
      const loss = psnr(reference.rgba, golden.rgba) - psnr(ours.rgba, golden.rgba)
      expect(loss < 0.5 || psnr(ours.rgba, golden.rgba) > 50, `${loss.toFixed(2)} dB less than sharp`).toBe(true)
      expect(cover.length, 'bytes').toBeLessThanOrEqual(theirs.length * 1.1)
    }
  }
})

test('pixels that were decoded elsewhere take the place of a decoder', async () => {
  const file = await made({ ...other, format: 'png', alpha: true })
  const right = { ...sized(await made(jpeg), other.height), whole: undefined }
  const left = sized(file, other.height)
  const { rgba, ...size } = await pixelsOf(file)
  const whole = { ...size, rgba: new Uint8ClampedArray(rgba) }
  const cover = await join(cores, { ...left, whole }, right, 'png', undefined)
  expect(cover).toStrictEqual(await join(cores, { ...left, whole: undefined }, right, 'png', undefined))
})

test('the next cover has the same bytes', async () => {
  const files = [await made(jpeg), await made(other)] as const
  const before = await joined(...files)
  await joined(...files, 'png')
  expect(await joined(...files)).toStrictEqual(before)
  expect(await joined(...files)).toStrictEqual(before)
})

for (const format of ['jpeg', 'png'] as const) {
  test(`a colour profile goes into the ${format}, however long`, async () => {
    const { icc = expect.fail('no ICC profile') } = await sharp(await made(jpeg))
      .withIccProfile('p3')
      .toBuffer()
      .then((file) => sharp(file).metadata())
    const long = Buffer.concat([icc, Buffer.alloc(150_000)])
    // Its first field is its length.
    long.writeUInt32BE(long.length)
    const left = { ...sized(await made(jpeg), other.height), whole: undefined }
    const right = { ...sized(await made(other), other.height), whole: undefined }
    for (const profile of [new Uint8Array(icc), new Uint8Array(long)]) {
      const cover = await join(cores, left, right, format, profile)
      const read = await sharp(cover).metadata()
      expect(new Uint8Array(read.icc ?? [])).toStrictEqual(profile)
      await sharp(cover, { failOn: 'warning' }).stats()
    }
  })
}

function alphaOf(rgba: Buffer): Buffer {
  return Buffer.from(Array.from({ length: rgba.length / 4 }, (_, i) => rgba[i * 4 + 3] ?? 0))
}
