import { type ImageFile, type ProbedImage, probe, type WebpOptions } from 'tintype-codec/interface'
import { OPTIMIZED_MAX_EDGE_PX, OPTIMIZED_WEBP_QUALITY, THUMBNAIL_WEBP_QUALITY } from '../limits.ts'
import { codec, inTurn } from './codec.ts'
import { type Fingerprint, fingerprintOf } from './fingerprint.ts'
import type { Requester } from './turns.ts'
import { workOf } from './work.ts'

/** The thumbnail of an image: a WebP that fits into a square of `maxSizePx` (D30). Throws ImageRefusal if none can be made. */
export function makeThumbnail(image: ProbedImage, maxSizePx: number, requester: Requester = {}): Promise<ImageFile> {
  return inTurn(requester, workOf('thumbnail', image), () =>
    codec.thumbnail(image, square(maxSizePx, THUMBNAIL_WEBP_QUALITY)),
  )
}

/**
 * The thumbnail of an image and, made of the same decode, the large WebP that may replace it (D32). Throws ImageRefusal if one
 * fails.
 */
export async function makeThumbnailAndCandidate(
  image: ProbedImage,
  maxSizePx: number,
  requester: Requester = {},
): Promise<{ thumbnail: ImageFile; candidate: ImageFile }> {
  const candidateOptions = { ...square(OPTIMIZED_MAX_EDGE_PX, OPTIMIZED_WEBP_QUALITY), keepsProfile: true }
  const wanted = [candidateOptions, square(maxSizePx, THUMBNAIL_WEBP_QUALITY)]
  const [candidate, thumbnail] = await inTurn(requester, workOf('optimized', image), () => codec.outputs(image, wanted))
  if (!candidate || !thumbnail) throw new Error('two are wanted and two are made')
  return { thumbnail, candidate }
}

function square(sidePx: number, quality: number): WebpOptions {
  return { width: sidePx, height: sidePx, quality }
}

/**
 * Returns the fingerprint of a thumbnail; undefined if it is too uniform. Throws ImageRefusal if the bytes are no
 * thumbnail.
 */
export async function fingerprintOfThumbnail(
  bytes: Uint8Array,
  requester: Requester = {},
): Promise<Fingerprint | undefined> {
  const facts = probe(bytes)
  if (!facts) return undefined
  const image = { bytes, facts }
  return fingerprintOf(await inTurn(requester, workOf('thumbnail', image), () => codec.pixels(image)))
}
