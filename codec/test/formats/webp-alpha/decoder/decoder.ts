import { Status } from '../../../../assembly/status.ts'
import { type Arena, newInstance, put, takeImage } from '../../../instance.ts'

export interface DecoderExports extends Arena {
  readonly alphaRow: () => number
  openAlpha(data: number, bytes: number, width: number, height: number): number
  nextAlphaRow(): number
  toImage(width: number, height: number, turn: number): void
  openWebpAlpha(frame: number, frameBytes: number, alpha: number, alphaBytes: number): number
  decodeWebpAlpha(): number
  image(): number
}

/** The payloads of a WebP's chunks. */
export interface Chunks {
  readonly frame: Uint8Array
  readonly alpha: Uint8Array
}

/** The end of a decoding: its status, and the samples if that is `Status.Ok`. */
export interface Decoded {
  readonly status: number
  readonly samples: Buffer
}

/** A fresh instance of the decoder's module. */
export const newDecoder = newInstance<DecoderExports>

/** All alphas of an ALPH chunk's payload. */
export function decodeAlpha(decoder: DecoderExports, data: Uint8Array, width: number, height: number): Decoded {
  decoder.reset()
  let status = decoder.openAlpha(put(decoder, data), data.length, width, height)
  if (status !== Status.Ok) return failure(status)
  const samples = Buffer.alloc(width * height)
  for (let y = 0; y < height; y++) {
    status = decoder.nextAlphaRow()
    if (status !== Status.Ok) return failure(status)
    Buffer.from(decoder.memory.buffer, decoder.alphaRow(), width).copy(samples, y * width)
  }
  return { status, samples }
}

/** The image at `width` x `height` as RGBA, as the service makes thumbnails. */
export function decodeRgba(decoder: DecoderExports, chunks: Chunks, width: number, height: number): Decoded {
  decoder.reset()
  const frame = put(decoder, chunks.frame)
  const alpha = put(decoder, chunks.alpha)
  decoder.toImage(width, height, 1)
  let status = decoder.openWebpAlpha(frame, chunks.frame.length, alpha, chunks.alpha.length)
  if (status === Status.Ok) status = decoder.decodeWebpAlpha()
  return { status, samples: takeImage(decoder, status, width * height) }
}

function failure(status: number): Decoded {
  return { status, samples: Buffer.alloc(0) }
}
