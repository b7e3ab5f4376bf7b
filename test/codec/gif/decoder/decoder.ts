import { Status } from '../../../../src/codec/status.ts'
import { type Arena, newInstance } from '../../instance.ts'

/** What the module exports for it. */
export interface DecoderExports extends Arena {
  toPicture(width: number, height: number, turn: number): void
  openGif(file: number, bytes: number): number
  decodeGif(): number
  picture(): number
}

/** The end of a decoding: its status, and RGBA if that is `Status.Ok`. */
export interface Decoded {
  readonly status: number
  readonly rgba: Buffer
}

/** A fresh instance of the decoder's module. */
export function newDecoder(): DecoderExports {
  return newInstance()
}

/** The first image at `width` x `height`, as the service makes thumbnails. */
export function decodeRgba(decoder: DecoderExports, file: Uint8Array, width: number, height: number): Decoded {
  decoder.reset()
  const at = decoder.allocate(file.length)
  new Uint8Array(decoder.memory.buffer).set(file, at)
  decoder.toPicture(width, height, 1)
  let status = decoder.openGif(at, file.length)
  if (status === Status.Ok) status = decoder.decodeGif()
  const start = status === Status.Ok ? decoder.picture() : 0
  const end = status === Status.Ok ? start + width * height * 4 : 0
  return { status, rgba: Buffer.from(decoder.memory.buffer.slice(start, end)) }
}
