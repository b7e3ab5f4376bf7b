import { webpChunk } from '../../../support/webp.ts'
import { type Arena, newInstance } from '../../instance.ts'
import { encode, newEncoder } from '../../vp8/encoder/encode.ts'
import { extendedWebp } from '../decoder/webp-files.ts'
import type { Mask } from './masks.ts'

interface WriterExports extends Arena {
  encodeAlph(plane: number, width: number, height: number): void
  alphStart(): number
  alphBytes(): number
}

/** What the plane must be readable for beyond its end. */
const SLACK = 16

const encoder = newEncoder()

/** A fresh instance of the writer's module. */
export function newWriter(): WriterExports {
  return newInstance()
}

/** The payload of the ALPH chunk of a mask. */
export function alph(writer: WriterExports, { width, height, alphas }: Mask): Buffer {
  writer.reset()
  const plane = writer.allocate(alphas.length + SLACK)
  new Uint8Array(writer.memory.buffer).set(alphas, plane)
  writer.encodeAlph(plane, width, height)
  return Buffer.from(writer.memory.buffer.slice(writer.alphStart(), writer.alphStart() + writer.alphBytes()))
}

/** A WebP file of one colour whose ALPH chunk has this payload. */
export function onGrey(alpha: Buffer, { width, height }: Mask): Buffer {
  const chroma = ((width + 1) >> 1) * ((height + 1) >> 1)
  const samples = new Uint8Array(width * height + 2 * chroma).fill(128)
  const frame = webpChunk(encode(encoder, { width, height, samples }, 80), 'VP8 ')
  if (!frame) throw new Error('no frame')
  return extendedWebp(width, height, frame, alpha)
}
