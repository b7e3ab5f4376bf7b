import { Status } from '../../../../assembly/status.ts'
import { type Arena, newInstance, put, takeImage } from '../../../instance.ts'

/** A number that the module exports as a global. */
interface ExportedNumber {
  readonly value: number
}

export interface DecoderExports extends Arena {
  readonly vp8lWidth: () => number
  readonly vp8lHeight: () => number
  readonly vp8lHasAlpha: () => number
  readonly vp8lHeaderBytes: ExportedNumber
  readonly vp8lPixels: () => number
  readVp8lHeader(data: number, bytes: number): number
  startVp8lImage(data: number, bytes: number, width: number, height: number): number
  moreVp8lPixels(): number
  decodeVp8lPixels(): number
  toImage(width: number, height: number, turn: number): void
  openVp8l(data: number, bytes: number): number
  decodeVp8l(): number
  image(): number
}

/** The end of a decoding: its status, and RGBA if that is `Status.Ok`. */
export interface Decoded {
  readonly status: number
  readonly rgba: Buffer
}

/** A fresh instance of the decoder's module. */
export const newDecoder = newInstance<DecoderExports>

/** The image in a "VP8L" chunk's payload at full size, each pixel as coded; opaque where the header says so. */
export function decodePixels(decoder: DecoderExports, data: Uint8Array): Decoded {
  decoder.reset()
  const at = put(decoder, data)
  let status = decoder.readVp8lHeader(at, data.length)
  if (status !== Status.Ok) return failure(status)
  const [width, height] = [decoder.vp8lWidth(), decoder.vp8lHeight()]
  const header = decoder.vp8lHeaderBytes.value
  status = decoder.startVp8lImage(at + header, data.length - header, width, height)
  if (status !== Status.Ok) return failure(status)
  const rgba = Buffer.alloc(width * height * 4)
  for (let end = 0; decoder.moreVp8lPixels(); ) {
    status = decoder.decodeVp8lPixels()
    if (status !== Status.Ok) return failure(status)
    const row = decoder.vp8lPixels()
    end += Buffer.from(decoder.memory.buffer, row, width * 4).copy(rgba, end)
  }
  const opaque = decoder.vp8lHasAlpha() === 0
  for (let i = 0; i < rgba.length; i += 4) {
    const blue = rgba[i] ?? 0
    rgba[i] = rgba[i + 2] ?? 0
    rgba[i + 2] = blue
    if (opaque) rgba[i + 3] = 255
  }
  return { status, rgba }
}

/** The image at `width` x `height`, as the service makes thumbnails. */
export function decodeRgba(decoder: DecoderExports, data: Uint8Array, width: number, height: number): Decoded {
  decoder.reset()
  const at = put(decoder, data)
  decoder.toImage(width, height, 1)
  let status = decoder.openVp8l(at, data.length)
  if (status === Status.Ok) status = decoder.decodeVp8l()
  return { status, rgba: takeImage(decoder, status, width * height) }
}

function failure(status: number): Decoded {
  return { status, rgba: Buffer.alloc(0) }
}
