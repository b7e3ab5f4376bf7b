import { crc32, deflateSync } from 'node:zlib'
import type { Pixels } from './pictures.ts'

/** An APNG; a single frame is still an animation container (D37). */
export function animatedPng(frames: readonly Pixels[]): Buffer {
  const [first] = frames
  if (first === undefined) throw new Error('an animation needs a frame')
  let sequence = 0
  const pieces = frames.flatMap((frame, index) => {
    const control = Buffer.alloc(26)
    control.writeUInt32BE(sequence++, 0)
    control.writeUInt32BE(frame.width, 4)
    control.writeUInt32BE(frame.height, 8)
    control.writeUInt16BE(1, 20)
    control.writeUInt16BE(10, 22)
    const pixels = deflateSync(unfiltered(frame))
    if (index === 0) return [pngChunk('fcTL', control), pngChunk('IDAT', pixels)]
    return [pngChunk('fcTL', control), pngChunk('fdAT', Buffer.concat([uint32(sequence++), pixels]))]
  })
  const animation = pngChunk('acTL', Buffer.concat([uint32(frames.length), uint32(0)]))
  return pngFile(first.width, first.height, first.channels === 4 ? 6 : 2, [animation, ...pieces])
}

/** A PNG of any claimed size with the given chunks between IHDR and IEND; the size need not be true. */
export function pngFile(width: number, height: number, colourType: number, chunks: readonly Buffer[]): Buffer {
  const header = Buffer.concat([uint32(width), uint32(height), Buffer.from([8, colourType, 0, 0, 0])])
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10])
  return Buffer.concat([signature, pngChunk('IHDR', header), ...chunks, pngChunk('IEND', Buffer.alloc(0))])
}

/** One PNG chunk with its length and CRC. */
export function pngChunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  return Buffer.concat([uint32(data.length), body, uint32(crc32(body))])
}

/** The PNG with more chunks right after IHDR. */
export function withPngChunks(file: Buffer, chunks: readonly Buffer[]): Buffer {
  const afterHeader = 8 + 25
  return Buffer.concat([file.subarray(0, afterHeader), ...chunks, file.subarray(afterHeader)])
}

/** A PNG of exactly `length` bytes: a private chunk, which every decoder passes over, fills it. */
export function paddedPng(file: Buffer, length: number): Buffer {
  return withPngChunks(file, [pngChunk('tnTp', Buffer.alloc(length - file.length - 12))])
}

/** Four bytes, most significant first. */
export function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value >>> 0)
  return bytes
}

function unfiltered({ data, width, height, channels }: Pixels): Buffer {
  const stride = width * channels
  return Buffer.concat(
    Array.from({ length: height }, (_, y) =>
      Buffer.concat([Buffer.of(0), data.subarray(y * stride, (y + 1) * stride)]),
    ),
  )
}
