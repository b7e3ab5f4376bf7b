// The marker segments between SOI, scans and EOI (T.81 B.2.1): tables, frame header and colour information.

import { Status } from '../../../status'
import { findMarker, lengthOfSegment, Marker, standsAlone, u16At } from '../markers'
import { readConditioning, resetConditioning } from './arithmetic'
import { readFrame } from './frame-header'
import { readHuffmanTables } from './huffman'
import { readQuantizationTables } from './quantization'
import { setRestartInterval } from './restart'

/** "JFIF" and "Adob" as they lie in memory. */
const JFIF: u32 = 0x4649464a
const ADOBE: u32 = 0x626f6441

/** Fields of the segments before the scan, set by `readSegments`. */
@unmanaged
class Segments {
  /** Whether there is a JFIF segment. */
  hasJfif: bool
  /** Adobe's colour transform (APP14): 0 none, 1 YCbCr, 2 YCCK; -1 without that segment. */
  adobeTransform: i32
  /** The payload of the scan header, 0 at EOI or the end of the file; and its end. */
  scanHeader: usize
  scanData: usize
}

export const segments: Segments = changetype<Segments>(memory.data(offsetof<Segments>(), 4))

/** Forgets the segments of the image before. */
export function resetSegments(): void {
  segments.hasJfif = false
  segments.adobeTransform = -1
  setRestartInterval(0)
  resetConditioning()
}

/**
 * Reads segments from `at` on until a scan header, EOI or the end of the file. A comment or application segment cut
 * short ends the file; of any other one, something that the image needs is missing.
 */
export function readSegments(at: usize, end: usize): Status {
  segments.scanHeader = 0
  while (true) {
    at = findMarker(at, end)
    if (at + 2 > end) return Status.Ok
    const code = <i32>load<u8>(at, 1)
    at += 2
    if (code == Marker.Eoi) return Status.Ok
    if (standsAlone(code)) continue
    const given = at + 2 > end ? 2 : u16At(at)
    const length = lengthOfSegment(code, given)
    const payload = at + 2
    at += length
    if (length < 2) return Status.Malformed
    if (at > end) return code >= Marker.App0 ? Status.Ok : Status.Malformed
    if (code == Marker.Sos) {
      segments.scanHeader = payload
      segments.scanData = at
      return Status.Ok
    }
    const status = readSegment(code, payload, at)
    if (status != Status.Ok) return status
  }
}

function readSegment(code: i32, from: usize, to: usize): Status {
  if (code == Marker.Dqt) return readQuantizationTables(from, to) ? Status.Ok : Status.Malformed
  if (code == Marker.Dht) return readHuffmanTables(from, to) ? Status.Ok : Status.Malformed
  if (code == Marker.Sof0 || code == Marker.Sof1) return readFrame(from, to, false, false)
  if (code == Marker.Sof2) return readFrame(from, to, true, false)
  if (code == Marker.Sof9) return readFrame(from, to, false, true)
  if (code == Marker.Sof10) return readFrame(from, to, true, true)
  if (code == Marker.Dac) return readConditioning(from, to) ? Status.Ok : Status.Malformed
  // Every other frame is lossless or hierarchical; lower codes are reserved.
  if (code > Marker.Sof2 && code <= Marker.Sof15) return Status.Unsupported
  if (code < Marker.Sof0) return Status.Malformed
  if (code == Marker.Dri) {
    if (to - from != 2) return Status.Malformed
    setRestartInterval(u16At(from))
  } else if (code == Marker.App0) {
    if (to - from >= 12 && load<u32>(from) == JFIF && load<u8>(from, 4) == 0) segments.hasJfif = true
  } else if (code == Marker.App14) {
    if (to - from >= 12 && load<u32>(from) == ADOBE && load<u8>(from, 4) == 0x65)
      segments.adobeTransform = load<u8>(from, 11)
  }
  return Status.Ok
}
