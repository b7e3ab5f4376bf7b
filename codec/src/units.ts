/** Bytes in a KiB. */
export const KIB = 1024
/** Bytes in a MiB. */
export const MIB = 1024 * 1024
/** Pixels in a megapixel. */
export const MEGAPIXEL = 1_000_000
