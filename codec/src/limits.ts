import { MEGAPIXEL } from './units.ts'

/** The largest image, in pixels. A format may have a smaller limit (pixels/budget.ts). */
export const IMAGE_MAX_PIXELS = 100 * MEGAPIXEL
/** Maximum number of scans of a JPEG: each is a pass over the whole image, and encoders write some ten. */
export const JPEG_MAX_SCANS = 100
/** The quality of a JPEG that two images are joined to, from 0 to 100. */
export const JOINED_JPEG_QUALITY = 90
/** A side of a WebP: the format counts it in 14 bits. */
export const WEBP_MAX_SIDE_PX = 16_383
