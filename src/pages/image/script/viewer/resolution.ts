/** A preview may be enlarged by this much before anybody sees it. */
const ENLARGED_MAX = 1.25
/** More pixels for each CSS pixel are not seen either, and their files are large. */
const PIXEL_RATIO_MAX = 2

/** Whether a preview of this width is too small for an image that is shown this wide, in CSS pixels. */
export function needsOriginal(shownWidth: number, previewWidth: number, pixelRatio: number): boolean {
  return shownWidth * Math.min(pixelRatio, PIXEL_RATIO_MAX) > previewWidth * ENLARGED_MAX
}
