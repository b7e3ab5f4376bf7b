import { deflateSync } from 'node:zlib'
import { ihdrChunk, pngChunk, pngOfChunks, uint32 } from '../../support/png.ts'
import type { Pixels } from './images.ts'

/** Returns an APNG. A single frame is still an animation container (D37). */
export function animatedPng(frames: readonly Pixels[]): Buffer {
  const [first] = frames
  if (first === undefined) throw new Error('an animation needs a frame')
  let sequence = 0
  const chunks = frames.flatMap((frame, index) => {
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
  return pngFile(first.width, first.height, first.channels === 4 ? 6 : 2, [animation, ...chunks])
}

/** Returns a PNG with the given chunks between IHDR and IEND, whose size may be false. */
export function pngFile(width: number, height: number, colourType: number, chunks: readonly Uint8Array[]): Buffer {
  return Buffer.from(pngOfChunks([ihdrChunk({ width, height, colourType }), ...chunks, pngChunk('IEND')]))
}

/** Returns the PNG with more chunks right after IHDR. */
export function withPngChunks(file: Buffer, chunks: readonly Uint8Array[]): Buffer {
  const afterHeader = 8 + 25
  return Buffer.concat([file.subarray(0, afterHeader), ...chunks, file.subarray(afterHeader)])
}

/** Returns a PNG of exactly `length` bytes, padded by a private chunk, which decoders ignore. */
export function paddedPng(file: Buffer, length: number): Buffer {
  return withPngChunks(file, [pngChunk('tnTp', Buffer.alloc(length - file.length - 12))])
}

function unfiltered({ data, width, height, channels }: Pixels): Buffer {
  const stride = width * channels
  return Buffer.concat(
    Array.from({ length: height }, (_, y) =>
      Buffer.concat([Buffer.of(0), data.subarray(y * stride, (y + 1) * stride)]),
    ),
  )
}
