import sharp, { type Sharp } from 'sharp'
import type { Picture } from './made-pictures.ts'

/** A lossless WebP, the colours under alpha 0 kept too. `effort` is 0 to 6. */
export function losslessWebp(picture: Picture, effort = 4): Promise<Buffer> {
  return fromPixels(picture).webp({ lossless: true, exact: true, effort }).toBuffer()
}

/** Decodes a file with sharp. */
export async function pixelsOf(file: Buffer): Promise<Picture> {
  const { data, info } = await sharp(file).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  return { width: info.width, height: info.height, rgba: data }
}

/** Reduced by Lanczos, colours multiplied by alpha: what sharp does with an uncompressed image. */
export function reduced(picture: Picture, columns: number, rows: number): Promise<Buffer> {
  return fromPixels(picture).resize(columns, rows, { fit: 'fill' }).raw().toBuffer()
}

/** Pixels as sharp takes them. */
export function fromPixels({ width, height, rgba }: Picture): Sharp {
  return sharp(rgba, { raw: { width, height, channels: 4 } })
}
