import { FORMATS } from 'tintype-codec/interface'

/** Returns the media type of a file of an image, by its key and, of a preview, its first bytes. */
export function mediaTypeOf(key: string, bytes: Uint8Array): string {
  if (key.startsWith('images/')) {
    const format = Object.values(FORMATS).find(({ extension }) => key.endsWith(`.${extension}`))
    if (format) return format.mediaType
  }
  // Thumbnails and previews are not what the names of their images end in.
  const isJpeg = bytes[0] === 0xff && bytes[1] === 0xd8
  return FORMATS[isJpeg ? 'jpeg' : 'webp'].mediaType
}
