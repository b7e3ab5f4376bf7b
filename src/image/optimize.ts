import {
  asSent,
  FORMATS,
  type ImageFile,
  ImageRefusal,
  isFaithfulAsWebp,
  type MediaType,
  type ProbedImage,
  type Size,
  stripMetadata,
  trimImageData,
  uprightSize,
} from 'tintype-codec/interface'
import { release } from '../bytes.ts'
import { OPTIMIZED_MAX_EDGE_PX } from '../limits.ts'
import type { OPTIMIZATION_RESULT, ValuesOf } from '../responses.ts'
import { codec, inTurn } from './codec.ts'
import { makeFiles, type WantedFiles } from './thumbnail.ts'
import type { Requester } from './turns.ts'
import { workOf } from './work.ts'

/** The result of an optimization. Sizes are as displayed; a candidate that was not made has no bytes (D33). */
export type Optimization = ValuesOf<typeof OPTIMIZATION_RESULT>

/** Why the stored file was chosen: the seven reasons of the specification. */
export type OptimizationReason = Optimization['reason']

/** The file to store, and why it was chosen. */
export interface Optimized {
  stored: ImageFile
  optimization: Optimization
}

/** The source to report for a cover, whose upload is not the joined image itself (D35). */
export interface OptimizationSource {
  mediaType: MediaType
  bytes: number
}

/** A row of D32: what is stored, why, and the sizes of the candidates that were made. */
interface Decision {
  stored: ImageFile
  reason: OptimizationReason
  candidateBytes?: { original: number; webp: number | undefined }
}

/** The results of decoding an image that is to be optimized. */
export interface Conversion extends Candidate {
  thumbnail: ImageFile
  preview: ImageFile | undefined
}

/** The part of it that may be stored instead of the upload. */
export interface Candidate {
  /**
   * The WebP that may replace it; undefined if none is wanted (D32), if it cannot be made within the memory budget, or would not
   * show its colours.
   */
  candidate: ImageFile | undefined
  /** Why there is none of an image that is stored unchanged for it (D34). */
  problem: unknown
}

/**
 * Makes the files of an image and the WebP that may replace it, of one decode. If all cannot be made, the others are made without
 * the WebP. Throws ImageRefusal if that cannot be made, or if too many wait.
 */
export async function convert(image: ProbedImage, wanted: WantedFiles, requester: Requester = {}): Promise<Conversion> {
  let problem: unknown
  try {
    if (await wantsCandidate(image))
      return { ...(await makeFiles(image, { ...wanted, candidate: true }, requester)), problem }
  } catch (error) {
    const reason = error instanceof ImageRefusal ? error.reason : undefined
    if (reason === 'busy') throw error
    if (reason !== 'over_budget') problem = error
  }
  return { ...(await makeFiles(image, wanted, requester)), problem }
}

/**
 * Returns the candidates of an image; for a PNG, the smaller of the lossy and the lossless WebP (D32). Lossless
 * encoding is slow, so it runs after all checks. Throws ImageRefusal if too many wait.
 */
export async function withLosslessCandidate(
  image: ProbedImage,
  made: Candidate,
  requester: Requester = {},
): Promise<Candidate> {
  const { candidate: lossy } = made
  if (!lossy || image.facts.format !== 'png') return made
  try {
    const box = { width: OPTIMIZED_MAX_EDGE_PX, height: OPTIMIZED_MAX_EDGE_PX }
    const lossless = await inTurn(requester, workOf('lossless', image), () =>
      codec.lossless(image, { ...box, maxBytes: lossy.bytes.length - 1 }),
    )
    if (!lossless) return made
    release(lossy.bytes)
    return { ...made, candidate: lossless }
  } catch (error) {
    const reason = error instanceof ImageRefusal ? error.reason : undefined
    if (reason === 'busy') throw error
    return reason === 'over_budget' ? made : { candidate: undefined, problem: error }
  }
}

/**
 * Chooses the file to store for an image (D32, D33). It is never larger than the image. Throws the problem of its conversion, or
 * ImageRefusal if the image cannot be stripped: the caller then stores it unchanged (D34).
 */
export function optimize(
  image: ProbedImage,
  { candidate, problem }: Candidate,
  source?: OptimizationSource,
): Optimized {
  if (problem !== undefined) throw problem
  const decision = decide(image, candidate)
  return { stored: decision.stored, optimization: describe(image, decision, source) }
}

/** Returns the file to store where metadata always goes: GIFs and animations stay as they are (D32). Throws ImageRefusal if it cannot be removed. */
export function withoutMetadata(image: ProbedImage): ImageFile {
  const { bytes, facts } = image
  const upload = asSent(image)
  return facts.format === 'gif' || facts.animated
    ? upload
    : { ...upload, bytes: trimImageData(stripMetadata(bytes, facts), facts) }
}

/** Whether a row of the table of D32 asks for a WebP, and one would show the image's colours. */
async function wantsCandidate(image: ProbedImage): Promise<boolean> {
  const { format, animated, orientation, size } = image.facts
  if (format === 'gif' || format === 'avif' || animated) return false
  const isFineWebp = format === 'webp' && orientation === 1 && longestEdge(size) <= OPTIMIZED_MAX_EDGE_PX
  return !isFineWebp && (await isFaithfulAsWebp(image))
}

/** The table of D32, row by row. */
function decide(image: ProbedImage, candidate: ImageFile | undefined): Decision {
  const { bytes, facts } = image
  const upload = asSent(image)
  if (facts.format === 'gif') return { stored: upload, reason: 'gif_not_optimized' }
  if (facts.animated) return { stored: upload, reason: 'animated' }

  const stripped = strip(image)
  if (!stripped) return { stored: upload, reason: 'kept_avif' }
  const candidateBytes = { original: stripped.length, webp: candidate?.bytes.length }
  if (candidate && candidate.bytes.length < stripped.length) {
    if (stripped !== bytes) release(stripped)
    const reason = facts.format === 'webp' ? 'reencoded_webp' : 'converted_to_webp'
    return { stored: candidate, reason, candidateBytes }
  }
  if (candidate) release(candidate.bytes)
  const stored = trimImageData(stripped, facts)
  candidateBytes.original = stored.length
  if (stored !== stripped && stripped !== bytes) release(stripped)
  const reason = candidate ? 'webp_not_smaller' : facts.format === 'avif' ? 'kept_avif' : 'metadata_only'
  return { stored: { ...upload, bytes: stored }, reason, candidateBytes }
}

/** Returns the file without metadata; undefined for an AVIF whose structure does not allow that. Throws ImageRefusal for all others. */
function strip({ bytes, facts }: ProbedImage): Uint8Array | undefined {
  try {
    return stripMetadata(bytes, facts)
  } catch (error) {
    if (facts.format === 'avif' && error instanceof ImageRefusal && error.reason === 'unreadable') return undefined
    throw error
  }
}

function describe({ bytes, facts }: ProbedImage, decision: Decision, source?: OptimizationSource): Optimization {
  const { stored, reason, candidateBytes } = decision
  const sourceSize = uprightSize(facts)
  return {
    requested: true,
    applied: !isSame(stored.bytes, bytes),
    converted: stored.format !== facts.format,
    reason,
    sourceMime: source?.mediaType ?? FORMATS[facts.format].mediaType,
    storedMime: FORMATS[stored.format].mediaType,
    sourceBytes: source?.bytes ?? bytes.length,
    storedBytes: stored.bytes.length,
    sourceWidth: sourceSize.width,
    sourceHeight: sourceSize.height,
    storedWidth: stored.size.width,
    storedHeight: stored.size.height,
    originalCandidateBytes: candidateBytes?.original,
    webpCandidateBytes: candidateBytes?.webp,
  }
}

function longestEdge({ width, height }: Size): number {
  return Math.max(width, height)
}

/** Returns whether two files are the same, byte for byte. */
export function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a === b || (a.length === b.length && a.every((byte, i) => byte === b[i]))
}
