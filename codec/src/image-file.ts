import type { Format, Size } from './format.ts'

/** A file to store: the upload itself, or one made from it. */
export interface ImageFile {
  bytes: Uint8Array
  format: Format
  /** As displayed. */
  size: Size
}
