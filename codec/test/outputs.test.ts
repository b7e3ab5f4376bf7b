import sharp, { type Sharp } from 'sharp'
import { expect, test } from 'vitest'
import { photo } from '../../test/support/photo.ts'
import { passesOf } from '../src/pixels/webp-outputs.ts'
import { probe } from '../src/probe.ts'
import { codec } from './codec.ts'
import { psnr } from './psnr.ts'

/** Several WebPs of one decode. */

const [WIDTH, HEIGHT] = [403, 301]
const LARGE = { width: 300, height: 300, quality: 90 }
const SMALL = { width: 61, height: 61, quality: 90 }
const SMALLEST = { width: 20, height: 20, quality: 90 }

const opaque = () => sharp(photo(WIDTH, HEIGHT, 7), { raw: { width: WIDTH, height: HEIGHT, channels: 3 } })
/** The lower half lets the ground through by half. */
const seeThrough = () =>
  opaque().joinChannel(Buffer.alloc(WIDTH * HEIGHT, 255).fill(128, WIDTH * (HEIGHT >> 1)), {
    raw: { width: WIDTH, height: HEIGHT, channels: 1 },
  })

test.each<[string, () => Sharp]>([
  ['a JPEG', () => opaque().jpeg({ quality: 95 })],
  [
    'a progressive JPEG, on its side',
    () => opaque().jpeg({ quality: 95, progressive: true }).withMetadata({ orientation: 6 }),
  ],
  ['a mirrored JPEG', () => opaque().jpeg({ quality: 95 }).withMetadata({ orientation: 2 })],
  ['a grey JPEG', () => opaque().greyscale().jpeg({ quality: 95 })],
  ['a PNG with alpha', () => seeThrough().png()],
  ['an interlaced PNG with alpha', () => seeThrough().png({ progressive: true })],
  ['a WebP with alpha', () => seeThrough().webp({ quality: 95 })],
])('of %s all sizes are right, in the order wanted', async (_, make) => {
  const bytes = await make().toBuffer()
  const wanted = [SMALL, LARGE, SMALLEST]
  const files = await codec.outputs(bytes, wanted)
  expect(files).toHaveLength(wanted.length)
  for (const [i, { size, bytes: webp }] of files.entries()) {
    expect(Math.max(size.width, size.height)).toBe(wanted[i]?.width)
    expect(probe(webp)).toMatchObject({ format: 'webp', size })
    const { width, height } = size
    const expected = await sharp(bytes)
      .autoOrient()
      .resize(width, height, { fit: 'fill' })
      .ensureAlpha()
      .raw()
      .toBuffer()
    expect(psnr(await sharp(webp).ensureAlpha().raw().toBuffer(), expected), `${width} x ${height}`).toBeGreaterThan(29)
  }
  const [, largest] = files
  expect(await codec.resize(bytes, LARGE)).toEqual(largest)
})

test('a decode makes the largest, and the smallest that may be held', () => {
  const output = (width: number) => ({ size: { width, height: width }, quality: 80 })
  const [small, medium, large, larger] = [output(200), output(500), output(3000), output(3840)]
  expect(passesOf([small, larger])).toEqual([[larger, small]])
  expect(passesOf([large, small, larger, medium])).toEqual([[larger, small, medium], [large]])
  expect(passesOf(Array.from({ length: 9 }, () => small)).map((pass) => pass.length)).toEqual([8, 1])
})
