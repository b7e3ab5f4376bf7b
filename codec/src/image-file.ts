import type { Format, Size } from './format.ts'

/** An image's own file, or one made from it. */
export interface ImageFile {
  bytes: Uint8Array
  format: Format
  /** As displayed. */
  size: Size
}

/** A file made from an image. Its memory is not shared, as `new Response` and `new Blob` require. */
export interface MadeFile extends ImageFile {
  bytes: Uint8Array<ArrayBuffer>
}
