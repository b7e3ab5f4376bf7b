import sharp, { type AvifOptions } from 'sharp'
import type { Picture } from '../../../src/image/picture.ts'
import { probe } from '../../../src/image/probe.ts'
import { photo } from '../../codec/photo.ts'

/** How an AVIF is to be made. */
export interface AvifWish {
  width: number
  height: number
  chroma: '4:2:0' | '4:4:4'
  /** From left to right it goes from opaque to see-through. */
  alpha?: boolean
  seed?: number
  quality?: number
}

/** An AVIF of a picture like a photograph. */
export async function madeAvif({
  width,
  height,
  chroma,
  alpha = false,
  seed = 7,
  quality = 80,
}: AvifWish): Promise<Uint8Array> {
  const options: AvifOptions = { quality, effort: 0, chromaSubsampling: chroma }
  const image = sharp(await photo(width, height, seed), { raw: { width, height, channels: 3 } })
  if (!alpha) return new Uint8Array(await image.avif(options).toBuffer())
  const ramp = Buffer.from(Array.from({ length: width * height }, (_, i) => 255 - ((i % width) * 255) / width))
  const png = await image
    .joinChannel(ramp, { raw: { width, height, channels: 1 } })
    .png({ compressionLevel: 1 })
    .toBuffer()
  return new Uint8Array(await sharp(png).avif(options).toBuffer())
}

/** A file that must be a picture, as one. */
export function pictureOf(bytes: Uint8Array): Picture {
  const facts = probe(bytes)
  if (!facts) throw new Error('no picture')
  return { bytes, facts }
}
