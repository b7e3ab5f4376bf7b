const ping: usize = memory.data(256, 16)
const pong: usize = memory.data(256, 16)

/**
 * Transposes the 16 by 16 bytes at `block`, 16 a line, in place. Interleaving the upper half of the lines with the
 * lower half rotates the eight-bit number (line, column) of every byte by one bit. After four times, line and column
 * are swapped.
 */
export function transpose16(block: usize): void {
  interleave(block, ping)
  interleave(ping, pong)
  interleave(pong, ping)
  interleave(ping, block)
}

function interleave(from: usize, to: usize): void {
  for (let line: usize = 0; line < 8; line++) {
    const upper = v128.load(from + line * 16)
    const lower = v128.load(from + line * 16 + 128)
    const low = v128.shuffle<i8>(upper, lower, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23)
    const high = v128.shuffle<i8>(upper, lower, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31)
    v128.store(to + line * 32, low)
    v128.store(to + line * 32 + 16, high)
  }
}
