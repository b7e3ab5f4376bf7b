/** The five formats that are read, with everything that depends on the format alone. */
export const FORMATS = {
  jpeg: { label: 'JPEG', mediaType: 'image/jpeg', extension: 'jpg' },
  png: { label: 'PNG', mediaType: 'image/png', extension: 'png' },
  gif: { label: 'GIF', mediaType: 'image/gif', extension: 'gif' },
  webp: { label: 'WebP', mediaType: 'image/webp', extension: 'webp' },
  avif: { label: 'AVIF', mediaType: 'image/avif', extension: 'avif' },
} as const

/** One of FORMATS. */
export type Format = keyof typeof FORMATS
/** The media type of one of FORMATS. */
export type MediaType = (typeof FORMATS)[Format]['mediaType']

/** A size in pixels. */
export interface Size {
  width: number
  height: number
}

/**
 * The EXIF Orientation (EXIF 2.32, 4.6.4 A): what makes the image upright. 1 nothing, 2 horizontal flip, 3 rotation by 180°,
 * 4 vertical flip, 5 transpose, 6 rotation by 90° clockwise, 7 transverse, 8 rotation by 90° anticlockwise.
 */
export type Orientation = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8

/** Header information, available before decoding. */
export interface ImageFacts {
  format: Format
  /** As coded, before the orientation is applied. */
  size: Size
  orientation: Orientation
  /** Two frames or more (D32, D37). */
  animated: boolean
  /** An alpha channel or a transparent colour may be present. */
  alpha: boolean
}

/** The size as displayed, with the orientation applied. */
export function uprightSize({ size, orientation }: Pick<ImageFacts, 'size' | 'orientation'>): Size {
  return orientation >= 5 ? { width: size.height, height: size.width } : size
}
