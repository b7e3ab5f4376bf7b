/**
 * Joins bytes that arrive in pieces, up to `maxBytes`. `add` returns whether all of its piece fitted. `own` is given the copy of
 * each piece: what is collected of a body that is given up is never taken.
 */
export function collectBytes(maxBytes: number, own: (piece: Uint8Array<ArrayBuffer>) => void = () => {}) {
  const pieces: Uint8Array<ArrayBuffer>[] = []
  let length = 0
  return {
    add(piece: Uint8Array): boolean {
      const kept = piece.slice(0, maxBytes - length)
      own(kept)
      pieces.push(kept)
      length += kept.length
      return kept.length === piece.length
    },
    take(): Uint8Array<ArrayBuffer> {
      const bytes = new Uint8Array(length)
      let at = 0
      for (const piece of pieces) {
        bytes.set(piece, at)
        at += piece.length
        // Frees the old memory at once, not at the next garbage collection.
        piece.buffer.transfer(0)
      }
      return bytes
    },
  }
}
