// Quality 0..100 as the world knows it from WebP encoders, as quantizer index and loop filter level. The points were
// measured on photos: at this index an image is about as near to its source as one that cwebp -m 4 makes at that quality.

/** Quantizer index 0..127 for each fifth quality. */
const INDEXES: usize = memory.data<u8>([
  110, 78, 70, 64, 59, 55, 51, 47, 44, 40, 37, 34, 32, 30, 28, 26, 17, 14, 10, 3, 0,
])

/** The quantizer index 0..127 of a quality 0..100; qualities beyond are taken for the nearest. */
export function quantizerIndex(quality: i32): i32 {
  const within = max(0, min(100, quality))
  const at = INDEXES + within / 5
  const part = within % 5
  const index = <i32>load<u8>(at)
  return part == 0 ? index : (index * (5 - part) + <i32>load<u8>(at, 1) * part + 2) / 5
}

/** The loop filter level 0..63 (RFC 6386 §9.6) for a quantizer index: a little above where PSNR is best on photos. */
export function filterLevel(index: i32): i32 {
  return (index * 2) / 3
}
