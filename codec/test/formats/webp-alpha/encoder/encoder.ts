import { webpChunk } from '../../../../../test/support/webp.ts'
import { type Arena, newInstance } from '../../../instance.ts'
import { encode, newEncoder } from '../../webp-lossy/encoder/encoder.ts'
import { extendedWebp } from '../decoder/webp-files.ts'
import type { Mask } from './masks.ts'

interface AlphEncoderExports extends Arena {
  encodeAlph(plane: number, width: number, height: number): void
  alphStart(): number
  alphBytes(): number
}

/** Bytes that must be readable beyond the plane. */
const SLACK = 16

const lossyEncoder = newEncoder()

/** A fresh instance of the encoder's module. */
export function newAlphEncoder(): AlphEncoderExports {
  return newInstance()
}

/** The payload of the ALPH chunk of a mask. */
export function alph(encoder: AlphEncoderExports, { width, height, alphas }: Mask): Buffer {
  encoder.reset()
  const plane = encoder.allocate(alphas.length + SLACK)
  new Uint8Array(encoder.memory.buffer).set(alphas, plane)
  encoder.encodeAlph(plane, width, height)
  return Buffer.from(encoder.memory.buffer.slice(encoder.alphStart(), encoder.alphStart() + encoder.alphBytes()))
}

/** A WebP file of one colour whose ALPH chunk has this payload. */
export function onGrey(alpha: Buffer, { width, height }: Mask): Buffer {
  const chroma = ((width + 1) >> 1) * ((height + 1) >> 1)
  const samples = new Uint8Array(width * height + 2 * chroma).fill(128)
  const frame = webpChunk(encode(lossyEncoder, { width, height, samples }, 80), 'VP8 ')
  if (!frame) throw new Error('no frame')
  return extendedWebp(width, height, frame, alpha)
}
