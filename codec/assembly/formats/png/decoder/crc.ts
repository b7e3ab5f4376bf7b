// The CRC of chunks (PNG, third edition, 5.5 and annex D). Long ones are folded first. Modulo 2, x^66 + x^57 + x^37 +
// x^32 + x^19 + x^18 + x^3 + x^2 + 1 is a multiple of the CRC's polynomial, also with each exponent times 128. Hence
// 16 bytes may be dropped if they are added, without carry, 9, 29, 34, 47, 48, 63, 64 and 66 times 16 bytes later.

const POLYNOMIAL: u32 = 0xedb88320
/** u32[8][256]: of a byte that so many bytes follow. */
const TABLES: usize = memory.data(8 * 1024, 16)
let isReady = false

/** Bytes folded at once, and the remainder, which must be small beside it. */
const BLOCK_BYTES: usize = 8 * 1024
const LEFT_BYTES: usize = 66 * 16
const WORTH_BYTES: usize = 3 * LEFT_BYTES
/** Zeros, then what the bytes of a block are when those before have been added. */
const ZEROS: usize = memory.data(66 * 16 + 8 * 1024, 16)
const FOLDED: usize = ZEROS + LEFT_BYTES

/** The CRC of what has the CRC `crc`, and then the `bytes` bytes at `at`. */
export function updateCrc(crc: u32, at: usize, bytes: usize): u32 {
  if (!isReady) makeTables()
  let value = ~crc
  while (bytes >= WORTH_BYTES) {
    const block = min(bytes, BLOCK_BYTES) & ~15
    value = addBlock(value, at, block)
    at += block
    bytes -= block
  }
  return ~addBytes(value, at, bytes)
}

/** The register after the `bytes` bytes at `at`: a multiple of 16. */
function addBlock(value: u32, at: usize, bytes: usize): u32 {
  const left = bytes - LEFT_BYTES
  // The register is added to the first bytes that come.
  v128.store(FOLDED, v128.xor(v128.load(at), i32x4.replace_lane(i32x4.splat(0), 0, value)))
  for (let i: usize = 16; i < left; i += 16) v128.store(FOLDED + i, fold(at, i))
  // The remainder is zero until all bytes after it are available.
  memory.fill(FOLDED + left, 0, LEFT_BYTES)
  for (let i = bytes - 16; i >= left; i -= 16) v128.store(FOLDED + i, fold(at, i))
  return addBytes(0, FOLDED + left, LEFT_BYTES)
}

/** The 16 bytes at `at + i`, with what is added to them. */
// @ts-ignore: decorator
@inline
function fold(at: usize, i: usize): v128 {
  const to = FOLDED + i
  const nearest = v128.xor(v128.load(to - 9 * 16), v128.load(to - 29 * 16))
  const middle = v128.xor(v128.load(to - 34 * 16), v128.load(to - 47 * 16))
  const far = v128.xor(v128.load(to - 48 * 16), v128.load(to - 63 * 16))
  const farthest = v128.xor(v128.load(to - 64 * 16), v128.load(to - 66 * 16))
  return v128.xor(v128.load(at + i), v128.xor(v128.xor(nearest, middle), v128.xor(far, farthest)))
}

/** The register after the `bytes` bytes at `at`, eight bytes at a time. */
function addBytes(value: u32, at: usize, bytes: usize): u32 {
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
  return value
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
