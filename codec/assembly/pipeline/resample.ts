// One plane's streaming resize. Rows go in one by one, from the top. An output row is made as soon as the rows below
// it have arrived. The box comes first, then Lanczos3 down the columns out of a ring of the last few rows, then along
// the row.

import { allocate, allocateZeroed } from '../arena/memory'
import { Axis, firstTap, lastTap, WEIGHT_BITS, writeWeights } from './lanczos'
import {
  filterDeepHorizontally,
  filterDeepVertically,
  filterHorizontally,
  filterVertically,
  HORIZONTAL_SHIFT,
  PAIR_BYTES,
} from './separable-filter'

/** A vector reads up to 16 samples beyond a row. */
const SLACK: i32 = 16

/** The resize of one plane: its axes, the rows it holds and those it has made. */
@unmanaged
export class Resampler {
  across: Axis
  down: Axis
  /** Input rows pushed. */
  pushed: i32
  /** The box: column sums (u16) of the `collected` rows of the present one. */
  sums: usize
  collected: i32
  /** The last reduced rows, u8, row y in slot y modulo `slots`. */
  ring: usize
  slots: i32
  stride: usize
  reduced: i32
  /** The taps of an output row, in pairs, and its columns before the horizontal pass (i16). */
  weights: usize
  pairs: usize
  middle: usize
  /** For each output column the byte offset of its first tap in `middle`, and `tapsAcross` weights. */
  starts: usize
  weightsAcross: usize
  tapsAcross: i32
  bias: i32
  /** Finished rows, u8, row j in slot j & mask. */
  out: usize
  outStride: usize
  mask: i32
  /** Output rows made. */
  made: i32
  /** Whether the rows go out as they came in. */
  same: bool
  /** 1 where samples are u16, 64ths of a level, and sums u32. */
  deep: i32
}

/**
 * A resampler whose output samples are `sample * gain + offset`. The last `rowsHeld` finished rows, a power of two,
 * stay readable. They are `outStride` samples apart, a multiple of 4 and at least the outputs across. Samples of a `deep` one are
 * u16, 64ths of a level, and stay as they are.
 */
export function newResampler(
  across: Axis,
  down: Axis,
  gain: f64,
  offset: f64,
  rowsHeld: i32,
  outStride: i32,
  deep: bool,
): Resampler {
  const r = changetype<Resampler>(allocate(offsetof<Resampler>()))
  r.across = across
  r.down = down
  r.deep = i32(deep)
  r.pushed = 0
  r.collected = 0
  r.sums = isBoxed(r) ? allocateZeroed(sumBytes(r)) : 0
  r.slots = down.taps
  r.stride = ((<usize>(across.reduced + SLACK) + 15) & ~15) << r.deep
  r.ring = allocateZeroed(r.stride * r.slots)
  r.reduced = 0
  r.weights = allocate((<usize>(down.taps + 1)) << 1)
  r.pairs = allocate((<usize>(down.taps + 1) >> 1) * PAIR_BYTES)
  r.tapsAcross = (across.taps + 7) & ~7
  r.middle = allocateZeroed(((r.stride >> r.deep) + r.tapsAcross) << 1)
  r.bias = <i32>Math.round((offset + 0.5) * <f64>(1 << HORIZONTAL_SHIFT))
  r.outStride = (<usize>outStride) << r.deep
  r.mask = rowsHeld - 1
  r.out = allocate(r.outStride * rowsHeld + SLACK)
  r.made = 0
  r.same = isSame(across) && isSame(down) && gain == 1 && offset == 0
  prepareColumns(r, <i32>Math.round(gain * <f64>(1 << WEIGHT_BITS)))
  return r
}

/** Takes the next input row, `across.samples` bytes that are readable for 16 more. Rows beyond the last are ignored. */
export function pushRow(r: Resampler, row: usize): void {
  if (r.pushed == r.down.samples) return
  r.pushed++
  if (!isBoxed(r)) {
    memory.copy(nextSlot(r), row, (<usize>r.across.samples) << r.deep)
    addReducedRow(r)
    return
  }
  if (r.deep == 1) addDeepRow(r.sums, row, r.across.samples)
  else addRow(r.sums, row, r.across.samples)
  if (++r.collected == r.down.box || r.pushed == r.down.samples) closeBox(r)
}

/** Repeats the last input row in place of a missing one, once the box is closed. */
export function repeatRow(r: Resampler): void {
  r.pushed = r.down.samples
  if (r.collected > 0) {
    closeBox(r)
  } else if (r.reduced < r.down.reduced) {
    memory.copy(nextSlot(r), slot(r, max(0, r.reduced - 1)), (<usize>r.across.reduced) << r.deep)
    addReducedRow(r)
  }
}

/** The address of finished row `j`, while it is readable. */
export function finishedRow(r: Resampler, j: i32): usize {
  return r.out + <usize>(j & r.mask) * r.outStride
}

function prepareColumns(r: Resampler, unity: i32): void {
  const across = r.across
  // Four columns are made at a time.
  const columns = (across.outputs + 3) & ~3
  r.starts = allocateZeroed((<usize>columns) << 2)
  r.weightsAcross = allocateZeroed((<usize>columns * r.tapsAcross) << 1)
  for (let x = 0; x < across.outputs; x++) {
    store<i32>(r.starts + ((<usize>x) << 2), firstTap(across, x) << 1)
    writeWeights(across, x, unity, r.weightsAcross + ((<usize>x * r.tapsAcross) << 1))
  }
}

function slot(r: Resampler, y: i32): usize {
  return r.ring + <usize>(y % r.slots) * r.stride
}

/** Whether rows pass a box filter before they are stored. */
export function isBoxed(r: Resampler): bool {
  return r.across.box > 1 || r.down.box > 1
}

/** Where the next reduced row goes. */
export function nextSlot(r: Resampler): usize {
  return slot(r, r.reduced)
}

/** Counts the row just written into the next slot, and makes the output rows it was the last tap of. */
export function addReducedRow(r: Resampler): void {
  const y = r.reduced++
  while (r.made < r.down.outputs && lastTap(r.down, r.made) <= y) {
    makeRow(r, r.made)
    r.made++
  }
}

function isSame(axis: Axis): bool {
  return axis.box == 1 && axis.step == 1 && axis.origin == 0 && axis.outputs == axis.samples
}

function makeRow(r: Resampler, j: i32): void {
  if (r.same) return memory.copy(finishedRow(r, j), slot(r, j), (<usize>r.across.outputs) << r.deep)
  const first = firstTap(r.down, j)
  const taps = lastTap(r.down, j) - first + 1
  writeWeights(r.down, j, 1 << WEIGHT_BITS, r.weights)
  store<i16>(r.weights + ((<usize>taps) << 1), 0)
  let pair = r.pairs
  for (let tap = 0; tap < taps; tap += 2) {
    store<u32>(pair, <u32>slot(r, first + tap))
    store<u32>(pair, <u32>slot(r, first + min(tap + 1, taps - 1)), 4)
    store<u32>(pair, load<u32>(r.weights + ((<usize>tap) << 1)), 8)
    pair += PAIR_BYTES
  }
  if (r.deep == 1) {
    filterDeepVertically(r.pairs, pair, r.across.reduced, r.middle)
    filterDeepHorizontally(r.middle, r.starts, r.weightsAcross, r.tapsAcross, r.across.outputs, finishedRow(r, j))
    return
  }
  filterVertically(r.pairs, pair, r.across.reduced, r.middle)
  filterHorizontally(r.middle, r.starts, r.weightsAcross, r.tapsAcross, r.bias, r.across.outputs, finishedRow(r, j))
}

/** Adds `samples` samples to sums (u16); up to 15 more of both are read, and sums written. */
export function addRow(sums: usize, row: usize, samples: i32): void {
  for (let x: usize = 0; x < <usize>samples; x += 16) {
    const at = sums + (x << 1)
    const added = v128.load(row + x)
    v128.store(at, i16x8.add(v128.load(at), i16x8.extend_low_i8x16_u(added)))
    v128.store(at, i16x8.add(v128.load(at, 16), i16x8.extend_high_i8x16_u(added)), 16)
  }
}

function sumBytes(r: Resampler): usize {
  return (<usize>(r.across.samples + SLACK)) << (1 + r.deep)
}

/** Adds `samples` samples of u16 to sums (u32); up to 7 more of both are read, and sums written. */
export function addDeepRow(sums: usize, row: usize, samples: i32): void {
  for (let x: usize = 0; x < <usize>samples; x += 8) {
    const at = sums + (x << 2)
    const added = v128.load(row + (x << 1))
    v128.store(at, i32x4.add(v128.load(at), i32x4.extend_low_i16x8_u(added)))
    v128.store(at, i32x4.add(v128.load(at, 16), i32x4.extend_high_i16x8_u(added)), 16)
  }
}

/** Writes means as `writeMeans`, of sums of u32 to samples of u16. */
export function writeDeepMeans(sums: usize, samples: i32, box: i32, rows: i32, to: usize): void {
  let at = sums
  for (let left = samples; left > 0; left -= box, to += 2) {
    const columns = min(box, left)
    let sum: u64 = 0
    for (const end = at + ((<usize>columns) << 2); at < end; at += 4) sum += load<u32>(at)
    store<u16>(to, deepMean(sum, columns * rows))
  }
}

/** Returns the mean of `count` samples of 64ths of a level, rounded. */
export function deepMean(sum: u64, count: i32): u16 {
  return <u16>(<f32>sum / <f32>count + <f32>0.5)
}

/** The mean of each box of the rows collected becomes a reduced row. */
function closeBox(r: Resampler): void {
  if (r.deep == 1) writeDeepMeans(r.sums, r.across.samples, r.across.box, r.collected, nextSlot(r))
  else writeMeans(r.sums, r.across.samples, r.across.box, r.collected, nextSlot(r))
  memory.fill(r.sums, 0, sumBytes(r))
  r.collected = 0
  addReducedRow(r)
}

/** Writes the means of boxes of `box` x `rows` samples, of which `sums` has those of the columns. The last one may be narrower. */
export function writeMeans(sums: usize, samples: i32, box: i32, rows: i32, to: usize): void {
  const whole = <f32>1 / <f32>(box * rows)
  let at = sums
  for (let left = samples; left > 0; left -= box, to++) {
    const columns = min(box, left)
    let sum: u32 = 0
    for (const end = at + ((<usize>columns) << 1); at < end; at += 2) sum += load<u16>(at)
    const share = columns == box ? whole : <f32>1 / <f32>(columns * rows)
    store<u8>(to, <u8>(<f32>sum * share + <f32>0.5))
  }
}
