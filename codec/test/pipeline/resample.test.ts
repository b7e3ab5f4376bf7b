import sharp from 'sharp'
import { expect, test } from 'vitest'
import { Status } from '../../assembly/status.ts'
import { photo, psnr } from '../formats/jpeg/decoder/images.ts'
import { type Arena, newInstance } from '../instance.ts'

interface Sink extends Arena {
  toImage(width: number, height: number, orientation: number): void
  image(): number
  toGatheredRows(width: number, height: number): number
  feedPlanes(colour: number, rows: number, width: number, height: number, given: number): number
  feedPixels(
    colour: number,
    pixels: number,
    width: number,
    height: number,
    given: number,
    samples: number,
    reversed: boolean,
  ): number
}

const GRAY = 0
const RGB = 4
const RGBA = 5
const PLANES = { [GRAY]: 1, [RGB]: 3, [RGBA]: 4 }
const sink = newInstance<Sink>()

interface Input {
  colour: keyof typeof PLANES
  width: number
  height: number
  /** Pixels, all samples of each together; alpha kinds already multiplied. */
  bytes: Uint8Array
}

function resize(
  input: Input,
  width: number,
  height: number,
  { given = input.height, byRows = false } = {},
): Uint8Array {
  const planes = PLANES[input.colour]
  sink.reset()
  const at = sink.allocate(input.bytes.length + 16)
  const rows = new Uint8Array(sink.memory.buffer, at, input.bytes.length)
  input.bytes.forEach((byte, i) => {
    const pixel = Math.floor(i / planes)
    const y = Math.floor(pixel / input.width)
    rows[(y * planes + (i % planes)) * input.width + (pixel % input.width)] = byte
  })
  let result = 0
  if (byRows) result = sink.toGatheredRows(width, height)
  else sink.toImage(width, height, 1)
  expect(sink.feedPlanes(input.colour, at, input.width, input.height, given)).toBe(Status.Ok)
  return new Uint8Array(sink.memory.buffer, byRows ? result : sink.image(), width * height * 4).slice()
}

const image = { ...photo(600, 401, 12), colour: RGB } as const

for (const [width, height] of [
  [600, 401],
  [599, 400],
  [450, 300],
  [300, 200],
  [299, 201],
  [150, 100],
  [100, 67],
  [41, 27],
  [7, 5],
  [1, 1],
  [600, 3],
  [3, 401],
] as const) {
  test(`600 x 401 to ${width} x ${height} is what libvips makes of it`, async () => {
    const { bytes } = image
    const ours = resize(image, width, height)
    const theirs = await sharp(bytes, { raw: image }).resize(width, height, { fit: 'fill' }).raw().toBuffer()
    const ratio = psnr(ours, 4, theirs, 3)
    expect(ratio, 'dB').toBeGreaterThanOrEqual(45)
  })
}

for (const [width, height, outWidth, outHeight] of [
  [60_000, 2, 200, 1],
  [2, 60_000, 1, 200],
  [30_000, 40, 500, 1],
] as const) {
  test(`the extreme ${width} x ${height} to ${outWidth} x ${outHeight}`, async () => {
    const { bytes } = photo(width, height, 13)
    const ours = resize({ colour: RGB, width, height, bytes }, outWidth, outHeight)
    const raw = { width, height, channels: 3 } as const
    const theirs = await sharp(bytes, { raw }).resize(outWidth, outHeight, { fit: 'fill' }).raw().toBuffer()
    const ratio = psnr(ours, 4, theirs, 3)
    expect(ratio, 'dB').toBeGreaterThanOrEqual(40)
  })
}

test('the same size is the same image', () => {
  expect(psnr(resize(image, 600, 401), 4, image.bytes, 3)).toBe(Number.POSITIVE_INFINITY)
})

for (const level of [0, 1, 127, 254, 255]) {
  test(`a flat image of ${level} stays flat at every size`, () => {
    const bytes = new Uint8Array(97 * 61).fill(level)
    for (let width = 1; width <= 97; width += 3) {
      const resized = resize({ colour: GRAY, width: 97, height: 61, bytes }, width, Math.ceil(width / 2))
      expect(resized.every((byte, i) => byte === (i % 4 === 3 ? 255 : level))).toBe(true)
    }
  })
}

for (const [width, height] of [
  [600, 401],
  [200, 133],
  [90, 60],
] as const) {
  test(`rows that do not come repeat the last one, at ${width} x ${height}`, () => {
    // A multiple of every box, so that none is half full.
    const given = 240
    const repeated = image.bytes.slice()
    for (let y = given; y < image.height; y++) repeated.copyWithin(y * 1800, (given - 1) * 1800, given * 1800)
    const ratio = psnr(
      resize(image, width, height, { given }),
      4,
      resize({ ...image, bytes: repeated }, width, height),
      4,
    )
    expect(ratio, 'dB').toBeGreaterThanOrEqual(40)
  })
}

test('no row at all is an image too', () => {
  expect(resize(image, 20, 13, { given: 0 }).length).toBe(20 * 13 * 4)
})

test('rows are those of the image', () => {
  expect(resize(image, 333, 222, { byRows: true })).toStrictEqual(resize(image, 333, 222))
})

for (const { colour, samples, reversed } of [
  { colour: RGB, samples: 3, reversed: false },
  { colour: RGB, samples: 4, reversed: true },
  { colour: RGBA, samples: 4, reversed: false },
] as const) {
  test(`rows of pixels of ${samples} samples${reversed ? ', blue first,' : ''} become what their planes become`, () => {
    const { width, height } = image
    const planes = PLANES[colour]
    const bytes = photo(width, Math.ceil((height * planes) / 3), 14).bytes.subarray(0, width * height * planes)
    const pixels = new Uint8Array(width * height * samples).fill(99)
    bytes.forEach((byte, i) => {
      const sample = i % planes
      pixels[Math.floor(i / planes) * samples + (reversed ? 2 - sample : sample)] = byte
    })
    for (const [columns, rows] of [
      [600, 401],
      [200, 133],
      [90, 60],
      [7, 5],
    ] as const) {
      const expected = resize({ colour, width, height, bytes }, columns, rows)
      sink.reset()
      const at = sink.allocate(pixels.length + 64)
      new Uint8Array(sink.memory.buffer).set(pixels, at)
      sink.toImage(columns, rows, 1)
      expect(sink.feedPixels(colour, at, width, height, height, samples, reversed)).toBe(Status.Ok)
      expect(Buffer.from(sink.memory.buffer, sink.image(), columns * rows * 4).equals(expected)).toBe(true)
    }
  })
}

test('alpha is divided out, and what cannot be seen has no colour', async () => {
  const [width, height] = [240, 160]
  const { bytes: colours } = photo(width, height, 21)
  const { bytes: alphas } = photo(width, height, 22)
  const straight = new Uint8Array(width * height * 4)
  const bytes = new Uint8Array(width * height * 4)
  for (let i = 0; i < width * height; i++) {
    const alpha = Math.max(0, Math.min(255, ((alphas[i * 3] ?? 0) - 100) * 5))
    for (let c = 0; c < 3; c++) {
      straight[i * 4 + c] = colours[i * 3 + c] ?? 0
      bytes[i * 4 + c] = Math.round(((colours[i * 3 + c] ?? 0) * alpha) / 255)
    }
    straight[i * 4 + 3] = bytes[i * 4 + 3] = alpha
  }
  const ours = resize({ colour: RGBA, width, height, bytes }, 80, 53)
  const theirs = await sharp(straight, { raw: { width, height, channels: 4 } })
    .resize(80, 53, { fit: 'fill' })
    .raw()
    .toBuffer()
  expect(psnr(onBlack(ours), 3, onBlack(theirs), 3)).toBeGreaterThanOrEqual(40)
  expect(ours.every((byte, i) => i % 4 === 3 || byte === 0 || ours[i | 3] !== 0)).toBe(true)
})

function onBlack(rgba: Uint8Array): Uint8Array {
  return Uint8Array.from({ length: (rgba.length / 4) * 3 }, (_, i) => {
    const pixel = Math.floor(i / 3) * 4
    return Math.round(((rgba[pixel + (i % 3)] ?? 0) * (rgba[pixel + 3] ?? 0)) / 255)
  })
}
