/**
 * Frees the memory that bytes are in at once, not at the next garbage collection: for large ones, of which nothing is used any
 * more.
 */
export function release({ buffer }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && !buffer.detached) buffer.transfer(0)
}
