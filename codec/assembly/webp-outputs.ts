// WebPs of an image, one or several. The first is encoded while the image is decoded, unless that is rotated. The
// samples of the others are held and encoded one after the other, since there is one encoder.

import { checkpoint, release } from './arena/memory'
import { alphBytes, encodeAlph } from './formats/webp-alpha/encoder/encoder'
import { encodeVp8Row, finishVp8Encoder, startVp8Encoder } from './formats/webp-lossy/encoder/encoder'
import { alphaOf, alsoToMacroblockRows, handOnRow, rewindRows, toHeldRows, toMacroblockRows } from './pipeline/sink'
import { Status } from './status'

/** Width, height and quality of each, i32. */
const WANTED: usize = memory.data(8 * 12, 4)
const WANTED_BYTES: usize = 12

/** The output that is encoded. */
@unmanaged
class WebpOutput {
  /** The one that is encoded, and how its encoder started. */
  present: i32
  started: Status
  hasAlpha: bool
  /** The arena's end before the first encoder took memory; 0 until then. */
  beforeEncoder: usize
}

const webp: WebpOutput = changetype<WebpOutput>(memory.data(offsetof<WebpOutput>(), 4))

/** Wants a lossy WebP of `columns` x `rows` upright pixels at a quality of 0 to 100. */
export function toWebp(columns: i32, rows: i32, orientation: i32, quality: i32): void {
  startOutputs()
  toMacroblockRows(columns, rows, orientation, encode)
  want(0, columns, rows, quality)
}

/** Wants a lossy WebP whose samples are held, so that it can be encoded several times, or as a JPEG (jpeg-output.ts). */
export function toHeldWebp(columns: i32, rows: i32, orientation: i32, quality: i32): void {
  startOutputs()
  toHeldRows(columns, rows, orientation)
  want(0, columns, rows, quality)
}

/** After `toWebp`: wants another as well, 8 in all; until it is encoded 1.5 bytes a pixel are held, or 2.5 with alpha. */
export function alsoToWebp(columns: i32, rows: i32, orientation: i32, quality: i32): void {
  want(alsoToMacroblockRows(columns, rows, orientation), columns, rows, quality)
}

/**
 * Ends the WebP whose pixels a decoder has delivered: `More` where it is to be called again. After `Ok`, without alpha it is at
 * `fileStart()`, `fileBytes()` long; the payload of its ALPH chunk is at `alphStart()`, `alphaBytes()` long.
 */
export function finishWebp(): Status {
  if (handOnRow(webp.present, encode)) return Status.More
  const status = webp.started == Status.Ok ? finishVp8Encoder() : webp.started
  if (status != Status.Ok) return status
  const alpha = alphaOf(webp.present)
  webp.hasAlpha = alpha != null
  if (alpha != null) encodeAlph(alpha.alphas, alpha.width, alpha.height)
  return Status.Ok
}

/** Selects the next output, for `finishWebp`. The file of the previous one becomes invalid. */
export function nextWebp(): void {
  freeEncoder()
  startEncoding(webp.present + 1)
}

/** Restarts the present output, which is held, at another quality, for `finishWebp`. */
export function repeatWebp(quality: i32): void {
  freeEncoder()
  rewindRows(webp.present)
  store<i32>(WANTED + <usize>webp.present * WANTED_BYTES, quality, 8)
  startEncoding(webp.present)
}

/** Frees the memory of the encoder that ran last. */
export function freeEncoder(): void {
  rememberArena()
  release(webp.beforeEncoder)
}

/** Length of the ALPH chunk's payload; 0 of an opaque image. */
export function alphaBytes(): usize {
  return webp.hasAlpha ? alphBytes() : 0
}

function want(i: i32, columns: i32, rows: i32, quality: i32): void {
  const wanted = WANTED + <usize>i * WANTED_BYTES
  store<i32>(wanted, columns)
  store<i32>(wanted, rows, 4)
  store<i32>(wanted, quality, 8)
}

function startOutputs(): void {
  webp.beforeEncoder = 0
  startEncoding(0)
}

function startEncoding(i: i32): void {
  webp.present = i
  webp.started = Status.NoPixels
  webp.hasAlpha = false
}

/** The encoder starts with its first macroblock row: until then a decoder may need the memory for coefficients. */
function encode(row: i32, y: usize, u: usize, v: usize, yStride: i32, uvStride: i32): void {
  if (row == 0) {
    const wanted = WANTED + <usize>webp.present * WANTED_BYTES
    rememberArena()
    webp.started = startVp8Encoder(load<i32>(wanted), load<i32>(wanted, 4), load<i32>(wanted, 8))
  }
  if (webp.started == Status.Ok) encodeVp8Row(row, y, u, v, yStride, uvStride)
}

function rememberArena(): void {
  if (webp.beforeEncoder == 0) webp.beforeEncoder = checkpoint()
}
