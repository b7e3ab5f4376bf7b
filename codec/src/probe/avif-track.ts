import { uint16BE, uint32BE } from '../bytes.ts'
import { findAv1Size } from '../container/av1-sequence.ts'
import { findSampleEntry, firstSample } from '../container/avif-track.ts'
import { type Box, findBox } from '../container/boxes.ts'
import { ImageRefusal } from '../refusal.ts'
import { readCoding } from './avif-coding.ts'
import type { StillFacts } from './avif-facts.ts'
import { requireSize } from './size.ts'

/** The number of samples, that is frames, of a track, from its stsz box (ISO/IEC 14496-12, 8.7.3.2). */
export function countSamples(bytes: Uint8Array, track: Box): number {
  const stsz = findBox(bytes, track, 'mdia', 'minf', 'stbl', 'stsz')
  return (stsz && uint32BE(bytes, stsz.body + 8)) ?? 0
}

/** The pixels of a track's first frame, by its AV1 sequence header; 0 if there is none. */
export function countFirstFramePixels(bytes: Uint8Array, track: Box): number {
  const size = findAv1Size(firstSample(bytes, track))
  return size ? size.width * size.height : 0
}

/** The facts of an image sequence without a primary item: those of its track's first sample entry. */
export function readTrack(bytes: Uint8Array, track: Box): StillFacts {
  const sample = findSampleEntry(bytes, track)
  const av1C = sample?.properties.find(({ type }) => type === 'av1C')
  if (!sample || !av1C) throw new ImageRefusal('unreadable', "an AVIF's picture must be coded in AV1")
  const { body } = sample.entry
  const size = requireSize(uint16BE(bytes, body + 24), uint16BE(bytes, body + 26))
  return {
    size,
    orientation: 1,
    alpha: false,
    ...readCoding(bytes, av1C),
    grid: false,
    codedPixels: size.width * size.height,
  }
}
