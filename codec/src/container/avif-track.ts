import { hasText, uint32BE } from '../bytes.ts'
import { ALPHA_TYPES } from './avif-sources.ts'
import { type Box, boxes, findBox } from './boxes.ts'

/** The fields of a visual sample entry, before its boxes (ISO/IEC 14496-12, 12.1.3). */
const SAMPLE_ENTRY_BYTES = 78

/** The first track of images of an image sequence. */
export function findImageTrack(bytes: Uint8Array): Box | undefined {
  return tracks(bytes, 'pict').next().value
}

/** The first track that holds the alpha of an image sequence; one of depth, say, is auxiliary as well. */
export function findAlphaTrack(bytes: Uint8Array): Box | undefined {
  for (const track of tracks(bytes, 'auxv')) if (isAlpha(bytes, track)) return track
  return undefined
}

/** Whether the colours of a track's images were multiplied by their alpha. */
export function isTrackPremultiplied(bytes: Uint8Array, track: Box): boolean {
  return findBox(bytes, track, 'tref', 'prem') !== undefined
}

/** The tracks with this handler: `pict` of images, `auxv` of what is auxiliary to them. */
function* tracks(bytes: Uint8Array, handlerType: 'pict' | 'auxv'): Generator<Box, undefined> {
  const moov = findBox(bytes, { body: 0, end: bytes.length }, 'moov')
  if (!moov) return undefined
  for (const trak of boxes(bytes, moov.body, moov.end)) {
    const handler = trak.type === 'trak' && findBox(bytes, trak, 'mdia', 'hdlr')
    if (handler && hasText(bytes, handler.body + 8, handlerType)) yield trak
  }
  return undefined
}

/** Whether a track's auxi box (ISO/IEC 23008-12, 7.5.3) names alpha; old files have none, and hold alpha. */
function isAlpha(bytes: Uint8Array, track: Box): boolean {
  const auxi = findSampleEntry(bytes, track)?.properties.find(({ type }) => type === 'auxi')
  return !auxi || ALPHA_TYPES.some((type) => hasText(bytes, auxi.body + 4, type))
}

/** The first sample entry for AV1 of a track, and the boxes in it. */
export function findSampleEntry(bytes: Uint8Array, track: Box): { entry: Box; properties: Box[] } | undefined {
  const stsd = findBox(bytes, track, 'mdia', 'minf', 'stbl', 'stsd')
  const entry = stsd && findBox(bytes, { body: stsd.body + 8, end: stsd.end }, 'av01')
  return entry && { entry, properties: [...boxes(bytes, entry.body + SAMPLE_ENTRY_BYTES, entry.end)] }
}

/** The first sample of a track: stsz has its length (8.7.3.2), stco or co64 its offset (8.7.5). Empty if they are missing. */
export function firstSample(bytes: Uint8Array, track: Box): Uint8Array {
  const table = findBox(bytes, track, 'mdia', 'minf', 'stbl')
  const [stsz, stco, co64] = ['stsz', 'stco', 'co64'].map((type) => table && findBox(bytes, table, type))
  const sameSize = (stsz && uint32BE(bytes, stsz.body + 4)) ?? 0
  const length = sameSize || ((stsz && uint32BE(bytes, stsz.body + 12)) ?? 0)
  // The upper four of the eight bytes are 0 in any file that fits into the memory.
  const offset = (stco ? uint32BE(bytes, stco.body + 8) : co64 && uint32BE(bytes, co64.body + 12)) ?? bytes.length
  return bytes.subarray(offset, offset + length)
}
