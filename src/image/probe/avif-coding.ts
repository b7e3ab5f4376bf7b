import type { Box } from '../container/boxes.ts'

/** How the samples of an AV1 picture are coded. */
export interface Av1Coding {
  bitDepth: 8 | 10 | 12
  chroma: '4:0:0' | '4:2:0' | '4:2:2' | '4:4:4'
}

/** av1C (AV1 Codec ISO Media File Format Binding, 2.3.3): its third byte has a bit for each. */
export function readCoding(bytes: Uint8Array, av1C: Box): Av1Coding {
  const bits = bytes[av1C.body + 2] ?? 0
  const bitDepth = bits & 0x40 ? (bits & 0x20 ? 12 : 10) : 8
  const chroma = bits & 0x10 ? '4:0:0' : bits & 0x08 ? (bits & 0x04 ? '4:2:0' : '4:2:2') : '4:4:4'
  return { bitDepth, chroma }
}
