import { FORMATS, type Format, type ImageFile, type ProbedImage, type Size, uprightSize } from 'tintype-codec/interface'

import { PREVIEW_MAX_BYTES, PREVIEW_MAX_EDGE_PX } from '../../limits.ts'
import type { Image } from '../../storage/schema.ts'
import { originalUrl, previewUrl, type Site } from '../ids/links.ts'

/** The preview of an image: a file of its own, or the original where that is small enough (D50). */
export interface Preview {
  kind: 'previews' | 'images'
  mediaType: string
  bytes: number
  width: number
  height: number
}

/** The formats that every link preview shows: LinkedIn and Telegram show no WebP and no AVIF. */
const SHOWN_EVERYWHERE: ReadonlySet<Format> = new Set(['jpeg', 'png', 'gif'])
/** The formats that every browser shows. */
const SHOWN_ON_PAGES: ReadonlySet<string> = new Set(
  (['jpeg', 'png', 'gif', 'webp'] as const).map((format) => FORMATS[format].mediaType),
)

/** Returns the preview of an image; undefined where it has none, because it is older than previews or these are off. */
export function previewOf(image: Image): Preview | undefined {
  const { previewMediaType: mediaType, previewBytes: bytes, previewWidth: width, previewHeight: height } = image
  if (mediaType !== null && bytes !== null && width !== null && height !== null) {
    return { kind: 'previews', mediaType, bytes, width, height }
  }
  if (!SHOWN_ON_PAGES.has(image.mediaType) || !isSmall(image.bytes, image)) return undefined
  return { kind: 'images', mediaType: image.mediaType, bytes: image.bytes, width: image.width, height: image.height }
}

/** The preview of an image as pages link to it. */
interface LinkedPreview extends Omit<Preview, 'kind' | 'bytes'> {
  /** Absolute: of the preview, or of the original where that is small enough. */
  url: string
}

/** Returns the preview of an image as pages link to it; undefined where it has none. */
export function linkedPreview(site: Site, image: Image): LinkedPreview | undefined {
  const preview = previewOf(image)
  if (!preview) return undefined
  const { kind, mediaType, width, height } = preview
  return { url: (kind === 'previews' ? previewUrl : originalUrl)(site, image), mediaType, width, height }
}

/** Returns whether an image that is stored has no preview, and may need one: the file shows whether it does. */
export function needsPreview(image: Image): boolean {
  const showsEverywhere = [...SHOWN_EVERYWHERE].some((format) => FORMATS[format].mediaType === image.mediaType)
  return image.previewBytes === null && !(showsEverywhere && isSmall(image.bytes, image))
}

/** Returns whether an upload that is stored as it was sent needs no preview. */
export function isOwnPreview({ bytes, facts }: ProbedImage): boolean {
  return SHOWN_EVERYWHERE.has(facts.format) && isSmall(bytes.length, uprightSize(facts))
}

/** Returns the preview to store beside a stored original: none where that shows as much. */
export function previewBeside(
  { format, bytes, size }: ImageFile,
  preview: ImageFile | undefined,
): ImageFile | undefined {
  if (!preview || !isSmall(bytes.length, size)) return preview
  // A WebP that stays one has transparency.
  return SHOWN_EVERYWHERE.has(format) || format === preview.format ? undefined : preview
}

function isSmall(bytes: number, { width, height }: Size): boolean {
  return bytes <= PREVIEW_MAX_BYTES && Math.max(width, height) <= PREVIEW_MAX_EDGE_PX
}
