import compiler from '../../codec/asconfig.json'
import { MEGAPIXEL, MIB } from '../../units.ts'
import type { Size } from '../format.ts'
import type { AvifFacts } from '../probe/avif-facts.ts'
import { ImageRefusal } from '../refusal.ts'

export const WASM_PAGE_BYTES = 65_536

/**
 * What the pictures of one isolate may take: 72 MiB of its 128 MB. The rest is for requests, uploads and answers. It is the
 * compiler's own number, in pages of WebAssembly: beyond it the core's memory does not grow, and its module traps.
 */
export const CODECS_MAX_BYTES = compiler.options.maximumMemory * WASM_PAGE_BYTES

/** Parts of CODECS_MAX_BYTES, in bytes. */
interface MemoryShare {
  /** What must be there of the whole picture, since its rows cannot be had in order. */
  held: number
  /** Rows on their way, the encoder and what it has written. */
  working: number
}

/**
 * How a job divides CODECS_MAX_BYTES; each row sums to it. A WebP of 3840 x 3840 pixels, the largest one made, takes 16.9 MB of
 * the working memory where the picture is noise, and some 10 MB where it is a photograph.
 */
export const MEMORY_SHARES = {
  /** The file and, of one in several scans, its coefficients: 2 bytes each, and 8 a block to refine them. */
  jpeg: { held: 58_000_000, working: 17_497_472 },
  /** The canvas of an interlaced one: 16 megapixels of 4 samples. */
  png: { held: 64_000_000, working: 11_497_472 },
  /** dav1d's memory and, in the core's, alpha and a row of tiles. */
  avif: { held: 58_000_000, working: 17_497_472 },
  /** These give their rows in order: the file counts as working memory. */
  gif: { held: 0, working: 75_497_472 },
  webp: { held: 0, working: 75_497_472 },
  /** Two pictures: their files, what is held of either while it is decoded, and rotated ones as wanted (ROTATED_MAX_BYTES). */
  cover: { held: 62_000_000, working: 13_497_472 },
} as const satisfies Record<string, MemoryShare>

/** Of what a cover holds: pictures whose rotation needs all of them before their first row can be given. */
export const ROTATED_MAX_BYTES = 48_000_000

/**
 * An instance that has grown beyond this is not kept after its job: memory of WebAssembly never shrinks. A job that may take
 * all of CODECS_MAX_BYTES drops those of the others that wait, and so does every AVIF; any other job takes at most 25 MB. So
 * all that live stay below it: 8 + 8 MiB of two cores, 32 of one of the AVIF decoders, and the 25 MB.
 *
 * A core is made anew in 0.1 ms. dav1d takes 50 ms, and 28 MiB for a photograph of 12 megapixels: dropped after each of those,
 * up to three would be there before the first is collected.
 */
export const IDLE_MAX_BYTES = { core: 8 * MIB, secondCore: 8 * MIB, dav1d: 32 * MIB, libavif: 24 * MIB }

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

/** The refusal of a picture for which the memory of the codecs does not suffice. */
export function outOfMemory(): ImageRefusal {
  return new ImageRefusal('over_budget', 'it takes more memory than a picture may')
}

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
