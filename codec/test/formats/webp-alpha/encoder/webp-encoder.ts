import { webpChunk } from '../../../../../test/support/webp.ts'
import { Status } from '../../../../assembly/status.ts'
import { type Arena, newInstance } from '../../../instance.ts'
import type { TestImage } from '../../webp-lossless/decoder/made-images.ts'
import { extendedWebp } from '../decoder/webp-files.ts'

/** The exports that an image of RGBA becomes a lossy WebP with. */
export interface WebpEncoderExports extends Arena {
  toWebp(width: number, height: number, orientation: number, quality: number): void
  openRgba(width: number, height: number): void
  feedRgba(pixels: number, rows: number): void
  finish(): number
  finishWebp(): number
  fileStart(): number
  fileBytes(): number
  alphStart(): number
  alphaBytes(): number
}

/** Options of a file; by default quality 80 and upright. */
export interface Options {
  readonly quality?: number
  readonly orientation?: number
}

/** Bytes that must be readable beyond a row. */
const SLACK = 64

/** A fresh instance of the module. */
export function newWebpEncoder(): WebpEncoderExports {
  return newInstance()
}

/** The WebP file of an image, fed row by row: of the simple form if it is opaque. */
export function webp(encoder: WebpEncoderExports, image: TestImage, options: Options = {}): Buffer {
  const { quality = 80, orientation = 1 } = options
  const [width, height] = orientation < 5 ? [image.width, image.height] : [image.height, image.width]
  encoder.reset()
  const row = encoder.allocate(image.width * 4 + SLACK)
  encoder.toWebp(width, height, orientation, quality)
  encoder.openRgba(image.width, image.height)
  for (let y = 0; y < image.height; y++) {
    const pixels = image.rgba.subarray(y * image.width * 4, (y + 1) * image.width * 4)
    new Uint8Array(encoder.memory.buffer).set(pixels, row)
    encoder.feedRgba(row, 1)
  }
  assertOk(encoder.finish())
  assertOk(encoder.finishWebp())
  const file = taken(encoder, encoder.fileStart(), encoder.fileBytes())
  if (encoder.alphaBytes() === 0) return file
  const frame = webpChunk(file, 'VP8 ')
  if (!frame) throw new Error('no frame')
  return extendedWebp(width, height, frame, taken(encoder, encoder.alphStart(), encoder.alphaBytes()))
}

function taken(encoder: WebpEncoderExports, start: number, bytes: number): Buffer {
  return Buffer.from(encoder.memory.buffer.slice(start, start + bytes))
}

function assertOk(status: number): void {
  if (status !== Status.Ok) throw new Error(`status ${status}`)
}
