// The CRC of chunks (PNG, third edition, 5.5 and annex D), eight bytes at a time.

const POLYNOMIAL: u32 = 0xedb88320
/** u32[8][256]: of a byte that so many bytes follow. */
const TABLES: usize = memory.data(8 * 1024, 16)
let isReady = false

/** The CRC of what has the CRC `crc`, and then the `bytes` bytes at `at`. */
export function updateCrc(crc: u32, at: usize, bytes: usize): u32 {
  if (!isReady) makeTables()
  let value = ~crc
  const end = at + bytes
  for (const last = end - 8; <isize>at <= <isize>last; at += 8) {
    const next = load<u64>(at) ^ <u64>value
    value =
      entry(7, <usize>next & 255) ^
      entry(6, <usize>(next >> 8) & 255) ^
      entry(5, <usize>(next >> 16) & 255) ^
      entry(4, <usize>(next >> 24) & 255) ^
      entry(3, <usize>(next >> 32) & 255) ^
      entry(2, <usize>(next >> 40) & 255) ^
      entry(1, <usize>(next >> 48) & 255) ^
      entry(0, <usize>(next >> 56))
  }
  for (; at < end; at++) value = entry(0, (value ^ load<u8>(at)) & 255) ^ (value >> 8)
  return ~value
}

// @ts-ignore: decorator
@inline
function entry(table: usize, byte: usize): u32 {
  return load<u32>(TABLES + (table << 10) + (byte << 2))
}

function makeTables(): void {
  isReady = true
  for (let byte: u32 = 0; byte < 256; byte++) {
    let value = byte
    for (let bit = 0; bit < 8; bit++) value = (value & 1) != 0 ? (value >> 1) ^ POLYNOMIAL : value >> 1
    store<u32>(TABLES + ((<usize>byte) << 2), value)
  }
  for (let table: usize = 1; table < 8; table++) {
    for (let byte: usize = 0; byte < 256; byte++) {
      const shorter = entry(table - 1, byte)
      store<u32>(TABLES + (table << 10) + (byte << 2), entry(0, shorter & 255) ^ (shorter >> 8))
    }
  }
}
