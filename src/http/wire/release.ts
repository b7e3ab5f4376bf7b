/** Frees the memory of a buffer at once, not at the next garbage collection. Of a buffer that was transferred, nothing is left to free. */
export function release({ buffer }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && !buffer.detached) buffer.transfer(0)
}
