import { crc32 } from 'node:zlib'

/** The first eight bytes of every PNG (PNG 3rd edition, 5.2). */
const SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')

/** Fields of IHDR (11.2.1); by default 8-bit RGB, not interlaced. */
interface PngHeader {
  width: number
  height: number
  depth?: number
  colourType?: number
  /** Compression, filter and interlace method. */
  methods?: readonly number[]
}

/** Returns a chunk with its length and checksum (5.3). */
export function pngChunk(type: string, body: Uint8Array = new Uint8Array()): Uint8Array<ArrayBuffer> {
  const content = Buffer.concat([Buffer.from(type, 'latin1'), body])
  return joined([uint32(body.length), content, uint32(crc32(content))])
}

/** Returns the chunk with the size and kind of the pixels. */
export function ihdrChunk({ width, height, depth = 8, colourType = 2, methods = [0, 0, 0] }: PngHeader) {
  return pngChunk('IHDR', joined([uint32(width), uint32(height), Uint8Array.of(depth, colourType, ...methods)]))
}

/** Returns a file of exactly these chunks. They need not form an image. */
export function pngOfChunks(chunks: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  return joined([SIGNATURE, ...chunks])
}

/** Returns four bytes, most significant first. */
export function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value >>> 0)
  return bytes
}

/** Returns a copy, because Node's buffers may share memory. */
function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.concat(parts))
}
