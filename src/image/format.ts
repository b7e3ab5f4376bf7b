/** The five formats the service takes; everything that depends on the format alone is a column of this table. */
export const FORMATS = {
  jpeg: { label: 'JPEG', mediaType: 'image/jpeg', extension: 'jpg' },
  png: { label: 'PNG', mediaType: 'image/png', extension: 'png' },
  gif: { label: 'GIF', mediaType: 'image/gif', extension: 'gif' },
  webp: { label: 'WebP', mediaType: 'image/webp', extension: 'webp' },
  avif: { label: 'AVIF', mediaType: 'image/avif', extension: 'avif' },
} as const

export type Format = keyof typeof FORMATS
export type MediaType = (typeof FORMATS)[Format]['mediaType']

/** A size in whole pixels. */
export interface Size {
  width: number
  height: number
}

/**
 * The turn that makes a picture upright, as the EXIF Orientation values 1 to 8 (EXIF 2.32, 4.6.4 A):
 * 1 none, 2 mirrored, 3 half turn, 4 flipped, 5 transposed, 6 quarter turn clockwise, 7 transverse, 8 quarter turn back.
 */
export type Orientation = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8

/** What a header tells before any pixel is decoded. */
export interface ImageFacts {
  format: Format
  /** As coded, before the turn. */
  size: Size
  orientation: Orientation
  /** Two frames or more (D32, D37). */
  animated: boolean
  /** An alpha channel or a transparent colour may be present. */
  alpha: boolean
}

/** The size as displayed, after the turn. */
export function uprightSize({ size, orientation }: Pick<ImageFacts, 'size' | 'orientation'>): Size {
  return orientation >= 5 ? { width: size.height, height: size.width } : size
}
