// Encoder output that the host has not taken yet: one chunk of a file, emptied whenever it is full.

import { allocate } from '../arena/memory'

/** The memory for a chunk of the file. */
@unmanaged
class OutputRoom {
  start: usize
  /** Where the next byte goes, and where the room ends. */
  at: usize
  end: usize
}

export const output: OutputRoom = changetype<OutputRoom>(memory.data(offsetof<OutputRoom>(), 4))

/** Makes room for a piece of `bytes` bytes. */
export function startOutput(bytes: usize): void {
  output.start = output.at = allocate(bytes)
  output.end = output.start + bytes
}

/** Notes that everything up to `address` was written. */
export function advanceTo(address: usize): void {
  output.at = address
}

/** Where the piece lies. */
export function outputStart(): usize {
  return output.start
}

/** Returns the number of its bytes that were written. */
export function outputBytes(): usize {
  return output.at - output.start
}

/** The host has taken the piece. */
export function clearOutput(): void {
  output.at = output.start
}
