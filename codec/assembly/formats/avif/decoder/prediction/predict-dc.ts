// The DC intra prediction process: AV1 specification, 7.11.2.5.

import { bitDepth } from '../frames/sequence-header'
import { above, left } from './edge'

/** Fills a block with the mean of the edges that there are. */
export function predictDc(to: usize, stride: usize, w: i32, h: i32, haveLeft: bool, haveAbove: bool): void {
  let sum = 0
  let count = 0
  if (haveLeft) {
    for (let i = 0; i < h; i++) sum += left(i)
    count += h
  }
  if (haveAbove) {
    for (let i = 0; i < w; i++) sum += above(i)
    count += w
  }
  fillBlock(to, stride, w, h, count == 0 ? 1 << (bitDepth - 1) : (sum + (count >> 1)) / count)
}

/** Sets every sample of a block. */
export function fillBlock(to: usize, stride: usize, w: i32, h: i32, value: i32): void {
  const samples = i16x8.splat(<i16>value)
  for (let i = 0; i < h; i++) {
    const row = to + <usize>i * stride
    if (w == 4) v128.store64_lane(row, samples, 0)
    else for (let j = 0; j < w; j += 8) v128.store(row + ((<usize>j) << 1), samples)
  }
}
