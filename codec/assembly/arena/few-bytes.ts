// Filling and copying of some bytes. The instructions for it call the host, which takes longer than that itself.

/** Sets `count` bytes. */
export function fillFew(to: usize, value: i32, count: i32): void {
  const bytes = <u64>(value & 0xff) * 0x0101010101010101
  const end = to + count
  if (count >= 8) {
    for (let at = to; at < end - 8; at += 8) store<u64>(at, bytes)
    store<u64>(end - 8, bytes)
  } else if (count >= 4) {
    store<u32>(to, <u32>bytes)
    store<u32>(end - 4, <u32>bytes)
  } else if (count >= 2) {
    store<u16>(to, <u16>bytes)
    store<u16>(end - 2, <u16>bytes)
  } else if (count == 1) store<u8>(to, <u8>bytes)
}

/** Copies `bytes` bytes, and up to 15 more. */
export function copyFew(to: usize, from: usize, bytes: usize): void {
  for (let at: usize = 0; at < bytes; at += 16) v128.store(to + at, v128.load(from + at))
}
