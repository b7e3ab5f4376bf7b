import sharp, { type Sharp } from 'sharp'
import type { TestImage } from './made-images.ts'

/** A lossless WebP, the colours under alpha 0 kept too. `effort` is 0 to 6. */
export function losslessWebp(image: TestImage, effort = 4): Promise<Buffer> {
  return fromPixels(image).webp({ lossless: true, exact: true, effort }).toBuffer()
}

/** Decodes a file with sharp. */
export async function pixelsOf(file: Buffer): Promise<TestImage> {
  const { data, info } = await sharp(file).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  return { width: info.width, height: info.height, rgba: data }
}

/** Reduced by Lanczos, colours multiplied by alpha: what sharp does with an uncompressed image. */
export function reduced(image: TestImage, columns: number, rows: number): Promise<Buffer> {
  return fromPixels(image).resize(columns, rows, { fit: 'fill' }).raw().toBuffer()
}

/** Pixels as sharp takes them. */
export function fromPixels({ width, height, rgba }: TestImage): Sharp {
  return sharp(rgba, { raw: { width, height, channels: 4 } })
}
