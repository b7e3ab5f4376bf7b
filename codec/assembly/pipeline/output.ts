// Encoder output that the host has not taken yet: one chunk of a file, emptied whenever it is full.

import { allocate } from '../arena/memory'

let start: usize = 0

/** Where the next byte goes, and where the room ends. */
export let at: usize = 0
export let end: usize = 0

/** Makes room for a piece of `bytes` bytes. */
export function startOutput(bytes: usize): void {
  start = at = allocate(bytes)
  end = start + bytes
}

/** Notes that everything up to `address` was written. */
export function advanceTo(address: usize): void {
  at = address
}

/** Where the piece lies. */
export function outputStart(): usize {
  return start
}

/** Returns the number of its bytes that were written. */
export function outputBytes(): usize {
  return at - start
}

/** The host has taken the piece. */
export function clearOutput(): void {
  at = start
}
