// The yardstick: a whole decode by sharp, then Lanczos3.

import sharp from 'sharp'
import type { TestImage } from './images.ts'

/** The inks of a file as browsers show them without a profile: each leaves its share of the light that key leaves. */
async function inksAsRgb(file: Uint8Array) {
  const inks = sharp(file, { failOn: 'none', ignoreIcc: true }).pipelineColourspace('cmyk').toColourspace('cmyk')
  const { data, info } = await inks.raw().toBuffer({ resolveWithObject: true })
  const left = (i: number) => 255 - (data[i] ?? 0)
  const rgb = Array.from({ length: (data.length / 4) * 3 }, (_, i) => Math.floor(i / 3) * 4 + (i % 3))
  return {
    data: Buffer.from(rgb.map((i) => Math.round((left(i) * left(i | 3)) / 255))),
    info: { ...info, channels: 3 },
  }
}

/** The decoded file resized to `width` x `height`, RGB; colour profiles are not applied. */
export async function golden(file: Uint8Array, width: number, height: number): Promise<Uint8Array> {
  const { space } = await sharp(file, { failOn: 'none' }).metadata()
  const decoded = sharp(file, { failOn: 'none', ignoreIcc: true }).toColourspace('srgb').removeAlpha().raw()
  const whole = space === 'cmyk' ? await inksAsRgb(file) : await decoded.toBuffer({ resolveWithObject: true })
  const { info, data } = whole
  const channels = info.channels as 1 | 3
  const small = await sharp(data, { raw: { width: info.width, height: info.height, channels } })
    .resize(width, height, { fit: 'fill', kernel: 'lanczos3' })
    .raw()
    .toBuffer()
  if (small.length === width * height * 3) return small
  return Uint8Array.from({ length: width * height * 3 }, (_, i) => small[Math.floor(i / 3)] ?? 0)
}

/** libvips' thumbnail, which may decode to a fraction of the size. */
export async function thumbnail(file: Uint8Array, width: number, height: number): Promise<Uint8Array> {
  const small = await sharp(file, { failOn: 'none', ignoreIcc: true })
    .resize(width, height, { fit: 'fill', fastShrinkOnLoad: false })
    .toColourspace('srgb')
    .removeAlpha()
    .raw()
    .toBuffer()
  if (small.length === width * height * 3) return small
  return Uint8Array.from({ length: width * height * 3 }, (_, i) => small[Math.floor(i / 3)] ?? 0)
}

/** The image as a JPEG file. */
export async function toJpeg(image: TestImage, options: object = {}): Promise<Uint8Array> {
  const { width, height, channels, bytes } = image
  const raw = { width, height, channels }
  // A copy: a Buffer's slices are views of it.
  return new Uint8Array(
    await sharp(bytes, { raw })
      .jpeg({ quality: 90, ...options })
      .toBuffer(),
  )
}
