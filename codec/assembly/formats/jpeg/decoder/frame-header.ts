// The frame header (T.81 B.2.2) and the geometry that follows from it (A.1.1, A.2).

import { Status } from '../../../status'
import { u16At } from '../markers'
import { Component, newComponent } from './component'

const COMPONENTS: usize = memory.data(4 * 4, 4)

/** The frame header (T.81 B.2.2). */
@unmanaged
class FrameHeader {
  /** Width and height in pixels; 0 while there is no frame. */
  width: i32
  height: i32
  components: i32
  isProgressive: bool
  isArithmetic: bool
  /** The largest sampling factors. */
  hMax: i32
  vMax: i32
  /** MCUs of an interleaved scan of all components. */
  mcusAcross: i32
  mcusDown: i32
}

export const frame: FrameHeader = changetype<FrameHeader>(memory.data(offsetof<FrameHeader>(), 4))

/** Forgets the frame of the image before. */
export function resetFrame(): void {
  frame.width = 0
  frame.height = 0
  frame.components = 0
}

/** Component `i` of the frame. */
export function component(i: i32): Component {
  return changetype<Component>(<usize>load<u32>(COMPONENTS + ((<usize>i) << 2)))
}

/** Reads a frame header's payload of baseline, extended sequential or progressive coding. */
export function readFrame(from: usize, to: usize, progressive: bool, arithmetic: bool): Status {
  // A second frame, or one of no components.
  if (frame.width > 0 || to - from < 9) return Status.Malformed
  const count = <i32>load<u8>(from, 5)
  if (to - from != 6 + 3 * <usize>count) return Status.Malformed
  if (load<u8>(from) != 8) return Status.Unsupported
  // A height of 0 means a DNL marker after the first scan (B.2.5), which no encoder writes.
  if (u16At(from + 1) == 0 || u16At(from + 3) == 0) return Status.Malformed
  if (count != 1 && count != 3 && count != 4) return Status.Unsupported
  frame.height = u16At(from + 1)
  frame.width = u16At(from + 3)
  frame.components = count
  frame.isProgressive = progressive
  frame.isArithmetic = arithmetic
  frame.hMax = frame.vMax = 1
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
    frame.hMax = max(frame.hMax, c.h)
    frame.vMax = max(frame.vMax, c.v)
  }
  frame.mcusAcross = divideUp(frame.width, 8 * frame.hMax)
  frame.mcusDown = divideUp(frame.height, 8 * frame.vMax)
  for (let i = 0; i < count; i++) {
    const c = component(i)
    c.columns = divideUp(frame.width * c.h, frame.hMax)
    c.rows = divideUp(frame.height * c.v, frame.vMax)
    c.blocksAcross = divideUp(c.columns, 8)
    c.blocksDown = divideUp(c.rows, 8)
    c.paddedBlocksAcross = frame.mcusAcross * c.h
    c.paddedBlocksDown = frame.mcusDown * c.v
  }
  return Status.Ok
}

function divideUp(n: i32, by: i32): i32 {
  return (n + by - 1) / by
}
