import { hasText, uint16BE, uint32BE } from '../bytes.ts'
import { findAv1Size } from '../container/av1-sequence.ts'
import { type Box, boxes, findBox } from '../container/boxes.ts'
import { ImageRefusal } from '../refusal.ts'
import type { StillFacts } from './avif.ts'
import { readCoding } from './avif-coding.ts'
import { requireSize } from './size.ts'

/** Of a visual sample entry, before the boxes it holds (ISO/IEC 14496-12, 12.1.3). */
const SAMPLE_ENTRY_BYTES = 78

/** The first track of an image sequence with this handler: `pict` its pictures, `auxv` what goes with them, as alpha. */
export function findTrack(bytes: Uint8Array, handlerType: 'pict' | 'auxv'): Box | undefined {
  const moov = findBox(bytes, { body: 0, end: bytes.length }, 'moov')
  if (!moov) return undefined
  for (const trak of boxes(bytes, moov.body, moov.end)) {
    const handler = trak.type === 'trak' && findBox(bytes, trak, 'mdia', 'hdlr')
    if (handler && hasText(bytes, handler.body + 8, handlerType)) return trak
  }
  return undefined
}

/** How many samples, that is frames, a track has: its stsz box says (8.7.3.2). */
export function countSamples(bytes: Uint8Array, track: Box): number {
  const stsz = findBox(bytes, track, 'mdia', 'minf', 'stbl', 'stsz')
  return (stsz && uint32BE(bytes, stsz.body + 8)) ?? 0
}

/** The pixels of a track's first frame by what its AV1 data says of itself; 0 when that cannot be found (8.7.3.2, 8.7.5). */
export function countFirstFramePixels(bytes: Uint8Array, track: Box): number {
  const table = findBox(bytes, track, 'mdia', 'minf', 'stbl')
  const [stsz, stco, co64] = ['stsz', 'stco', 'co64'].map((type) => table && findBox(bytes, table, type))
  const sameSize = (stsz && uint32BE(bytes, stsz.body + 4)) ?? 0
  const length = sameSize || ((stsz && uint32BE(bytes, stsz.body + 12)) ?? 0)
  // Of an offset of eight bytes the upper four are 0 in any file that can be uploaded.
  const offset = stco ? uint32BE(bytes, stco.body + 8) : co64 && uint32BE(bytes, co64.body + 12)
  const size = offset === undefined ? undefined : findAv1Size(bytes.subarray(offset, offset + length))
  return size ? size.width * size.height : 0
}

/** The facts of a sequence that has no primary item: those of its track's first sample entry. */
export function readTrack(bytes: Uint8Array, track: Box): StillFacts {
  const stsd = findBox(bytes, track, 'mdia', 'minf', 'stbl', 'stsd')
  const av01 = stsd && findBox(bytes, { body: stsd.body + 8, end: stsd.end }, 'av01')
  const av1C = av01 && findBox(bytes, { body: av01.body + SAMPLE_ENTRY_BYTES, end: av01.end }, 'av1C')
  if (!av1C) throw new ImageRefusal('unreadable', "an AVIF's picture must be coded in AV1")
  const size = requireSize(uint16BE(bytes, av01.body + 24), uint16BE(bytes, av01.body + 26))
  return {
    size,
    orientation: 1,
    alpha: false,
    ...readCoding(bytes, av1C),
    grid: false,
    codedPixels: size.width * size.height,
  }
}
