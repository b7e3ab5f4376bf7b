// A component of the frame (T.81 A.1.1) and the scale it is decoded at.

import { allocate, allocateZeroed } from '../../../arena/memory'
import { naturalIndex } from '../zigzag'

/** A component: its place in the frame, its scale, its coefficients and what the present scan needs of it. */
@unmanaged
export class Component {
  id: i32
  /** Sampling factors. */
  h: i32
  v: i32
  quantization: i32
  /** f32 multipliers in zigzag order once a scan has used the component (B.2.4.1), else 0. */
  steps: usize
  roomForSteps: usize
  /** The level of mid grey, times eight: 128, or 127 where the samples are inverted by negative steps. */
  level: f32
  /** Samples of its own. */
  columns: i32
  rows: i32
  /** Blocks as its own scans count them (A.2.2), and padded to whole MCUs. */
  blocksAcross: i32
  blocksDown: i32
  paddedBlocksAcross: i32
  paddedBlocksDown: i32
  /** Samples that a block is decoded to, 1 to 8 each way: the size of its inverse DCT. */
  scaledWidth: i32
  scaledHeight: i32
  /** The last coefficient in zigzag order that is retained. */
  lastRetained: i32
  /** Bit set of the retained coefficients, in zigzag order from the lowest bit. */
  retained: u64
  /** Place of each coefficient among the retained ones of its block, or -1 (i8, zigzag order). */
  retainedIndexes: usize
  /** Rows of decoded blocks, `stride` bytes apart. */
  samples: usize
  stride: usize
  /**
   * i16 coefficients, across * down a block, of an image that comes in several scans; and which are not zero (u64).
   */
  coefficients: usize
  nonzero: usize
  /** Bits still missing of each coefficient (i8, zigzag order; smoothing.ts). */
  accuracy: usize
  /** Of the present scan. */
  dcTable: usize
  acTable: usize
  prediction: i32
  /** Of arithmetic coding: the context of the next DC difference, and its bounds; the last coefficient of low frequency. */
  dcContext: i32
  dcLower: i32
  dcUpper: i32
  acLow: i32
}

/** A component of nothing yet. */
export function newComponent(): Component {
  const component = changetype<Component>(allocateZeroed(offsetof<Component>()))
  component.level = 128 * 8
  component.roomForSteps = allocate(64 * 4)
  return component
}

/** Fixes the scale and allocates the samples of `lines` rows of blocks. */
export function setScale(c: Component, across: i32, down: i32, lines: i32): void {
  c.scaledWidth = across
  c.scaledHeight = down
  c.retainedIndexes = allocate(64)
  c.lastRetained = 0
  c.retained = 0
  for (let k = 0; k < 64; k++) {
    const row = naturalIndex(k) >> 3
    const column = naturalIndex(k) & 7
    const isRetained = row < down && column < across
    store<i8>(c.retainedIndexes + <usize>k, <i8>(isRetained ? row * across + column : -1))
    if (!isRetained) continue
    c.lastRetained = k
    c.retained |= (<u64>1) << (<u64>k)
  }
  c.stride = <usize>(c.paddedBlocksAcross * across + 16)
  c.samples = allocate(c.stride * (lines * down) + 16)
}

/** The bytes that the component's coefficients take: N * N * 2 a block, and 8 where refinement needs the nonzero. */
export function coefficientBytes(c: Component, across: i32, down: i32, progressive: bool): f64 {
  const retained = across * down
  const nonzero = progressive && retained > 1 ? 8 : 0
  return <f64>c.paddedBlocksAcross * <f64>c.paddedBlocksDown * <f64>(2 * retained + nonzero)
}

/** Allocates the coefficients of all blocks, zero. */
export function allocateCoefficients(c: Component): void {
  // A vector reads beyond the last one.
  c.coefficients = allocateZeroed(blocksOf(c) * (c.scaledWidth * c.scaledHeight) * 2 + 16)
}

/** Allocates the sets of those that are not zero, none, where refinement needs them. */
export function allocateNonzero(c: Component, progressive: bool): void {
  c.nonzero = progressive && c.scaledWidth * c.scaledHeight > 1 ? allocateZeroed(blocksOf(c) * 8) : 0
}

function blocksOf(c: Component): usize {
  return <usize>c.paddedBlocksAcross * c.paddedBlocksDown
}

/** The place of coefficient `k` among those retained, or -1. */
export function retainedIndex(c: Component, k: i32): i32 {
  return <i32>load<i8>(c.retainedIndexes + <usize>k)
}

/** The address of a block's retained coefficients. */
export function coefficientsOf(c: Component, block: usize): usize {
  return c.coefficients + ((block * <usize>(c.scaledWidth * c.scaledHeight)) << 1)
}
