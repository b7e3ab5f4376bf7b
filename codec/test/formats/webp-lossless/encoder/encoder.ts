import { type Arena, newInstance } from '../../../instance.ts'
import type { TestImage } from '../decoder/made-images.ts'

interface EncoderExports extends Arena {
  startLosslessSurvey(columns: number): void
  surveyLosslessRow(rgba: number): void
  finishLosslessSurvey(): number
  nextLosslessCoding(tried: number): number
  startLossless(columns: number, rows: number, coding: number): void
  addLosslessRow(rgba: number): void
  finishLossless(): void
  streamStart(): number
  streamBytes(): number
}

/** The ways of coding, as in codec/assembly/formats/webp-lossless/encoder/image.ts. */
export const CODINGS = {
  direct: 0,
  lessGreen: 1,
  predictedLessGreen: 2,
  indexed: 3,
  predicted: 4,
  coarselyPredicted: 5,
}

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

/** Returns the codings of an image in the order in which they are tried. */
export function triedCodings(image: TestImage): number[] {
  survey(image)
  encoder.finishLosslessSurvey()
  const codings: number[] = []
  for (let tried = 0; ; ) {
    const coding = encoder.nextLosslessCoding(tried)
    if (codings.includes(coding)) return codings
    codings.push(coding)
    tried |= 1 << coding
    encode(image, coding)
  }
}

function survey(image: TestImage): void {
  eachRow(image, () => encoder.startLosslessSurvey(image.width), encoder.surveyLosslessRow)
}

function encode(image: TestImage, coding: number): void {
  const { width, height } = image
  eachRow(image, () => encoder.startLossless(width, height, coding), encoder.addLosslessRow)
  encoder.finishLossless()
}

/** A lossless WebP of an image. */
export function webp(image: TestImage, coding: number): Buffer {
  survey(image)
  encode(image, coding)
  const stream = Buffer.from(encoder.memory.buffer, encoder.streamStart(), encoder.streamBytes())
  const padding = stream.length % 2
  const head = Buffer.from('RIFF....WEBPVP8L....')
  head.writeUInt32LE(12 + stream.length + padding, 4)
  head.writeUInt32LE(stream.length, 16)
  return Buffer.concat([head, stream, Buffer.alloc(padding)])
}
