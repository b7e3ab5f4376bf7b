/** Bits, the first of them lowest in its byte, as a lossless WebP has them. */
export interface BitWriter {
  /** Writes the `count` lowest bits of a number, at most 30. */
  put(value: number, count: number): void
  /** Everything written, filled up with zeros. */
  bytes(): Buffer
}

/** A writer of nothing yet. */
export function newBitWriter(): BitWriter {
  const bytes: number[] = []
  let count = 0
  return {
    put(value, bits) {
      for (let i = 0; i < bits; i++, count++) {
        if (count % 8 === 0) bytes.push(0)
        bytes[count >> 3] = (bytes[count >> 3] ?? 0) | (((value >> i) & 1) << (count & 7))
      }
    },
    bytes: () => Buffer.from(bytes),
  }
}
