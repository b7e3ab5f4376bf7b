import { MEGAPIXEL, MIB } from '../../../src/units.ts'
import compiler from '../../assembly/asconfig.json'
import type { Size } from '../format.ts'
import { ImageRefusal } from '../refusal.ts'

/** The size of a page of WebAssembly's memory. */
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
  /** Its decoders, of colours and of alpha, and of tiles side by side; one whose blocks are copied from anywhere needs most. */
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
 * An instance that has grown beyond this is not kept after its job: memory of WebAssembly never shrinks. The first core is always
 * kept, since what is dropped is there until it is collected: where each large picture left its core to that, 90 MB lay there. A
 * job that may take all of CODECS_MAX_BYTES drops those of the others that wait; any other job takes at most 25 MB.
 */
export const IDLE_MAX_BYTES = { core: CODECS_MAX_BYTES, secondCore: 8 * MIB, borrowedCore: 8 * MIB }

/** A job on several cores divides CODECS_MAX_BYTES among them: it begins with a first one that is no larger than this. */
export const SHARING_CORE_MAX_BYTES = 12 * MIB

/** A first frame of an animated WebP that leaves some of its canvas free, and an AVIF's overlay, are composed whole: 12 bytes a pixel. */
export const COMPOSED_MAX_PIXELS = 5 * MEGAPIXEL

/** A photograph of 48 megapixels in tiles of 512 x 512 has 192. */
export const AVIF_MAX_TILES = 400

/** The refusal of a picture for which the memory of the codecs does not suffice. */
export function outOfMemory(): ImageRefusal {
  return new ImageRefusal('over_budget', 'it takes more memory than a picture may')
}

/** Refuses ('over_budget') a canvas that is larger than can be composed. */
export function requireComposable({ width, height }: Size, what: string): void {
  if (width * height <= COMPOSED_MAX_PIXELS) return
  throw new ImageRefusal(
    'over_budget',
    `${what} must have at most ${COMPOSED_MAX_PIXELS / MEGAPIXEL} megapixels: received ${width} x ${height}`,
  )
}
