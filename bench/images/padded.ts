// Files of a wanted size: what every decoder passes over fills them.
import { crc32 } from 'node:zlib'

const COMMENT_MAX_BYTES = 65_533

/**
 * Functions that fill a file of each format with bytes that belong to no image, up to a wanted size. Formats that count in larger
 * steps may stay below it.
 */
const PADDED: Record<string, (file: Buffer, bytes: number) => Buffer> = {
  jpeg: paddedJpeg,
  'jpeg-progressive': paddedJpeg,
  png: paddedPng,
  gif: paddedGif,
  webp: paddedWebp,
  avif: paddedAvif,
}

/** Pads a file of this kind (bench/images/pictures.ts) to a length. */
export function padded(kind: string, file: Buffer, bytes: number) {
  const pad = PADDED[kind]
  if (pad === undefined) throw new Error(`a ${kind} cannot be padded`)
  if (file.length > bytes) throw new Error(`the ${kind} has ${file.length} bytes: at most ${bytes} are wanted`)
  return pad(file, bytes)
}

/** Comments (T.81, B.2.4.5) go after its first marker. */
export function paddedJpeg(jpeg: Buffer, bytes: number) {
  const parts = [jpeg.subarray(0, 2)]
  for (let missing = bytes - jpeg.length; missing > 0; ) {
    const size = Math.max(4, Math.min(missing, COMMENT_MAX_BYTES + 2))
    const comment = Buffer.alloc(size, 0x20)
    comment.writeUInt16BE(0xfffe, 0)
    comment.writeUInt16BE(size - 2, 2)
    parts.push(comment)
    missing -= size
  }
  return Buffer.concat([...parts, jpeg.subarray(2)])
}

/** A private chunk (PNG, 5.3) goes after IHDR. */
function paddedPng(png: Buffer, bytes: number) {
  const afterHeader = 8 + 25
  const size = bytes - png.length - 12
  if (size < 0) return png
  const typed = Buffer.alloc(4 + size)
  typed.write('tnTp', 'latin1')
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(size)
  checksum.writeUInt32BE(crc32(typed))
  return Buffer.concat([png.subarray(0, afterHeader), length, typed, checksum, png.subarray(afterHeader)])
}

/** A comment (GIF89a, 24) in blocks of 255 bytes goes before the trailer. */
function paddedGif(gif: Buffer, bytes: number) {
  const blocks = Math.floor((bytes - gif.length - 3) / 256)
  if (blocks < 1) return gif
  const block = Buffer.alloc(256, 0x20).fill(255, 0, 1)
  const comment = [Buffer.of(0x21, 0xfe), Buffer.alloc(256 * blocks, block), Buffer.of(0)]
  return Buffer.concat([gif.subarray(0, -1), ...comment, gif.subarray(-1)])
}

/** A chunk of no known kind (RFC 9649, 2.7) goes to the end. */
function paddedWebp(webp: Buffer, bytes: number) {
  const size = (bytes - webp.length - 8) & ~1
  if (size < 0) return webp
  const header = Buffer.from('tnTp\0\0\0\0', 'latin1')
  header.writeUInt32LE(size, 4)
  const longer = Buffer.concat([webp, header, Buffer.alloc(size)])
  longer.writeUInt32LE(longer.length - 8, 4)
  return longer
}

/** A `free` box (ISO/IEC 14496-12, 8.1.2) goes to the end. */
function paddedAvif(avif: Buffer, bytes: number) {
  const box = Buffer.alloc(Math.max(bytes - avif.length, 8))
  box.writeUInt32BE(box.length)
  box.write('free', 4, 'latin1')
  return Buffer.concat([avif, box])
}
