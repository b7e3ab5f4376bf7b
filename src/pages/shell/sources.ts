import type { CodedImage } from './codes.ts'

/** Facts of an original. */
export interface Original {
  /** The size in pixels. */
  width: number
  height: number
  /** Whether it may be an animation, which its preview does not show. */
  mayMove: boolean
}

/** The files of an image that its page can show: the thumbnail, the preview and the original. */
export interface ImageSources extends CodedImage, Original {
  /** The width of the thumbnail in pixels. */
  thumbWidth: number
}

/** Images that are taller, by their width, are shown at their own width: as high as a window, nothing could be read in them. */
const TALL_RATIO = 2.5

/** Whether an image is a tall strip, such as a comic or a screenshot of a whole page. */
export function isTall({ width, height }: { width: number; height: number }): boolean {
  return height > TALL_RATIO * width
}

/**
 * Returns the `srcset` of an image beside its `src`, the original; undefined where the original is shown. That is so without a
 * preview, for an animation, and for a tall strip, whose preview is too narrow to read.
 */
export function srcsetOf(sources: ImageSources): string | undefined {
  const { thumbnailUrl, thumbWidth, preview, originalUrl, mayMove } = sources
  if (!preview || preview.url === originalUrl || mayMove || isTall(sources)) return undefined
  return `${thumbnailUrl} ${thumbWidth}w, ${preview.url} ${preview.width}w`
}
