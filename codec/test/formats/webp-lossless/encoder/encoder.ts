import { type Arena, newInstance } from '../../../instance.ts'
import type { TestImage } from '../decoder/made-images.ts'

interface EncoderExports extends Arena {
  startLosslessSurvey(columns: number): void
  surveyLosslessRow(rgba: number): void
  startLossless(columns: number, rows: number, coding: number): void
  addLosslessRow(rgba: number): void
  finishLossless(): void
  streamStart(): number
  streamBytes(): number
}

/** The ways of coding, as in codec/assembly/formats/webp-lossless/encoder/image.ts. */
export const CODINGS = { direct: 0, lessGreen: 1, predictedLessGreen: 2, indexed: 3, predicted: 4 }

export const encoder = newInstance<EncoderExports>()

function eachRow({ width, height, rgba }: TestImage, start: () => void, add: (row: number) => void): void {
  encoder.reset()
  const row = encoder.allocate(4 * width + 64)
  start()
  for (let y = 0; y < height; y++) {
    new Uint8Array(encoder.memory.buffer).set(rgba.subarray(4 * width * y, 4 * width * (y + 1)), row)
    add(row)
  }
}

/** A lossless WebP of an image. */
export function webp(image: TestImage, coding: number): Buffer {
  const { width, height } = image
  eachRow(image, () => encoder.startLosslessSurvey(width), encoder.surveyLosslessRow)
  eachRow(image, () => encoder.startLossless(width, height, coding), encoder.addLosslessRow)
  encoder.finishLossless()
  const stream = Buffer.from(encoder.memory.buffer, encoder.streamStart(), encoder.streamBytes())
  const padding = stream.length % 2
  const head = Buffer.from('RIFF....WEBPVP8L....')
  head.writeUInt32LE(12 + stream.length + padding, 4)
  head.writeUInt32LE(stream.length, 16)
  return Buffer.concat([head, stream, Buffer.alloc(padding)])
}
