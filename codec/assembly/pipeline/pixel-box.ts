// The box of a resize of interleaved samples. Rows are added up as they arrive, and only the means of whole boxes are split into
// planes.

import { allocate, allocateZeroed } from '../arena/memory'
import { addReducedRow, addRow, nextSlot, Resampler } from './resample'

/** Sums that are read and written beyond a row's. */
const SLACK: usize = 16

/** The box of all planes of an image. */
@unmanaged
export class PixelBox {
  /** The resamplers of the planes, in the order of a pixel's samples. */
  first: Resampler
  second: Resampler
  third: Resampler
  fourth: Resampler | null
  /** The samples of a pixel: 3 or 4. */
  step: i32
  /** The column sums (u16) of the `collected` rows of the present box. */
  sums: usize
  collected: i32
}

/** A box before the resamplers of three planes or four, for pixels of `step` samples: a fourth that has no plane is passed over. */
export function newPixelBox(
  first: Resampler,
  second: Resampler,
  third: Resampler,
  fourth: Resampler | null,
  step: i32,
): PixelBox {
  const box = changetype<PixelBox>(allocate(offsetof<PixelBox>()))
  box.first = first
  box.second = second
  box.third = third
  box.fourth = fourth
  box.step = step
  box.sums = allocateZeroed((<usize>first.across.samples * step + SLACK) << 1)
  box.collected = 0
  return box
}

/** Takes the next row of pixels, readable for 16 bytes more. Rows beyond the last are ignored. */
export function addPixels(box: PixelBox, row: usize): void {
  const first = box.first
  if (first.pushed == first.down.samples) return
  first.pushed++
  addRow(box.sums, row, first.across.samples * box.step)
  if (++box.collected == first.down.box || first.pushed == first.down.samples) closePixelBox(box)
}

/** The means of the rows that were collected become a reduced row of each plane. */
export function closePixelBox(box: PixelBox): void {
  const first = box.first
  const fourth = box.fourth
  const width = first.across.box
  const bytes = (<usize>box.step) << 1
  const whole = <f32>1 / <f32>(width * box.collected)
  const to0 = nextSlot(first)
  const to1 = nextSlot(box.second)
  const to2 = nextSlot(box.third)
  const to3: usize = fourth == null ? 0 : nextSlot(fourth)
  let at = box.sums
  let left = first.across.samples
  for (let x = 0; x < first.across.reduced; x++, left -= width) {
    const columns = min(width, left)
    let sum = i32x4.splat(0)
    for (const end = at + <usize>columns * bytes; at < end; at += bytes) sum = i32x4.add(sum, v128.load16x4_u(at))
    const share = columns == width ? whole : <f32>1 / <f32>(columns * box.collected)
    const mean = f32x4.add(f32x4.mul(f32x4.convert_i32x4_s(sum), f32x4.splat(share)), f32x4.splat(0.5))
    const samples = i32x4.trunc_sat_f32x4_s(mean)
    v128.store8_lane(to0 + x, samples, 0)
    v128.store8_lane(to1 + x, samples, 4)
    v128.store8_lane(to2 + x, samples, 8)
    if (to3 != 0) v128.store8_lane(to3 + x, samples, 12)
  }
  memory.fill(box.sums, 0, (<usize>first.across.samples * box.step + SLACK) << 1)
  box.collected = 0
  addReducedRow(first)
  addReducedRow(box.second)
  addReducedRow(box.third)
  if (fourth != null) addReducedRow(fourth)
}
