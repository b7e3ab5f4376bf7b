import { deflateSync } from 'node:zlib'
import { pngChunk, uint32 } from '../../support/png.ts'
import { encoder, type Pixels } from './images.ts'

/** A text in the metadata of the images below. A stripped file that contains it was not stripped. */
export const SECRET = 'secret-of-the-photographer'

/** Returns chunks of private text of every kind, a time stamp and EXIF with an orientation. */
export function privatePngChunks(orientation: number): Uint8Array[] {
  const secret = Buffer.from(SECRET)
  return [
    pngChunk('tEXt', Buffer.concat([Buffer.from('Author\0'), secret])),
    pngChunk('zTXt', Buffer.concat([Buffer.from('Comment\0\0'), deflateSync(secret)])),
    pngChunk('iTXt', Buffer.concat([Buffer.from('XML:com.adobe.xmp\0\0\0\0\0'), secret])),
    pngChunk('tIME', Buffer.from([7, 0xea, 11, 21, 12, 0, 0])),
    pngChunk('eXIf', tiff(orientation)),
  ]
}

/** Returns the JPEG with EXIF (orientation, owner, GPS), XMP, IPTC and a comment. */
export function withPrivateJpegSegments(file: Buffer, orientation: number): Buffer {
  const iptc = Buffer.concat([Buffer.from('8BIM\x04\x04\0\0'), uint32(SECRET.length), Buffer.from(SECRET)])
  return Buffer.concat([
    file.subarray(0, 2),
    jpegSegment(0xe1, Buffer.concat([Buffer.from('Exif\0\0'), tiff(orientation)])),
    jpegSegment(0xe1, Buffer.from(`http://ns.adobe.com/xap/1.0/\0<x>${SECRET}</x>`)),
    jpegSegment(0xed, Buffer.concat([Buffer.from('Photoshop 3.0\0'), iptc])),
    jpegSegment(0xfe, Buffer.from(SECRET)),
    file.subarray(2),
  ])
}

/** Returns a JPEG marker segment. */
export function jpegSegment(marker: number, data: Uint8Array): Buffer {
  const length = data.length + 2
  return Buffer.concat([Buffer.from([0xff, marker, length >> 8, length & 255]), data])
}

/**
 * Returns a WebP or AVIF with EXIF (orientation, owner, GPS) and XMP. In AVIF, `irot` and `imir` are set too, and
 * override EXIF.
 */
export function privateWebpOrAvif(
  format: 'webp' | 'avif',
  pixels: Pixels,
  orientation: number,
  quality = 80,
): Promise<Buffer> {
  return encoder(pixels)
    .withExif({ IFD0: { Copyright: SECRET }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 0/1' } })
    .withXmp(`<x:xmpmeta xmlns:x="adobe:ns:meta/"><!-- ${SECRET} --></x:xmpmeta>`)
    .withMetadata({ orientation })
    .toFormat(format, { quality, effort: format === 'avif' ? 0 : 4 })
    .toBuffer()
}

/** Returns a TIFF block (EXIF) with Orientation, Copyright and a GPS latitude reference. */
export function tiff(orientation: number): Buffer {
  const entry = (tag: number, type: number, count: number, value: number) => {
    const bytes = Buffer.alloc(12)
    bytes.writeUInt16BE(tag, 0)
    bytes.writeUInt16BE(type, 2)
    bytes.writeUInt32BE(count, 4)
    if (type === 3) bytes.writeUInt16BE(value, 8)
    else bytes.writeUInt32BE(value, 8)
    return bytes
  }
  const gpsAt = 8 + 2 + 3 * 12 + 4
  const textAt = gpsAt + 2 + 12 + 4
  const latitudeNorth = entry(1, 2, 2, 0x4e000000)
  return Buffer.concat([
    Buffer.from('MM\0*\0\0\0\x08\0\x03', 'latin1'),
    entry(0x0112, 3, 1, orientation),
    entry(0x8298, 2, SECRET.length + 1, textAt),
    entry(0x8825, 4, 1, gpsAt),
    uint32(0),
    Buffer.from([0, 1]),
    latitudeNorth,
    uint32(0),
    Buffer.from(`${SECRET}\0`),
  ])
}
