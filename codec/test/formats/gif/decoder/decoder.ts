import { Status } from '../../../../assembly/status.ts'
import { type Arena, newInstance, put, takeImage } from '../../../instance.ts'

export interface DecoderExports extends Arena {
  toImage(width: number, height: number, turn: number): void
  openGif(file: number, bytes: number): number
  decodeGif(): number
  image(): number
}

/** The end of a decoding: its status, and RGBA if that is `Status.Ok`. */
export interface Decoded {
  readonly status: number
  readonly rgba: Buffer
}

/** A fresh instance of the decoder's module. */
export const newDecoder = newInstance<DecoderExports>

/** The first image at `width` x `height`, as the service makes thumbnails. */
export function decodeRgba(decoder: DecoderExports, file: Uint8Array, width: number, height: number): Decoded {
  decoder.reset()
  const at = put(decoder, file)
  decoder.toImage(width, height, 1)
  let status = decoder.openGif(at, file.length)
  if (status === Status.Ok) status = decoder.decodeGif()
  return { status, rgba: takeImage(decoder, status, width * height) }
}
