// Rates of modes in 256ths of a bit (RFC 6386 §11.2 to §11.5).
import {
  B_PRED,
  BMODE_COUNT,
  BMODE_TREE,
  KF_BMODE_PROBS,
  KF_UV_MODE_PROBS,
  KF_YMODE_PROBS,
  KF_YMODE_TREE,
  TM_PRED,
  UV_MODE_TREE,
} from '../tables'
import { bitsOfProbability, prepareProbabilities } from './probability'

const lumaModes: usize = memory.data(2 * 5, 16)
const chromaModes: usize = memory.data(2 * 4, 16)
const subblockModes: usize = memory.data(2 * 10 * 10 * 10, 16)
let tablesReady = false

/** Fills the tables, once an instance. */
export function prepareModeRates(): void {
  if (tablesReady) return
  tablesReady = true
  prepareProbabilities()
  for (let mode = 0; mode <= B_PRED; mode++) {
    store<u16>(lumaModes + 2 * mode, <u16>leafBits(KF_YMODE_TREE, KF_YMODE_PROBS, mode, 0))
  }
  for (let mode = 0; mode <= TM_PRED; mode++) {
    store<u16>(chromaModes + 2 * mode, <u16>leafBits(UV_MODE_TREE, KF_UV_MODE_PROBS, mode, 0))
  }
  for (let context = 0; context < BMODE_COUNT * BMODE_COUNT; context++) {
    for (let mode = 0; mode < BMODE_COUNT; mode++) {
      const bits = leafBits(BMODE_TREE, KF_BMODE_PROBS + 9 * context, mode, 0)
      store<u16>(subblockModes + 2 * (context * BMODE_COUNT + mode), <u16>bits)
    }
  }
}

/** Rate of luma mode 0..4. */
export function lumaModeRate(mode: i32): i32 {
  return load<u16>(lumaModes + 2 * mode)
}

/** Rate of chroma mode 0..3. */
export function chromaModeRate(mode: i32): i32 {
  return load<u16>(chromaModes + 2 * mode)
}

/** Address of the ten rates, u16, of subblock modes below `above` and right of `left`. */
export function subblockModeRates(above: i32, left: i32): usize {
  return subblockModes + 2 * BMODE_COUNT * (above * BMODE_COUNT + left)
}

/** Rate of a tree's leaf, or a negative number if it is not below index `from`. */
function leafBits(tree: usize, probabilities: usize, leaf: i32, from: i32): i32 {
  const probability = <i32>load<u8>(probabilities + (from >> 1))
  for (let branch = 0; branch < 2; branch++) {
    const entry = <i32>load<i8>(tree + from + branch)
    const bits = bitsOfProbability(branch == 0 ? probability : 256 - probability)
    if (entry <= 0) {
      if (entry == -leaf) return bits
    } else {
      const rest = leafBits(tree, probabilities, leaf, entry)
      if (rest >= 0) return bits + rest
    }
  }
  return -1
}
