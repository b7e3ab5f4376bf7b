import { concat } from '../../src/image/bytes.ts'

/** Numbers from 0 to 2^32 - 1, the same ones for the same seed (mulberry32). */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return (mixed ^ (mixed >>> 14)) >>> 0
  }
}

/** One to eight changes: a byte, a number that counts or measures, a piece left out or doubled, the end cut off. */
export function mutate(original: Uint8Array, random: () => number): Uint8Array {
  let bytes: Uint8Array = original.slice()
  for (let changes = 1 + (random() % 8); changes > 0; changes--) {
    const at = random() % (bytes.length + 1)
    const length = random() % 32
    switch (random() % 6) {
      case 0:
        bytes[at] = random()
        break
      case 1:
        bytes.fill([0, 1, 0x7f, 0x80, 0xff][random() % 5] ?? 0, at, at + (random() % 5))
        break
      case 2:
        bytes[at] = (bytes[at] ?? 0) ^ (1 << (random() % 8))
        break
      case 3:
        bytes = concat([bytes.subarray(0, at), bytes.subarray(at + length)])
        break
      case 4:
        bytes = concat([bytes.subarray(0, at), bytes.subarray(at - (at % 32)), bytes.subarray(at)])
        break
      default:
        if (random() % 4 === 0) bytes = bytes.subarray(0, at)
    }
  }
  return bytes
}
