// Retained coefficients, dequantized for the inverse DCT.

import { naturalIndex } from '../zigzag'
import { Component } from './component'
import { BLOCK } from './idct'

/** The steps in natural order, and the lanes of a row that are retained. */
const STEPS: usize = memory.data(64 * 4, 16)
const LANES: usize = memory.data(16, 16)

/** To be called before the blocks of a component. A component that no scan brought has no steps, nor coefficients. */
export function prepareDequantization(c: Component): void {
  for (let k = 0; k < 64; k++) {
    const step: f32 = c.steps == 0 ? 0 : load<f32>(c.steps + ((<usize>k) << 2))
    store<f32>(STEPS + ((<usize>naturalIndex(k)) << 2), step)
  }
  for (let x = 0; x < 8; x++) store<i16>(LANES + ((<usize>x) << 1), x < c.scaledWidth ? -1 : 0)
}

/**
 * Loads the block whose retained coefficients are at `at` into BLOCK, dequantized. Returns its extent, rows | columns << 4.
 */
export function dequantizeBlock(c: Component, at: usize): i32 {
  const lanes = v128.load(LANES)
  const bytes = (<usize>c.scaledWidth) << 1
  let rows = 0
  let union = i32x4.splat(0)
  for (let y = 0; y < c.scaledHeight; y++, at += bytes) {
    const row = v128.and(v128.load(at), lanes)
    if (v128.any_true(row)) rows = y + 1
    union = v128.or(union, row)
    const to = (<usize>y) << 5
    const left = f32x4.convert_i32x4_s(i32x4.extend_low_i16x8_s(row))
    const right = f32x4.convert_i32x4_s(i32x4.extend_high_i16x8_s(row))
    v128.store(BLOCK + to, f32x4.mul(left, v128.load(STEPS + to)))
    v128.store(BLOCK + to, f32x4.mul(right, v128.load(STEPS + to, 16)), 16)
  }
  const present = i16x8.bitmask(i16x8.ne(union, i16x8.splat(0)))
  return rows | ((32 - clz<i32>(present)) << 4)
}
