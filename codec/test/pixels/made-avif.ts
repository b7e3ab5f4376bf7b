import sharp, { type AvifOptions, type Sharp } from 'sharp'
import { photo } from '../../../test/support/photo.ts'
import { probe } from '../../src/probe.ts'
import type { ProbedImage } from '../../src/probed-image.ts'

const PAINTED_PX = 1200

/** Options of an AVIF. */
interface AvifWish {
  width: number
  height: number
  chroma: '4:2:0' | '4:4:4'
  /** Whether it has luma alone. */
  isGrey?: boolean
  /** From left to right it goes from opaque to see-through. */
  alpha?: boolean
  seed?: number
  quality?: number
  /** Bits a sample. */
  depth?: 8 | 10 | 12
}

/** An AVIF of an image like a photograph. */
export async function madeAvif({
  width,
  height,
  chroma,
  isGrey = false,
  alpha = false,
  seed = 7,
  quality = 80,
  depth = 8,
}: AvifWish): Promise<Uint8Array> {
  const options: AvifOptions = { quality, effort: 0, chromaSubsampling: chroma, bitdepth: depth }
  const coloured = await photograph(width, height, seed)
  const image = isGrey ? coloured.toColourspace('b-w') : coloured
  if (!alpha) return new Uint8Array(await image.avif(options).toBuffer())
  const row = Buffer.from(Array.from({ length: width }, (_, x) => 255 - (x * 255) / width))
  const ramp = Buffer.alloc(width * height, row)
  const png = await image
    .joinChannel(ramp, { raw: { width, height, channels: 1 } })
    .png({ compressionLevel: 1 })
    .toBuffer()
  return new Uint8Array(await sharp(png).avif(options).toBuffer())
}

/** Large photographs are small ones, enlarged. */
async function photograph(width: number, height: number, seed: number): Promise<Sharp> {
  const scale = Math.min(1, PAINTED_PX / Math.max(width, height))
  const size = { width: Math.ceil(width * scale), height: Math.ceil(height * scale) }
  const image = sharp(photo(size.width, size.height, seed), { raw: { ...size, channels: 3 } })
  if (scale === 1) return image
  const data = await image.resize(width, height, { fit: 'fill' }).raw().toBuffer()
  return sharp(data, { raw: { width, height, channels: 3 } })
}

/** A file that must be an image, as one. */
export function imageOf(bytes: Uint8Array): ProbedImage {
  const facts = probe(bytes)
  if (!facts) throw new Error('no picture')
  return { bytes, facts }
}
