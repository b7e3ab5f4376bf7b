// The yardstick: a whole decode by sharp, then Lanczos3.

import sharp from 'sharp'
import type { TestImage } from './images.ts'

/** The decoded file resized to `width` x `height`, RGB; colour profiles are not applied. */
export async function golden(file: Uint8Array, width: number, height: number): Promise<Uint8Array> {
  const whole = await sharp(file, { failOn: 'none', ignoreIcc: true })
    .toColourspace('srgb')
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
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
