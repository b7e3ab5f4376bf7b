// Interleaved samples of 8 bits to planes, 16 pixels at a time. Rows may be read and written up to 64 bytes beyond.

import { firstHalves, interleaveHigh32, interleaveLow32, secondHalves } from '../arena/simd'

/** Two samples a pixel. */
export function splitPairs(pixels: usize, columns: i32, p0: usize, p1: usize): void {
  for (let x: usize = 0; x < <usize>columns; x += 16, pixels += 32) {
    const a = v128.load(pixels)
    const b = v128.load(pixels, 16)
    v128.store(p0 + x, v128.shuffle<i8>(a, b, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30))
    v128.store(p1 + x, v128.shuffle<i8>(a, b, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31))
  }
}

/** Three samples a pixel: the first two vectors hold eleven of a plane's sixteen, the third five or six. */
export function splitTriples(pixels: usize, columns: i32, p0: usize, p1: usize, p2: usize): void {
  for (let x: usize = 0; x < <usize>columns; x += 16, pixels += 48) {
    const a = v128.load(pixels)
    const b = v128.load(pixels, 16)
    const c = v128.load(pixels, 32)
    const ab0 = v128.shuffle<i8>(a, b, 0, 3, 6, 9, 12, 15, 18, 21, 24, 27, 30, 0, 0, 0, 0, 0)
    const ab1 = v128.shuffle<i8>(a, b, 1, 4, 7, 10, 13, 16, 19, 22, 25, 28, 31, 0, 0, 0, 0, 0)
    const ab2 = v128.shuffle<i8>(a, b, 2, 5, 8, 11, 14, 17, 20, 23, 26, 29, 0, 0, 0, 0, 0, 0)
    v128.store(p0 + x, v128.shuffle<i8>(ab0, c, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 17, 20, 23, 26, 29))
    v128.store(p1 + x, v128.shuffle<i8>(ab1, c, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 18, 21, 24, 27, 30))
    v128.store(p2 + x, v128.shuffle<i8>(ab2, c, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 19, 22, 25, 28, 31))
  }
}

/** Four samples a pixel: four pixels by plane, then four such groups transposed. */
export function splitQuads(pixels: usize, columns: i32, p0: usize, p1: usize, p2: usize, p3: usize): void {
  for (let x: usize = 0; x < <usize>columns; x += 16, pixels += 64) {
    const a = byPlane(v128.load(pixels))
    const b = byPlane(v128.load(pixels, 16))
    const c = byPlane(v128.load(pixels, 32))
    const d = byPlane(v128.load(pixels, 48))
    const ab01 = interleaveLow32(a, b)
    const cd01 = interleaveLow32(c, d)
    const ab23 = interleaveHigh32(a, b)
    const cd23 = interleaveHigh32(c, d)
    v128.store(p0 + x, firstHalves(ab01, cd01))
    v128.store(p1 + x, secondHalves(ab01, cd01))
    v128.store(p2 + x, firstHalves(ab23, cd23))
    v128.store(p3 + x, secondHalves(ab23, cd23))
  }
}

function byPlane(four: v128): v128 {
  return v128.shuffle<i8>(four, four, 0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15)
}
