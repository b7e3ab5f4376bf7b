import { type ImageFile, type ProbedImage, probe, type WebpOptions } from 'tintype-codec/interface'
import {
  OPTIMIZED_MAX_EDGE_PX,
  OPTIMIZED_WEBP_QUALITY,
  PREVIEW_MAX_BYTES,
  PREVIEW_MAX_EDGE_PX,
  PREVIEW_QUALITY,
  THUMBNAIL_WEBP_QUALITY,
} from '../limits.ts'
import { codec, inTurn } from './codec.ts'
import { type Fingerprint, fingerprintOf } from './fingerprint.ts'
import type { Requester } from './turns.ts'
import { workOf } from './work.ts'

/** The files to make of an image beside its thumbnail. */
export interface WantedFiles {
  maxThumbnailSizePx: number
  /** The preview of its page (D50). */
  preview?: boolean
  /** The large WebP that may replace it (D32). */
  candidate?: boolean
}

/** The files made of one decode of an image. */
interface MadeFiles {
  thumbnail: ImageFile
  preview: ImageFile | undefined
  candidate: ImageFile | undefined
}

const PREVIEW = { ...square(PREVIEW_MAX_EDGE_PX, PREVIEW_QUALITY), prefersJpeg: true, maxBytes: PREVIEW_MAX_BYTES }

/** Makes all files that are wanted of an image. Throws ImageRefusal if one fails. */
export async function makeFiles(
  image: ProbedImage,
  { maxThumbnailSizePx, preview = false, candidate = false }: WantedFiles,
  requester: Requester = {},
): Promise<MadeFiles> {
  const options = {
    thumbnail: { ...square(maxThumbnailSizePx, THUMBNAIL_WEBP_QUALITY), mayBeLossless: true },
    ...(preview && { preview: PREVIEW }),
    ...(candidate && { candidate: { ...square(OPTIMIZED_MAX_EDGE_PX, OPTIMIZED_WEBP_QUALITY), keepsProfile: true } }),
  }
  const work = workOf(candidate ? 'optimized' : preview ? 'preview' : 'thumbnail', image)
  const made = await inTurn(requester, work, () => codec.outputs(image, Object.values(options)))
  const files = Object.fromEntries(Object.keys(options).map((name, i) => [name, made[i]]))
  if (!files.thumbnail) throw new Error('a thumbnail is wanted and made')
  return { thumbnail: files.thumbnail, preview: files.preview, candidate: files.candidate }
}

/** The preview of an image (D50). Throws ImageRefusal if none can be made. */
export async function makePreview(image: ProbedImage, requester: Requester = {}): Promise<ImageFile> {
  const [preview] = await inTurn(requester, workOf('preview', image), () => codec.outputs(image, [PREVIEW]))
  if (!preview) throw new Error('a preview is wanted and made')
  return preview
}

/** The thumbnail of an image: a WebP that fits into a square of `maxSizePx` (D30). Throws ImageRefusal if none can be made. */
export async function makeThumbnail(
  image: ProbedImage,
  maxSizePx: number,
  requester: Requester = {},
): Promise<ImageFile> {
  return (await makeFiles(image, { maxThumbnailSizePx: maxSizePx }, requester)).thumbnail
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
