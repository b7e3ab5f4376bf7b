import type { FileKind } from '../../storage/files.ts'
import type { Image } from '../../storage/schema.ts'
import { previewOf } from './preview.ts'

/** The largest size that may be shown, in pixels. */
export interface Box {
  maxWidth: number
  maxHeight: number
}

/** A file of an image, with its size in pixels. */
export interface ShownFile {
  kind: FileKind
  width: number
  height: number
}

/** The files of an image that fit into a box without scaling, the larger first: its preview, or else its original, and the thumbnail. */
export function filesThatFit(image: Image, { maxWidth, maxHeight }: Box): ShownFile[] {
  const files: ShownFile[] = [
    previewOf(image) ?? { kind: 'images', width: image.width, height: image.height },
    { kind: 'thumbs', width: image.thumbnailWidth, height: image.thumbnailHeight },
  ]
  return files.filter(({ width, height }) => width <= maxWidth && height <= maxHeight)
}
