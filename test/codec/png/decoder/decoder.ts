import { Status } from '../../../../codec/assembly/status.ts'
import { type Arena, newInstance, put, takePicture } from '../../instance.ts'

/** What the module exports for it. */
export interface DecoderExports extends Arena {
  toPicture(width: number, height: number, turn: number): void
  openPng(
    ihdr: number,
    ihdrBytes: number,
    plte: number,
    plteBytes: number,
    trns: number,
    trnsBytes: number,
    canvasBudget: number,
  ): number
  feedPng(at: number, bytes: number): number
  finishPng(): number
  picture(): number
}

/** What stands in a PNG before its pixels, and the pixels inflated. */
export interface PngParts {
  readonly ihdr: Uint8Array
  readonly plte?: Uint8Array | undefined
  readonly trns?: Uint8Array | undefined
  /** In whatever pieces they come. */
  readonly pieces: Iterable<Uint8Array>
}

/** The end of a decoding: its status, and RGBA if that is `Status.Ok`. */
export interface Decoded {
  readonly status: number
  readonly rgba: Buffer
}

/** The canvas of an interlaced picture: 64 MB, enough for 16 MP with alpha. */
const CANVAS_BUDGET = 64 * 2 ** 20
/** The most bytes of a piece that is fed at once. */
const PIECE_BYTES = 256 * 1024
/** The decoder may read this much beyond a piece. */
const SLACK = 16

/** A fresh instance of the decoder's module. */
export const newDecoder = newInstance<DecoderExports>

/** The picture at `width` x `height`, as the service makes thumbnails. */
export function decodeRgba(
  decoder: DecoderExports,
  parts: PngParts,
  width: number,
  height: number,
  canvasBudget = CANVAS_BUDGET,
): Decoded {
  decoder.reset()
  const placed = (bytes: Uint8Array = new Uint8Array()) => [put(decoder, bytes), bytes.length] as const
  const chunks = [...placed(parts.ihdr), ...placed(parts.plte), ...placed(parts.trns)] as const
  const piece = decoder.allocate(PIECE_BYTES + SLACK)
  decoder.toPicture(width, height, 1)
  let status = decoder.openPng(...chunks, canvasBudget)
  for (const bytes of parts.pieces) {
    for (let at = 0; status === Status.Ok && at < bytes.length; at += PIECE_BYTES) {
      const part = bytes.subarray(at, at + PIECE_BYTES)
      new Uint8Array(decoder.memory.buffer).set(part, piece)
      status = decoder.feedPng(piece, part.length)
    }
  }
  if (status === Status.Ok) status = decoder.finishPng()
  return { status, rgba: takePicture(decoder, status, width * height) }
}
