import compiler from '../../assembly/asconfig.json'
import type { Size } from '../format.ts'
import { ImageRefusal } from '../refusal.ts'
import { MEGAPIXEL, MIB } from '../units.ts'

/** The size of a page of WebAssembly's memory. */
export const WASM_PAGE_BYTES = 65_536

/**
 * Maximum memory for the images of a codec, 72 MiB: in an isolate of 128 MB the rest is for requests, uploads and
 * responses. This is the compiler's limit, in pages of WebAssembly: beyond it the module traps.
 */
export const CODEC_MAX_BYTES = compiler.options.maximumMemory * WASM_PAGE_BYTES

/**
 * The memory of a job for rows, the encoder and its output, by the format of its image. The rest may hold parts of the
 * whole image. A WebP of 3840 x 3840 pixels needs 16.9 MB for noise, and about 10 MB for a photograph. A thumbnail of
 * 500 pixels beside it needs 0.5 MB.
 */
const WORKING_BYTES = {
  /** Held: the file and, of one in several scans, its coefficients: 2 bytes each, and 8 a block to refine them. */
  jpeg: 17_497_472,
  /** Held: the canvas of an interlaced one: 16 megapixels of 4 samples. */
  png: 11_497_472,
  /**
   * Held: its decoders, of colours and of alpha, and of tiles side by side; one whose blocks are copied from anywhere needs
   * most.
   */
  avif: 17_497_472,
  /** These give their rows in order: the file counts as working memory, and nothing is held. */
  gif: CODEC_MAX_BYTES,
  webp: CODEC_MAX_BYTES,
  /**
   * Held: two images: their files, what is held of either while it is decoded, and rotated ones as wanted
   * (ROTATED_MAX_BYTES).
   */
  cover: 13_497_472,
} as const satisfies Record<string, number>

/** Returns how much a job may hold of its image, of `maxBytes` in all. */
export function heldBytes(kind: keyof typeof WORKING_BYTES, maxBytes: number): number {
  return Math.max(0, maxBytes - WORKING_BYTES[kind])
}

/** Of what a cover holds: images whose rotation needs all of them before their first row can be given. */
export const ROTATED_MAX_BYTES = 48_000_000

/**
 * An instance that has grown beyond this is not kept after its job: memory of WebAssembly never shrinks. The first core is always
 * kept, since what is dropped is there until it is collected: where each large image left its core to that, 90 MB lay there. A
 * job that may take all of the memory drops those of the others that wait; any other job takes at most 40 MB.
 */
export const IDLE_MAX_BYTES = { core: CODEC_MAX_BYTES, secondCore: 8 * MIB, borrowedCore: 8 * MIB }

/** A job on several cores divides the codec's memory among them: it begins with a first one that is no larger than this. */
export const SHARING_CORE_MAX_BYTES = 12 * MIB

/**
 * Maximum memory for samples of outputs that wait for the encoder beside a larger one: two thumbnails of 500 x 500
 * pixels with alpha.
 */
export const HELD_OUTPUTS_MAX_BYTES = 1_250_000

/** Maximum memory for samples with a preview of 1280 x 1280 pixels with alpha. Where an image leaves less, it is decoded twice. */
export const HELD_PREVIEW_MAX_BYTES = HELD_OUTPUTS_MAX_BYTES + 4_100_000

/**
 * A first frame of an animated WebP that leaves some of its canvas free, and an AVIF's overlay, are composed whole: 12 bytes a
 * pixel.
 */
export const COMPOSED_MAX_PIXELS = 5 * MEGAPIXEL

/** A photograph of 48 megapixels in tiles of 512 x 512 has 192. */
export const AVIF_MAX_TILES = 400

/** The refusal of an image for which the memory of the codecs does not suffice. */
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
