import type { Format, Size } from './format.ts'

/** A picture's own file, or one made from it. */
export interface ImageFile {
  bytes: Uint8Array
  format: Format
  /** As displayed. */
  size: Size
}
