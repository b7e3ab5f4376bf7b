import { FORMATS, type MediaType } from 'tintype-codec/format'

/** The media type of a file by its first SIGNATURE_BYTES; undefined for what is none of the five formats. */
export function mediaTypeOf(head: Uint8Array): MediaType | undefined {
  const text = Buffer.from(head).toString('latin1')
  if (text.startsWith('\xff\xd8\xff')) return FORMATS.jpeg.mediaType
  if (text.startsWith('\x89PNG\r\n\x1a\n')) return FORMATS.png.mediaType
  if (text.startsWith('GIF87a') || text.startsWith('GIF89a')) return FORMATS.gif.mediaType
  if (text.startsWith('RIFF') && text.startsWith('WEBP', 8)) return FORMATS.webp.mediaType
  return brandsOf(text).some((brand) => brand === 'avif' || brand === 'avis') ? FORMATS.avif.mediaType : undefined
}

/** The major and the compatible brands of ftyp, the first box (ISO/IEC 14496-12, 4.3). */
function brandsOf(text: string): string[] {
  if (!text.startsWith('ftyp', 4)) return []
  const end = Buffer.from(text.slice(0, 4), 'latin1').readUInt32BE()
  const [major, , ...compatible] = text.slice(8, end).match(/[\s\S]{4}/g) ?? []
  return major === undefined ? [] : [major, ...compatible]
}
