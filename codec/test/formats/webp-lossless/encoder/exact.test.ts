import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { below, pick, seededRandom } from '../../../../../test/support/random.ts'
import { COLOUR_COUNTS, noiseImage, paletteImage, photoImage, type TestImage } from '../decoder/made-images.ts'
import { CODINGS, triedCodings, webp } from './encoder.ts'

async function expectExact(image: TestImage, coding: number): Promise<Buffer> {
  const file = webp(image, coding)
  const { data, info } = await sharp(file).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  expect([info.width, info.height]).toEqual([image.width, image.height])
  expect(data.equals(image.rgba), 'other pixels').toBe(true)
  return file
}

/** Patches of a photo, of noise, of one colour, and copies of other places. */
async function collage(width: number, height: number, random: () => number): Promise<TestImage> {
  const { rgba } = await photoImage(width, height, below(1000, random) + 1, random() < 0.5)
  for (let n = 0; n < 12; n++) {
    const [x, y] = [below(width, random), below(height, random)]
    const [columns, rows] = [1 + below(width - x, random), 1 + below(Math.min(40, height - y), random)]
    const [fromX, fromY] = [below(width - columns + 1, random), below(height - rows + 1, random)]
    const colour = Buffer.from([below(256, random), below(256, random), below(256, random), below(256, random)])
    const kind = below(3, random)
    for (let i = 0; i < rows * columns; i++) {
      const [column, row] = [i % columns, Math.floor(i / columns)]
      const from = 4 * ((fromY + row) * width + fromX + column)
      if (kind === 2) colour[i & 3] = i * 37
      const pixel = kind === 1 ? rgba.subarray(from, from + 4) : colour
      rgba.set(pixel, 4 * ((y + row) * width + x + column))
    }
  }
  return { width, height, rgba }
}

describe('the very pixels come back', () => {
  test.for(Object.entries(CODINGS))('of images of every number of colours: %s', async ([name, coding]) => {
    for (const colours of COLOUR_COUNTS) {
      if (name === 'indexed' && colours > 256) continue
      await expectExact(paletteImage(67, 41, colours, colours), coding)
    }
  })

  test.for(Object.entries(CODINGS))('of images as small as one pixel, or one row or column: %s', async ([, coding]) => {
    for (const [width, height] of [
      [1, 1],
      [2, 1],
      [1, 2],
      [5, 4],
      [16, 17],
      [1, 333],
      [333, 1],
    ] as const) {
      await expectExact(paletteImage(width, height, 5, width), coding)
      if (coding !== CODINGS.indexed) await expectExact(noiseImage(width, height, height), coding)
    }
  })

  const seed = Number(process.env.TINTYPE_SEED ?? 7)
  test(`of collages, seed ${seed}`, async () => {
    const random = seededRandom(seed)
    for (let n = 0; n < 12; n++) {
      const image = await collage(1 + below(150, random), 1 + below(150, random), random)
      await expectExact(
        image,
        pick([CODINGS.direct, CODINGS.lessGreen, CODINGS.predictedLessGreen, CODINGS.predicted], random),
      )
    }
  })

  test('of one in two bands, which has more tiles than one holds', async () => {
    await expectExact(paletteImage(260, 264, 300, 3), CODINGS.direct)
  })
})

test('one of text takes at most a tenth more bytes than by libwebp at effort 4', async () => {
  const words = Array.from(
    { length: 24 },
    (_, i) => `<text y="${14 * i + 12}">${'The quick brown fox '.repeat(3)}${i}</text>`,
  )
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="480" height="340"><rect width="480" height="340" fill="#fff"/>${words.join('')}</svg>`
  const { data } = await sharp(Buffer.from(svg)).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  const raw = { width: 480, height: 340, channels: 4 } as const
  const theirs = await sharp(data, { raw }).webp({ lossless: true, effort: 4 }).toBuffer()
  const ours = await Promise.all([0, 3].map((coding) => expectExact({ ...raw, rgba: data }, coding)))
  expect(Math.min(...ours.map((file) => file.length)) / theirs.length).toBeLessThan(1.1)
})

test('one of patterns that repeat with plain gaps between takes no more bytes than by libwebp at effort 4', async () => {
  const [width, height, period, gap] = [250, 80, 60, 42] as const
  const image = { width, height, rgba: Buffer.alloc(4 * width * height, 0xff) }
  const random = seededRandom(5)
  for (let y = 4; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = 4 * (y * width + x)
      if (x < period && x >= gap) image.rgba[at] = 10 * below(20, random)
      else if (x >= period) image.rgba.copyWithin(at, at - 4 * period, at - 4 * period + 4)
    }
  }
  const raw = { width, height, channels: 4 } as const
  const theirs = await sharp(image.rgba, { raw }).webp({ lossless: true, effort: 4 }).toBuffer()
  const ours = await expectExact(image, CODINGS.indexed)
  expect(ours.length / theirs.length).toBeLessThan(1)
})

test('a black one takes 14 bytes and the head of a WebP', async () => {
  const image = { width: 700, height: 400, rgba: Buffer.alloc(4 * 700 * 400, Buffer.from([0, 0, 0, 255])) }
  expect((await expectExact(image, CODINGS.indexed)).length).toBe(20 + 14)
})

/** Noise of 8 colours: the survey expects copies of pixels, but no copy is shorter than they are. */
function noiseOfFewColours(width: number, height: number): TestImage {
  const random = seededRandom(7)
  const rgba = Buffer.alloc(4 * width * height, 255)
  for (let i = 0; i < width * height; i++) rgba.fill(25 * below(8, random), 4 * i + 1, 4 * i + 2)
  return { width, height, rgba }
}

describe('the tried codings', () => {
  test('are also those that promise at most 0.4 of what the last took', () => {
    expect(triedCodings(noiseOfFewColours(200, 200))).toEqual([CODINGS.indexed, CODINGS.direct, CODINGS.lessGreen])
  })

  test('are not those in images of more than 262,144 pixels', () => {
    expect(triedCodings(noiseOfFewColours(520, 505))).toEqual([CODINGS.indexed])
  })
})

test('one of a smooth wave is also tried predicted in large blocks, and takes at most 0.6 of the bytes', async () => {
  const [width, height] = [200, 200] as const
  const rgba = Buffer.alloc(4 * width * height, 255)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const wave = Math.cos((Math.PI * (2 * x + 1)) / width) * Math.cos((Math.PI * (2 * y + 1)) / height)
      rgba.fill(Math.round(127.5 + 127.5 * wave), 4 * (y * width + x), 4 * (y * width + x) + 3)
    }
  }
  const image = { width, height, rgba }
  expect(triedCodings(image)).toEqual([CODINGS.predictedLessGreen, CODINGS.coarselyPredicted])
  const small = await expectExact(image, CODINGS.predictedLessGreen)
  const large = await expectExact(image, CODINGS.coarselyPredicted)
  expect(large.length / small.length).toBeLessThan(0.6)
})
