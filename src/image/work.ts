import { type Format, type ProbedImage, type Size, uprightSize } from 'tintype-codec/interface'
import { MEGAPIXEL } from 'tintype-codec/units'
import { OPTIMIZED_MAX_EDGE_PX, PREVIEW_MAX_EDGE_PX } from '../limits.ts'

type Facts = ProbedImage['facts']
type AvifFacts = Extract<Facts, { format: 'avif' }>

/** A codec job for an image. */
export type CodecJob = 'thumbnail' | 'preview' | 'optimized' | 'lossless' | 'cover'

/**
 * Milliseconds per megapixel of the header of a decode at full size, for the costliest ordinary file of each format. An AVIF's are those of 8
 * bits in 4:2:0. `npm run tintype -- bench:codecs --weights` measures all weights here: docs/benchmarks.md#weights.
 */
const DECODE_MS_PER_MP: Readonly<Record<Format, number>> = { jpeg: 4, png: 9, gif: 5, webp: 9.5, avif: 25 }
/** Milliseconds per megapixel of a JPEG for a thumbnail, which is decoded at an eighth of its size. */
const JPEG_THUMBNAIL_MS_PER_MP = 1.1
/** The work of an AVIF of more bits, relative to one of 8. */
const DEEP_AVIF_FACTOR = 1.3
/** The work of an AVIF by its chroma samples, relative to 4:2:0. */
const CHROMA_FACTORS: Readonly<Record<AvifFacts['chroma'], number>> = {
  '4:0:0': 0.7,
  '4:2:0': 1,
  '4:2:2': 1.2,
  '4:4:4': 1.35,
}
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
    ms += megapixels * decodeMsPerMp(job, facts)
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

/** Milliseconds per megapixel of the decode that a job needs. */
function decodeMsPerMp(job: CodecJob, facts: Facts): number {
  const ms = DECODE_MS_PER_MP[facts.format]
  if (facts.format === 'avif') return ms * (facts.bitDepth > 8 ? DEEP_AVIF_FACTOR : 1) * CHROMA_FACTORS[facts.chroma]
  if (facts.format !== 'jpeg') return ms
  return (job === 'thumbnail' ? JPEG_THUMBNAIL_MS_PER_MP : ms) + (facts.arithmetic ? ARITHMETIC_MS_PER_MP : 0)
}

function megapixelsOf({ width, height }: Size): number {
  return (width * height) / MEGAPIXEL
}
