// Some of these are in codec/src/bytes.ts too: the codec is a separate package, whose interface is about images.

/** The bytes of a text of characters U+0000 to U+00FF, one byte each. */
export function textBytes(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0))
}

/** An unsigned integer in 0 to 8 bytes, low byte first. */
export function bytesLE(value: number, size: number): Uint8Array {
  const bytes = new Uint8Array(size)
  for (let i = 0, rest = value; i < size; i++, rest = Math.floor(rest / 256)) bytes[i] = rest % 256
  return bytes
}

/** All parts in one array. */
export function concat(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

/** Whether `text` is at `at`: characters U+0000 to U+00FF, one byte each. */
export function hasText(bytes: Uint8Array, at: number, text: string): boolean {
  for (let i = 0; i < text.length; i++) if (bytes[at + i] !== text.charCodeAt(i)) return false
  return true
}

/**
 * Frees the memory that bytes are in at once, not at the next garbage collection: for large ones, of which nothing is used any
 * more.
 */
export function release({ buffer }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && !buffer.detached) buffer.transfer(0)
}
