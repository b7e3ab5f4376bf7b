import { type Format, type ProbedImage, type Size, uprightSize } from 'tintype-codec/interface'
import { MEGAPIXEL } from 'tintype-codec/units'
import { OPTIMIZED_MAX_EDGE_PX, PREVIEW_MAX_EDGE_PX } from '../limits.ts'

/** A codec job for an image. */
export type CodecJob = 'thumbnail' | 'preview' | 'optimized' | 'lossless' | 'cover'

/**
 * Milliseconds per megapixel of the header, for the costliest ordinary file of each format. `npm run tintype -- bench:codecs --weights` measures
 * all weights here: docs/benchmarks.md#weights. For a thumbnail, a JPEG is decoded at an eighth of its size, others at full size.
 */
const THUMBNAIL_MS_PER_MP: Readonly<Record<Format, number>> = { jpeg: 1.1, png: 9, gif: 5, webp: 9.5, avif: 40 }
/** Milliseconds per megapixel of a decode at full size. */
const DECODE_MS_PER_MP: Readonly<Record<Format, number>> = { jpeg: 4, png: 9, gif: 5, webp: 9.5, avif: 40 }
/** Added for a JPEG of arithmetic coding, of which each decision is decoded at any size. */
const ARITHMETIC_MS_PER_MP = 21
/** Milliseconds per megapixel of the output: the preview, the lossy WebP of an optimized image, a lossless one, and the file of a cover. */
const ENCODE_MS_PER_MP = { preview: 20, optimized: 48, lossless: 160, cover: 12 } as const
/** Milliseconds of the smallest job. */
const LEAST_MS = 2

/** Returns the processor time that a job will take by the headers of its images, in milliseconds of the machine that was measured. */
export function workOf(job: CodecJob, ...images: readonly Pick<ProbedImage, 'facts'>[]): number {
  let ms = LEAST_MS
  for (const { facts } of images) {
    const megapixels = megapixelsOf(facts.size)
    const decodes = job === 'thumbnail' ? THUMBNAIL_MS_PER_MP : DECODE_MS_PER_MP
    ms += megapixels * (decodes[facts.format] + (isArithmetic(facts) ? ARITHMETIC_MS_PER_MP : 0))
    if (job !== 'thumbnail') ms += encodedMegapixels(job, uprightSize(facts)) * ENCODE_MS_PER_MP[job]
  }
  return Math.ceil(ms)
}

/** A cover is never larger than its halves. */
function encodedMegapixels(job: CodecJob, size: Size): number {
  const maxEdgePx = job === 'preview' ? PREVIEW_MAX_EDGE_PX : OPTIMIZED_MAX_EDGE_PX
  const scale = job === 'cover' ? 1 : Math.min(1, maxEdgePx / Math.max(size.width, size.height))
  return megapixelsOf(size) * scale * scale
}

function isArithmetic(facts: ProbedImage['facts']): boolean {
  return facts.format === 'jpeg' && facts.arithmetic
}

function megapixelsOf({ width, height }: Size): number {
  return (width * height) / MEGAPIXEL
}
