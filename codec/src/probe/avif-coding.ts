import type { Av1Coding } from '../container/av1-sequence.ts'
import type { Box } from '../container/boxes.ts'

/** Reads the third byte of an av1C box (AV1 Codec ISO Media File Format Binding, 2.3.3). */
export function readCoding(bytes: Uint8Array, av1C: Box): Av1Coding {
  const bits = bytes[av1C.body + 2] ?? 0
  const bitDepth = bits & 0x40 ? (bits & 0x20 ? 12 : 10) : 8
  const chroma = bits & 0x10 ? '4:0:0' : bits & 0x08 ? (bits & 0x04 ? '4:2:0' : '4:2:2') : '4:4:4'
  return { bitDepth, chroma }
}
