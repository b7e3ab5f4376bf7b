import type { Format, Size } from './format.ts'

/** An image's own file, or one made from it. */
export interface ImageFile {
  bytes: Uint8Array
  format: Format
  /** As displayed. */
  size: Size
}
