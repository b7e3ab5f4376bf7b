import { deflateSync } from 'node:zlib'
import { Status } from '../../../../assembly/status.ts'
import { type Arena, newInstance, put, takeImage } from '../../../instance.ts'

export interface DecoderExports extends Arena {
  toImage(width: number, height: number, turn: number): void
  readPngHeader(
    ihdr: number,
    ihdrBytes: number,
    plte: number,
    plteBytes: number,
    trns: number,
    trnsBytes: number,
    cut: boolean,
  ): number
  openPng(canvasBudget: number): number
  inputRoom(): number
  inputRoomBytes(): number
  giveInput(bytes: number, isLast: boolean): void
  stepPng(): number
  finish(): number
  image(): number
}

/** The parts of a PNG before its pixels, and the inflated pixels, to be deflated again. */
export interface PngParts {
  readonly ihdr: Uint8Array
  readonly plte?: Uint8Array | undefined
  readonly trns?: Uint8Array | undefined
  /** The deflated bytes come in pieces of as many bytes as the first of these. */
  readonly idats: Iterable<Uint8Array>
}

/** The end of a decoding: its status, and RGBA if that is `Status.Ok`. */
export interface Decoded {
  readonly status: number
  readonly rgba: Buffer
}

/** The canvas of an interlaced image: 64 MB, enough for 16 MP with alpha. */
const CANVAS_BUDGET = 64 * 2 ** 20

/** A fresh instance of the decoder's module. */
export const newDecoder = newInstance<DecoderExports>

/** The image at `width` x `height`, as the service makes thumbnails. */
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
  decoder.toImage(width, height, 1)
  const inflated = [...parts.idats]
  const read = decoder.readPngHeader(...chunks, false)
  const status = read === Status.Ok ? decoder.openPng(canvasBudget) : read
  const data = deflateSync(Buffer.concat(inflated), { level: inflated.length % 10 })
  return decodeData(decoder, status, cut(data, inflated[0]?.length || 1), width * height)
}

/** Steps of what was opened with this `status`; the data of its IDAT chunks come in these pieces. */
function decodeData(decoder: DecoderExports, opened: number, idats: readonly Uint8Array[], pixels: number): Decoded {
  let status = opened === Status.Ok ? Status.More : opened
  const left = [...idats]
  while (status === Status.More || status === Status.NeedsInput) {
    if (status === Status.NeedsInput) {
      const at = decoder.inputRoom()
      const idat = left.shift() ?? new Uint8Array()
      const taken = idat.subarray(0, decoder.inputRoomBytes())
      if (taken.length < idat.length) left.unshift(idat.subarray(taken.length))
      new Uint8Array(decoder.memory.buffer).set(taken, at)
      decoder.giveInput(taken.length, left.length === 0)
    }
    status = decoder.stepPng()
  }
  if (status === Status.Ok) status = decoder.finish()
  return { status, rgba: takeImage(decoder, status, pixels) }
}

function cut(bytes: Uint8Array, size: number): Uint8Array[] {
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) => bytes.subarray(i * size, (i + 1) * size))
}
