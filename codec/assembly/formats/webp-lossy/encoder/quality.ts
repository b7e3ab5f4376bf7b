// Quality 0..100 as the world knows it from WebP encoders, as quantizer index and loop filter level. The points were
// measured on photos: at this index an image is at least as near to its source as one that cwebp -m 4 makes at that quality.

/** Quantizer index 0..127 for each fifth quality. */
const INDEXES: usize = memory.data<u8>([
  111, 79, 71, 65, 60, 56, 52, 48, 45, 41, 38, 35, 33, 31, 29, 27, 18, 15, 11, 3, 0,
])

/** The quantizer index 0..127 of a quality 0..100; qualities beyond are taken for the nearest. */
export function quantizerIndex(quality: i32): i32 {
  const within = max(0, min(100, quality))
  const at = INDEXES + within / 5
  const part = within % 5
  const index = <i32>load<u8>(at)
  return part == 0 ? index : (index * (5 - part) + <i32>load<u8>(at, 1) * part + 2) / 5
}

/** Steps over edges that are smoothed may be the smaller the sharper (RFC 6386 §9.6). */
export const SHARPNESS: i32 = 2

/**
 * Returns the loop filter level 0..63 (RFC 6386 §9.6) for a quantizer index: below where PSNR is best on photos.
 * Lost details are seen more than edges of blocks.
 */
export function filterLevel(index: i32): i32 {
  return (index * 2) / 5
}
