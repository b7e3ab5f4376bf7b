import type { Size } from '../format.ts'
import type { AvifFacts } from '../probe/avif-facts.ts'
import { ImageRefusal } from '../refusal.ts'

const MEGAPIXEL = 1_000_000
const MIB = 1024 * 1024

/** What the memory of all codecs together may be: a Worker has 128 MB for itself, the requests and the uploads too. */
export const CODECS_MAX_BYTES = 72 * MIB

/** A package's instance whose memory has grown beyond this is not kept: memory of WebAssembly never shrinks. */
export const KEPT_MAX_BYTES = 24 * MIB

/**
 * The same for dav1d, which takes 25 MiB for a photograph of 12 megapixels. Dropped after each of those, up to three would be there
 * before the first is collected, and each costs 50 ms to make anew.
 */
export const KEPT_AV1_MAX_BYTES = 32 * MIB

/** An animated WebP's first frame that leaves some of its canvas free is composed whole: 12 bytes a pixel. */
export const COMPOSED_MAX_PIXELS = 5 * MEGAPIXEL

/**
 * AVIF of 8 bits, tiles in full, of colour and alpha the larger: 33 ms a megapixel. One that is not in tiles ends by its memory,
 * of which it takes 2.1 bytes a pixel at 4:2:0 and 3.7 at 4:4:4: at 25 and at 15 megapixels.
 */
export const AVIF_MAX_PIXELS = 36 * MEGAPIXEL

/** A photograph of 48 megapixels in tiles of 512 x 512 has 192. */
export const AVIF_MAX_TILES = 400

/**
 * Any other AVIF is decoded whole: 10 or 12 bits, layers, other derivations. That begins with 17 MB and takes 13 to 18 bytes a
 * pixel, 35 with alpha, so of opaque ones 3.8 megapixels fit CODECS_MAX_BYTES and of those with alpha 1.9.
 */
export const WHOLE_AVIF_MAX_PIXELS = 4 * MEGAPIXEL

/** Refuses ('over_budget') a canvas that is larger than can be composed. */
export function requireComposable({ width, height }: Size): void {
  if (width * height <= COMPOSED_MAX_PIXELS) return
  throw new ImageRefusal(
    'over_budget',
    `an animated WebP whose first frame is smaller than its canvas must have at most ${COMPOSED_MAX_PIXELS / MEGAPIXEL} megapixels: received ${width} x ${height}`,
  )
}

/** Refuses ('over_budget') an AVIF of which there is more to decode than the service does. */
export function requireAvifBudget({ codedPixels, size }: AvifFacts): void {
  requireAvifPixels(codedPixels, size, AVIF_MAX_PIXELS, 'an AVIF')
}

/** Refuses ('over_budget') an AVIF that is larger than can be decoded whole. */
export function requireWholeAvifBudget({ codedPixels, size }: AvifFacts): void {
  requireAvifPixels(codedPixels, size, WHOLE_AVIF_MAX_PIXELS, 'an AVIF of more than 8 bits or of layers')
}

function requireAvifPixels(pixels: number, { width, height }: Size, limit: number, what: string): void {
  if (pixels <= limit) return
  throw new ImageRefusal(
    'over_budget',
    `${what} must have at most ${limit / MEGAPIXEL} megapixels: received ${width} x ${height}`,
  )
}
