import { below, pick, type Random } from '../../test/support/random.ts'
import { concat } from '../src/bytes.ts'

/** One to eight changes: a byte, a number that counts or measures, a piece left out or doubled, the end cut off. */
export function mutate(original: Uint8Array, random: Random): Uint8Array {
  let bytes: Uint8Array = original.slice()
  for (let changes = 1 + below(8, random); changes > 0; changes--) {
    const at = below(bytes.length + 1, random)
    const length = below(32, random)
    switch (below(6, random)) {
      case 0:
        bytes[at] = below(256, random)
        break
      case 1:
        bytes.fill(pick([0, 1, 0x7f, 0x80, 0xff], random), at, at + below(5, random))
        break
      case 2:
        bytes[at] = (bytes[at] ?? 0) ^ (1 << below(8, random))
        break
      case 3:
        bytes = concat([bytes.subarray(0, at), bytes.subarray(at + length)])
        break
      case 4:
        bytes = concat([bytes.subarray(0, at), bytes.subarray(at - (at % 32)), bytes.subarray(at)])
        break
      default:
        if (below(4, random) === 0) bytes = bytes.subarray(0, at)
    }
  }
  return bytes
}
