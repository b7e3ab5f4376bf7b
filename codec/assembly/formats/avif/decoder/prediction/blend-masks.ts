// The masks by which two predictions are blended: AV1 specification, 7.11.3.11 to 7.11.3.13 and 7.11.3.15.
import { allocate } from '../../../../arena/memory'
import { II_WEIGHTS_1D, QUANT_DIST_LOOKUP, QUANT_DIST_WEIGHT, WEDGE_CODEBOOK, WEDGE_MASTERS } from '../../tables/inter'
import { block } from '../blocks/block'
import { frame } from '../frames/frame-header'
import { orderHintOf } from '../frames/inter-params'
import { relativeDistance } from '../frames/order-hints'
import { bitDepth } from '../frames/sequence-header'
import { predRow, rounding } from './block-inter'

const MASK_STRIDE: i32 = 128
const MASK_MASTER_SIZE: i32 = 64
const WEDGE_HORIZONTAL: i32 = 0
const WEDGE_VERTICAL: i32 = 1
const WEDGE_OBLIQUE27: i32 = 2
const WEDGE_OBLIQUE63: i32 = 3
const WEDGE_OBLIQUE117: i32 = 4
const II_V_PRED: i32 = 1
const II_H_PRED: i32 = 2
const II_SMOOTH_PRED: i32 = 3
const MAX_SB_SIZE: i32 = 128
const MAX_FRAME_DISTANCE: i32 = 31

/** Mask: u8[128][128]. */
let mask: usize = 0

/** FwdWeight; BckWeight is what it lacks of 16. */
export let fwdWeight: i32 = 0

/** Takes the memory. */
export function startMasks(): void {
  mask = allocate(MASK_STRIDE * MASK_STRIDE)
}

/** Address of Mask[ y ][ x ]. */
export function maskAt(y: i32, x: i32): usize {
  return mask + <usize>(y * MASK_STRIDE + x)
}

/** The wedge mask process. */
export function makeWedgeMask(w: i32, h: i32): void {
  const shape = h > w ? 0 : h < w ? 1 : 2
  const entry = WEDGE_CODEBOOK + (shape * 16 + block.wedgeIndex) * 3
  const direction = <i32>load<u8>(entry)
  const xoff = MASK_MASTER_SIZE / 2 - ((<i32>load<u8>(entry, 1) * w) >> 3)
  const yoff = MASK_MASTER_SIZE / 2 - ((<i32>load<u8>(entry, 2) * h) >> 3)
  let sum = 0
  for (let i = 0; i < w; i++) sum += master(direction, yoff, xoff + i)
  for (let i = 1; i < h; i++) sum += master(direction, yoff + i, xoff)
  const average = (sum + (w + h - 1) / 2) / (w + h - 1)
  const flipSign = average < 32 ? 1 : 0
  for (let i = 0; i < h; i++) {
    for (let j = 0; j < w; j++) {
      const value = master(direction, yoff + i, xoff + j)
      store<u8>(maskAt(i, j), <u8>(block.wedgeSign == flipSign ? value : 64 - value))
    }
  }
}

/** MasterMask */
function master(direction: i32, i: i32, j: i32): i32 {
  const last = MASK_MASTER_SIZE - 1
  if (direction == WEDGE_HORIZONTAL) return load<u8>(WEDGE_MASTERS + i)
  if (direction == WEDGE_VERTICAL) return load<u8>(WEDGE_MASTERS + j)
  if (direction == WEDGE_OBLIQUE27) return oblique(j, i)
  if (direction == WEDGE_OBLIQUE63) return oblique(i, j)
  if (direction == WEDGE_OBLIQUE117) return 64 - oblique(i, last - j)
  return 64 - oblique(j, last - i)
}

/** MasterMask[ WEDGE_OBLIQUE63 ] */
function oblique(i: i32, j: i32): i32 {
  const isOdd = i & 1
  const shift = MASK_MASTER_SIZE / 4 - (i >> 1) - isOdd
  const at = max(0, min(MASK_MASTER_SIZE - 1, j - shift))
  return load<u8>(WEDGE_MASTERS + (1 + isOdd) * MASK_MASTER_SIZE + at)
}

/** The difference weight mask process. */
export function makeDifferenceMask(w: i32, h: i32): void {
  const bits = bitDepth - 8 + rounding.postRound
  const half = (1 << bits) >> 1
  for (let i = 0; i < h; i++) {
    const row0 = predRow(0, i)
    const row1 = predRow(1, i)
    for (let j = 0; j < w; j++) {
      const diff = abs(load<i32>(row0 + (j << 2)) - load<i32>(row1 + (j << 2)))
      const m = min(64, 38 + ((diff + half) >> bits) / 16)
      store<u8>(maskAt(i, j), <u8>(block.maskType != 0 ? 64 - m : m))
    }
  }
}

/** The intra mode variant mask process. */
export function makeIntraMask(w: i32, h: i32): void {
  const sizeScale = MAX_SB_SIZE / max(h, w)
  const mode = block.interintraMode
  for (let i = 0; i < h; i++) {
    for (let j = 0; j < w; j++) {
      const distance = mode == II_V_PRED ? i : mode == II_H_PRED ? j : min(i, j)
      const isWeighted = mode >= II_V_PRED && mode <= II_SMOOTH_PRED
      store<u8>(maskAt(i, j), isWeighted ? load<u8>(II_WEIGHTS_1D + distance * sizeScale) : 32)
    }
  }
}

/** The distance weights process for two reference frames. */
export function findDistanceWeights(ref0: i32, ref1: i32): void {
  const d0 = distanceOf(ref1)
  const d1 = distanceOf(ref0)
  const order = d0 <= d1 ? 1 : 0
  let i = 3
  if (d0 > 0 && d1 > 0) {
    for (i = 0; i < 3; i++) {
      const c0 = d0 * load<u8>(QUANT_DIST_WEIGHT + (i * 2 + order))
      const c1 = d1 * load<u8>(QUANT_DIST_WEIGHT + (i * 2 + 1 - order))
      if (order == 1 ? c0 > c1 : c0 < c1) break
    }
  }
  fwdWeight = load<u8>(QUANT_DIST_LOOKUP + (i * 2 + order))
}

function distanceOf(ref: i32): i32 {
  return min(MAX_FRAME_DISTANCE, abs(relativeDistance(orderHintOf(ref), frame.orderHint)))
}
