import { Status } from '../../../../assembly/status.ts'
import { type Arena, newInstance } from '../../../instance.ts'

/** An image as planes of BT.601 video range: Y, then U and V of half the sides, rounded up. */
export interface Yuv {
  readonly width: number
  readonly height: number
  readonly samples: Uint8Array
}

/** The exports that the encoder is used with. */
export interface EncoderExports extends Arena {
  startVp8Encoder(width: number, height: number, quality: number): number
  encodeVp8Row(mbRow: number, y: number, u: number, v: number, stride: number, chromaStride: number): void
  finishVp8Encoder(): number
  fileStart(): number
  fileBytes(): number
  lumaLineAbove(): number
  chromaLineAbove(): number
}

/** A fresh instance of the encoder's module. */
export function newEncoder(): EncoderExports {
  return newInstance()
}

/** Encodes an image by macroblock rows, as a decoder hands it over, and calls `seeRow` after each. Returns the WebP file. */
export function encode(
  encoder: EncoderExports,
  image: Yuv,
  quality: number,
  seeRow: (mbRow: number) => void = () => {},
): Buffer {
  const { width, height, samples } = image
  const chromaWidth = (width + 1) >> 1
  const chromaHeight = (height + 1) >> 1
  const stride = (width + 15) & ~15
  encoder.reset()
  const y = encoder.allocate(stride * 16)
  const u = encoder.allocate(stride * 4)
  const v = encoder.allocate(stride * 4)
  const started = encoder.startVp8Encoder(width, height, quality)
  if (started !== Status.Ok) throw new Error(`startVp8Encoder answered ${started}`)
  const uStart = width * height
  const vStart = uStart + chromaWidth * chromaHeight
  for (let mbRow = 0; mbRow * 16 < height; mbRow++) {
    const memory = new Uint8Array(encoder.memory.buffer)
    copyRows(memory, y, stride, samples, 0, width, height, mbRow * 16, 16)
    copyRows(memory, u, stride / 2, samples, uStart, chromaWidth, chromaHeight, mbRow * 8, 8)
    copyRows(memory, v, stride / 2, samples, vStart, chromaWidth, chromaHeight, mbRow * 8, 8)
    encoder.encodeVp8Row(mbRow, y, u, v, stride, stride / 2)
    seeRow(mbRow)
  }
  const finished = encoder.finishVp8Encoder()
  if (finished !== Status.Ok) throw new Error(`finishVp8Encoder answered ${finished}`)
  return Buffer.from(encoder.memory.buffer.slice(encoder.fileStart(), encoder.fileStart() + encoder.fileBytes()))
}

function copyRows(
  memory: Uint8Array,
  to: number,
  stride: number,
  samples: Uint8Array,
  planeStart: number,
  width: number,
  height: number,
  firstLine: number,
  lines: number,
): void {
  for (let line = 0; line < lines; line++) {
    const from = planeStart + Math.min(firstLine + line, height - 1) * width
    const at = to + line * stride
    memory.set(samples.subarray(from, from + width), at)
    memory.fill(memory[at + width - 1] ?? 0, at + width, at + stride)
  }
}
