// Integers and characters in bytes. Every reader returns `undefined` past the end. BE is high byte first, LE low byte first.

/** An unsigned integer of 2 bytes, high byte first. */
export function uint16BE(bytes: Uint8Array, at: number): number | undefined {
  const high = bytes[at]
  const low = bytes[at + 1]
  return high === undefined || low === undefined ? undefined : (high << 8) | low
}

/** An unsigned integer of 2 bytes, low byte first. */
export function uint16LE(bytes: Uint8Array, at: number): number | undefined {
  const low = bytes[at]
  const high = bytes[at + 1]
  return high === undefined || low === undefined ? undefined : (high << 8) | low
}

/** An unsigned integer of 3 bytes, low byte first. */
export function uint24LE(bytes: Uint8Array, at: number): number | undefined {
  const low = uint16LE(bytes, at)
  const high = bytes[at + 2]
  return high === undefined || low === undefined ? undefined : (high << 16) | low
}

/** An unsigned integer of 4 bytes, high byte first. */
export function uint32BE(bytes: Uint8Array, at: number): number | undefined {
  const high = uint16BE(bytes, at)
  const low = uint16BE(bytes, at + 2)
  return high === undefined || low === undefined ? undefined : high * 0x10000 + low
}

/** An unsigned integer of 4 bytes, low byte first. */
export function uint32LE(bytes: Uint8Array, at: number): number | undefined {
  const low = uint16LE(bytes, at)
  const high = uint16LE(bytes, at + 2)
  return high === undefined || low === undefined ? undefined : high * 0x10000 + low
}

/** The four-character code that names a chunk or box, each byte one character. */
export function fourCC(bytes: Uint8Array, at: number): string | undefined {
  const [a, b, c, d] = [bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]
  return a === undefined || b === undefined || c === undefined || d === undefined
    ? undefined
    : String.fromCharCode(a, b, c, d)
}

/** Whether `text` is at `at`: characters U+0000 to U+00FF, one byte each. */
export function hasText(bytes: Uint8Array, at: number, text: string): boolean {
  for (let i = 0; i < text.length; i++) if (bytes[at + i] !== text.charCodeAt(i)) return false
  return true
}

/** The bytes of a text of characters U+0000 to U+00FF, one byte each. */
export function textBytes(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0))
}

/** An unsigned integer in 0 to 8 bytes, high byte first. */
export function bytesBE(value: number, size: number): Uint8Array {
  const bytes = new Uint8Array(size)
  for (let i = size - 1, rest = value; i >= 0; i--, rest = Math.floor(rest / 256)) bytes[i] = rest % 256
  return bytes
}

/** An unsigned integer in 0 to 8 bytes, low byte first. */
export function bytesLE(value: number, size: number): Uint8Array {
  return bytesBE(value, size).reverse()
}

/** The length of all parts. */
export function lengthOf(parts: readonly Uint8Array[]): number {
  return parts.reduce((length, part) => length + part.length, 0)
}

/** All parts in one array. */
export function concat(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(lengthOf(parts))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
