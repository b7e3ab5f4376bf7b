import type { ImageFile } from '../../codec/src/interface.ts'
import {
  asSent,
  FORMATS,
  ImageRefusal,
  isFaithfulAsWebp,
  type MediaType,
  type Picture,
  type Size,
  stripMetadata,
  uprightSize,
} from '../../codec/src/interface.ts'
import { release } from '../bytes.ts'
import { OPTIMIZED_MAX_EDGE_PX, OPTIMIZED_WEBP_QUALITY } from '../limits.ts'
import { codec } from './codec.ts'

/** Why the stored file was chosen: the seven reasons of the specification. */
export type OptimizationReason =
  | 'animated'
  | 'gif_not_optimized'
  | 'metadata_only'
  | 'kept_avif'
  | 'reencoded_webp'
  | 'converted_to_webp'
  | 'webp_not_smaller'

/** The specification's OptimizationResult. Sizes are as displayed; a candidate that was not made has no bytes (D33). */
export interface Optimization {
  requested: true
  /** The stored bytes differ from the upload. */
  applied: boolean
  /** The stored media type differs from the upload's. */
  converted: boolean
  reason: OptimizationReason
  sourceMime: MediaType
  storedMime: MediaType
  sourceBytes: number
  storedBytes: number
  sourceWidth: number
  sourceHeight: number
  storedWidth: number
  storedHeight: number
  originalCandidateBytes: number | undefined
  webpCandidateBytes: number | undefined
}

/** The file to store, and why it was chosen. */
export interface Optimized {
  stored: ImageFile
  optimization: Optimization
}

/** What to report as the source of two joined pictures, whose upload is not the picture itself (D35). */
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

/**
 * Chooses the file to store for a picture (D32, D33). It is never larger than the picture. Throws ImageRefusal if the picture
 * cannot be stripped or decoded: the caller then stores it unchanged (D34).
 */
export async function optimize(picture: Picture, source?: OptimizationSource): Promise<Optimized> {
  const decision = await decide(picture)
  return { stored: decision.stored, optimization: describe(picture, decision, source) }
}

/** The table of D32, row by row. */
async function decide(picture: Picture): Promise<Decision> {
  const { bytes, facts } = picture
  const upload = asSent(picture)
  if (facts.format === 'gif') return { stored: upload, reason: 'gif_not_optimized' }
  if (facts.animated) return { stored: upload, reason: 'animated' }

  const isFineWebp =
    facts.format === 'webp' && facts.orientation === 1 && longestEdge(facts.size) <= OPTIMIZED_MAX_EDGE_PX
  const candidate = facts.format === 'avif' || isFineWebp ? undefined : await makeCandidate(picture)
  const stripped = stripMetadata(bytes, facts)
  const candidateBytes = { original: stripped.length, webp: candidate?.bytes.length }
  if (candidate && candidate.bytes.length < stripped.length) {
    if (stripped !== bytes) release(stripped)
    const reason = facts.format === 'webp' ? 'reencoded_webp' : 'converted_to_webp'
    return { stored: candidate, reason, candidateBytes }
  }
  if (candidate) release(candidate.bytes)
  const reason = candidate ? 'webp_not_smaller' : facts.format === 'avif' ? 'kept_avif' : 'metadata_only'
  return { stored: { ...upload, bytes: stripped }, reason, candidateBytes }
}

/** The WebP that may replace the picture; `undefined` if it cannot be made within the memory budget, or would not show its colours. */
async function makeCandidate(picture: Picture): Promise<ImageFile | undefined> {
  if (!isFaithfulAsWebp(picture)) return undefined
  try {
    return await codec.resize(picture, {
      width: OPTIMIZED_MAX_EDGE_PX,
      height: OPTIMIZED_MAX_EDGE_PX,
      quality: OPTIMIZED_WEBP_QUALITY,
    })
  } catch (error) {
    if (error instanceof ImageRefusal && error.reason === 'over_budget') return undefined
    throw error
  }
}

function describe({ bytes, facts }: Picture, decision: Decision, source?: OptimizationSource): Optimization {
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

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a === b || (a.length === b.length && a.every((byte, i) => byte === b[i]))
}
