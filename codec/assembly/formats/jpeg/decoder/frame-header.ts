// The frame header (T.81 B.2.2) and the geometry that follows from it (A.1.1, A.2).

import { Status } from '../../../status'
import { u16At } from '../markers'
import { Component, newComponent } from './component'

const COMPONENTS: usize = memory.data(4 * 4, 4)

/** Width and height in pixels; 0 while there is no frame. */
export let width: i32 = 0
export let height: i32 = 0
export let components: i32 = 0
export let isProgressive: bool = false
export let isArithmetic: bool = false
/** The largest sampling factors. */
export let hMax: i32 = 1
export let vMax: i32 = 1
/** MCUs of an interleaved scan of all components. */
export let mcusAcross: i32 = 0
export let mcusDown: i32 = 0

/** Forgets the frame of the image before. */
export function resetFrame(): void {
  width = 0
  height = 0
  components = 0
}

/** Component `i` of the frame. */
export function component(i: i32): Component {
  return changetype<Component>(<usize>load<u32>(COMPONENTS + ((<usize>i) << 2)))
}

/** Reads a frame header's payload of baseline, extended sequential or progressive coding. */
export function readFrame(from: usize, to: usize, progressive: bool, arithmetic: bool): Status {
  // A second frame, or one of no components.
  if (width > 0 || to - from < 9) return Status.Malformed
  const count = <i32>load<u8>(from, 5)
  if (to - from != 6 + 3 * <usize>count) return Status.Malformed
  if (load<u8>(from) != 8) return Status.Unsupported
  // A height of 0 means a DNL marker after the first scan (B.2.5), which no encoder writes.
  if (u16At(from + 1) == 0 || u16At(from + 3) == 0) return Status.Malformed
  if (count != 1 && count != 3 && count != 4) return Status.Unsupported
  height = u16At(from + 1)
  width = u16At(from + 3)
  components = count
  isProgressive = progressive
  isArithmetic = arithmetic
  hMax = vMax = 1
  for (let i = 0; i < count; i++) {
    const parameters = from + 6 + <usize>(3 * i)
    const c = newComponent()
    store<u32>(COMPONENTS + ((<usize>i) << 2), <u32>changetype<usize>(c))
    c.id = load<u8>(parameters)
    c.h = load<u8>(parameters, 1) >> 4
    c.v = load<u8>(parameters, 1) & 15
    c.quantization = load<u8>(parameters, 2)
    if (c.h < 1 || c.h > 4 || c.v < 1 || c.v > 4) return Status.Malformed
    // The factors of a lone component say nothing: its MCU is one block (A.2.2).
    if (count == 1) c.h = c.v = 1
    hMax = max(hMax, c.h)
    vMax = max(vMax, c.v)
  }
  mcusAcross = divideUp(width, 8 * hMax)
  mcusDown = divideUp(height, 8 * vMax)
  for (let i = 0; i < count; i++) {
    const c = component(i)
    c.columns = divideUp(width * c.h, hMax)
    c.rows = divideUp(height * c.v, vMax)
    c.blocksAcross = divideUp(c.columns, 8)
    c.blocksDown = divideUp(c.rows, 8)
    c.paddedBlocksAcross = mcusAcross * c.h
    c.paddedBlocksDown = mcusDown * c.v
  }
  return Status.Ok
}

function divideUp(n: i32, by: i32): i32 {
  return (n + by - 1) / by
}
