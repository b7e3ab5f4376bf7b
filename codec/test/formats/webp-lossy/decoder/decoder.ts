import { Status } from '../../../../assembly/status.ts'
import { type Arena, newInstance, put, takeImage } from '../../../instance.ts'

/** A number that the module exports as a global. */
interface ExportedNumber {
  readonly value: number
}

export interface DecoderExports extends Arena {
  readonly vp8Width: () => number
  readonly vp8Height: () => number
  readonly vp8Stride: () => number
  readonly vp8ChromaStride: () => number
  readonly vp8ReadyY: () => number
  readonly vp8ReadyU: () => number
  readonly vp8ReadyV: () => number
  readonly vp8ReadyRows: () => number
  readonly vp8ReadyChromaRows: () => number
  /** u8[1056]: how likely it is that a token probability stays as it is (RFC 6386, 13.4). */
  readonly vp8UpdateProbs: ExportedNumber
  readVp8Header(frame: number, bytes: number): number
  startVp8Frame(filtered: boolean): void
  moreVp8Rows(): number
  decodeVp8Row(): number
  toImage(width: number, height: number, turn: number): void
  openVp8(frame: number, bytes: number): number
  stepVp8(): number
  decodeVp8(): number
  finish(): number
  image(): number
}

/** The end of a decoding: its status, and the samples if that is `Status.Ok`. */
export interface Decoded {
  readonly status: number
  readonly samples: Buffer
}

/** A fresh instance of the decoder's module. */
export const newDecoder = newInstance<DecoderExports>

/**
 * The whole image at full resolution: the Y plane, then U, then V; without its loop filter if not `filtered`. Throws where a
 * image has other rows than its header says.
 */
export function decodeYuv(decoder: DecoderExports, frame: Uint8Array, filtered = true): Decoded {
  decoder.reset()
  return decodeYuvAt(decoder, put(decoder, frame), frame.length, filtered)
}

/** Decodes a frame that is in the decoder's memory. */
export function decodeYuvAt(decoder: DecoderExports, at: number, bytes: number, filtered = true): Decoded {
  const failure = (status: number): Decoded => ({ status, samples: Buffer.alloc(0) })
  const status = decoder.readVp8Header(at, bytes)
  if (status !== Status.Ok) return failure(status)
  decoder.startVp8Frame(filtered)
  const width = decoder.vp8Width()
  const height = decoder.vp8Height()
  const chromaWidth = (width + 1) >> 1
  const chromaSize = chromaWidth * ((height + 1) >> 1)
  const samples = Buffer.alloc(width * height + 2 * chromaSize)
  let y = 0
  let u = width * height
  let v = u + chromaSize
  let [rows, chromaRows] = [0, 0]
  while (decoder.moreVp8Rows()) {
    const rowStatus = decoder.decodeVp8Row()
    if (rowStatus !== Status.Ok) return failure(rowStatus)
    rows += decoder.vp8ReadyRows()
    chromaRows += decoder.vp8ReadyChromaRows()
    const memory = Buffer.from(decoder.memory.buffer)
    for (let row = 0; row < decoder.vp8ReadyRows(); row++) {
      const at = decoder.vp8ReadyY() + row * decoder.vp8Stride()
      y += memory.copy(samples, y, at, at + width)
    }
    for (let row = 0; row < decoder.vp8ReadyChromaRows(); row++) {
      const offset = row * decoder.vp8ChromaStride()
      u += memory.copy(samples, u, decoder.vp8ReadyU() + offset, decoder.vp8ReadyU() + offset + chromaWidth)
      v += memory.copy(samples, v, decoder.vp8ReadyV() + offset, decoder.vp8ReadyV() + offset + chromaWidth)
    }
  }
  if (rows !== height || chromaRows !== (height + 1) >> 1)
    throw new Error(`${rows} and ${chromaRows} of ${height} rows`)
  return { status: Status.Ok, samples }
}

/** The image at `width` x `height` as RGBA, as the service makes thumbnails. */
export function decodeRgba(decoder: DecoderExports, frame: Uint8Array, width: number, height: number): Decoded {
  decoder.reset()
  const file = put(decoder, frame)
  decoder.toImage(width, height, 1)
  let status = decoder.openVp8(file, frame.length)
  if (status === Status.Ok) status = decoder.decodeVp8()
  return { status, samples: takeImage(decoder, status, width * height) }
}
