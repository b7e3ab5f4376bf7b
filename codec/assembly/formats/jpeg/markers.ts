// Markers and segments (T.81 B.1.1): FF and a code, then for most a length that counts itself.

/** Marker codes (T.81 table B.1), the second byte. */
export const enum Marker {
  Sof0 = 0xc0,
  Sof1 = 0xc1,
  Sof2 = 0xc2,
  Dht = 0xc4,
  Jpg = 0xc8,
  Sof9 = 0xc9,
  Sof10 = 0xca,
  Dac = 0xcc,
  Sof15 = 0xcf,
  Rst0 = 0xd0,
  Rst7 = 0xd7,
  Soi = 0xd8,
  Eoi = 0xd9,
  Sos = 0xda,
  Dqt = 0xdb,
  Dnl = 0xdc,
  Dri = 0xdd,
  App0 = 0xe0,
  App14 = 0xee,
  Tem = 0x01,
}

/**
 * The address of the next marker's FF at or after `at`, or `end`: stuffed zeros and fill bytes are no marker
 * (B.1.1.2, F.1.2.3).
 */
export function findMarker(at: usize, end: usize): usize {
  const full = i8x16.splat(-1)
  while (at + 1 < end) {
    while (at + 16 < end && !v128.any_true(i8x16.eq(v128.load(at), full))) at += 16
    while (at + 1 < end && load<u8>(at) != 0xff) at++
    if (at + 1 >= end) break
    const code = load<u8>(at, 1)
    if (code != 0 && code != 0xff) return at
    at += code == 0 ? 2 : 1
  }
  return end
}

/**
 * The address of the marker that ends a scan, from `at` within its data on, or `end`. Restart markers are part of the data. Where
 * there are intervals, so are reserved codes below SOF0: after such damage the next interval is looked for.
 */
export function findEndOfScan(at: usize, end: usize, hasIntervals: bool): usize {
  at = findMarker(at, end)
  while (at < end) {
    const code = <i32>load<u8>(at, 1)
    const isPassed = code < Marker.Sof0 ? hasIntervals : code >= Marker.Rst0 && code <= Marker.Rst7
    if (!isPassed) break
    at = findMarker(at + 2, end)
  }
  return at
}

/** Whether a marker is standalone: without a length (B.1.1.3). */
export function standsAlone(code: i32): bool {
  return code == Marker.Tem || (code >= Marker.Rst0 && code <= Marker.Eoi)
}

/**
 * The length that the segment of a marker has. A comment or application segment that is shorter than its length field is passed
 * over, as by every decoder.
 */
export function lengthOfSegment(code: i32, given: i32): i32 {
  return code >= Marker.App0 ? max(2, given) : given
}

/** A big-endian 16-bit number. */
export function u16At(at: usize): i32 {
  return ((<i32>load<u8>(at)) << 8) | <i32>load<u8>(at, 1)
}
