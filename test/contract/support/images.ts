import sharp, { type Sharp } from 'sharp'
import { below, seededRandom } from '../../support/random.ts'

/** RGB or RGBA pixels, row by row. */
export interface Pixels {
  data: Buffer
  width: number
  height: number
  channels: 3 | 4
}

/** Returns an image of one colour; four components make it RGBA. */
export function plain(width: number, height: number, colour: readonly number[]): Pixels {
  const pixel = Buffer.from(colour)
  return {
    data: Buffer.alloc(width * height * pixel.length, pixel),
    width,
    height,
    channels: pixel.length === 4 ? 4 : 3,
  }
}

/**
 * Returns an image whose quarters differ, so that every rotation or mirroring changes it: red, green above blue, white.
 */
export function quarters(width: number, height: number): Pixels {
  const [red, green, blue, white] = [
    [255, 0, 0],
    [0, 255, 0],
    [0, 0, 255],
    [255, 255, 255],
  ].map((c) => Buffer.from(c))
  const half = (left: Buffer | undefined, right: Buffer | undefined) =>
    Buffer.concat(Array.from({ length: width }, (_, x) => (x < width / 2 ? left : right) ?? Buffer.alloc(3)))
  const [upper, lower] = [half(red, green), half(blue, white)]
  return {
    data: Buffer.concat(Array.from({ length: height }, (_, y) => (y < height / 2 ? upper : lower))),
    width,
    height,
    channels: 3,
  }
}

/** Returns a fine pattern, which is tiny as a PNG and hard for WebP. */
export function chequers(width: number, height: number): Pixels {
  const pixels = plain(width, height, [255, 255, 255])
  for (let at = 0; at < width * height; at++) {
    if ((at + Math.floor(at / width)) % 2 === 0) pixels.data.fill(0, at * 3, at * 3 + 3)
  }
  return pixels
}

/** Returns an image like a photograph: soft waves of light with grain, so that every codec has work to do. */
export function photo(width: number, height: number, grain = 24, seed = 1): Pixels {
  const random = seededRandom(seed)
  const data = Buffer.alloc(width * height * 3)
  const across = Float64Array.from({ length: width }, (_, x) => 70 * Math.sin(x / 37))
  for (let y = 0, at = 0; y < height; y++) {
    const down = Math.cos(y / 53)
    for (let x = 0; x < width; x++, at += 3) {
      const light = 128 + (across[x] ?? 0) * down
      const noise = grain === 0 ? 0 : below(grain, random) - grain / 2
      data[at] = clamp(light + noise)
      data[at + 1] = clamp(light * 0.8 + 30 + noise)
      data[at + 2] = clamp(255 - light + noise)
    }
  }
  return { data, width, height, channels: 3 }
}

/** Returns a sharp pipeline for pixels. */
export function encoder({ data, width, height, channels }: Pixels): Sharp {
  return sharp(data, { raw: { width, height, channels } })
}

/** Small images in each format. */
export const jpeg = (pixels: Pixels, quality = 90): Promise<Buffer> => encoder(pixels).jpeg({ quality }).toBuffer()
export const png = (pixels: Pixels): Promise<Buffer> => encoder(pixels).png().toBuffer()
export const webp = (pixels: Pixels, quality = 80): Promise<Buffer> => encoder(pixels).webp({ quality }).toBuffer()
export const gif = (pixels: Pixels): Promise<Buffer> => encoder(pixels).gif().toBuffer()
export const avif = (pixels: Pixels, quality = 60): Promise<Buffer> =>
  encoder(pixels).avif({ quality, effort: 0 }).toBuffer()

/** Returns a GIF without a transparent colour (GIF89a, 23: the flag of its graphic control extension is off). */
export async function opaqueGif(pixels: Pixels): Promise<Buffer> {
  const bytes = await gif(pixels)
  const flags = bytes.indexOf(Buffer.from([0x21, 0xf9, 4])) + 3
  bytes[flags] = (bytes[flags] ?? 0) & 0xfe
  return bytes
}

/** The five formats of the specification, each with an encoder of small images. */
export const FORMATS = [
  { format: 'jpeg', mediaType: 'image/jpeg', extension: 'jpg', encode: (pixels: Pixels) => jpeg(pixels) },
  { format: 'png', mediaType: 'image/png', extension: 'png', encode: png },
  { format: 'gif', mediaType: 'image/gif', extension: 'gif', encode: gif },
  { format: 'webp', mediaType: 'image/webp', extension: 'webp', encode: (pixels: Pixels) => webp(pixels) },
  { format: 'avif', mediaType: 'image/avif', extension: 'avif', encode: (pixels: Pixels) => avif(pixels) },
] as const

/** Returns a GIF or WebP with several frames. */
export async function animated(format: 'gif' | 'webp', frames: readonly Pixels[]): Promise<Buffer> {
  const stills = await Promise.all(frames.map(png))
  return sharp(stills, { join: { animated: true } })
    .toFormat(format)
    .toBuffer()
}

function clamp(value: number): number {
  return Math.max(0, Math.min(255, Math.round(value)))
}
