import type { Image } from '../storage/schema.ts'

/** The largest size that may be shown, in pixels. */
export interface Box {
  maxWidth: number
  maxHeight: number
}

/** One of the two files of an image, with its size in pixels. */
export interface ShownFile {
  kind: 'original' | 'thumbnail'
  width: number
  height: number
}

/** The files of an image that fit into a box without scaling, the larger first. */
export function filesThatFit(image: Image, { maxWidth, maxHeight }: Box): ShownFile[] {
  const files: ShownFile[] = [
    { kind: 'original', width: image.width, height: image.height },
    { kind: 'thumbnail', width: image.thumbnailWidth, height: image.thumbnailHeight },
  ]
  return files.filter(({ width, height }) => width <= maxWidth && height <= maxHeight)
}
