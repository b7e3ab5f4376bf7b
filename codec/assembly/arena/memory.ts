// The arena: one image is one job, and a job's memory is given back all at once. Nothing else in the module
// allocates.

const PAGE_BITS = 16
const ALIGNMENT: usize = 16

let top: usize = 0
let highest: usize = 0
let full = false
/** The module's maximum, as in asconfig.json. */
let limit: usize = 1152 << PAGE_BITS

/** Memory that was freed below the top: the arena continues there until it is full, then at its former top. */
@unmanaged
class FreedRun {
  start: usize
  /** 0 where there is no run. */
  end: usize
  formerTop: usize
}

const freed: FreedRun = changetype<FreedRun>(memory.data(offsetof<FreedRun>(), 4))

/**
 * Empties the arena. Every address given out before is void; the memory itself stays, so the next job grows nothing.
 */
export function reset(): void {
  top = aligned(__heap_base)
  highest = top
  full = false
  freed.end = 0
}

/** Limits all memory of the instance to so many bytes, if that is less than the module's own maximum. */
export function limitMemory(bytes: usize): void {
  limit = min(bytes, limit)
}

/** Returns how many bytes the arena may still take above its top, or above its former one while it fills a freed run. */
export function bytesLeft(): usize {
  return limit - (top <= freed.end ? freed.formerTop : top)
}

/** Whether the trap that ended a job was for want of memory. */
export function isFull(): bool {
  return full
}

/**
 * Takes `bytes` bytes: 16-aligned, NOT zeroed. Grows the memory as needed and traps above the module's maximum;
 * after `reset()` the instance is as good as new.
 */
export function allocate(bytes: usize): usize {
  const isFreedFull = top <= freed.end && bytes > freed.end - top
  const start = isFreedFull ? freed.formerTop : top
  if (bytes > <usize>0x7fffffff - start) giveUp()
  top = aligned(start + bytes)
  if (top > limit) giveUp()
  if (top > highest) highest = top
  const missing = <i32>((top + 0xffff) >> PAGE_BITS) - memory.size()
  if (missing > 0 && memory.grow(missing) < 0) giveUp()
  return start
}

function giveUp(): void {
  full = true
  unreachable()
}

/** Like `allocate`, and zeroed. */
export function allocateZeroed(bytes: usize): usize {
  const start = allocate(bytes)
  memory.fill(start, 0, bytes)
  return start
}

/** Returns the arena's current end, for `release`. */
export function checkpoint(): usize {
  return top
}

/** Frees everything allocated since `checkpoint()` returned `end`. A run that was freed before stays free, and is filled first. */
export function release(end: usize): void {
  if (end < freed.start) freed.end = 0
  if (end > freed.end && end <= freed.formerTop && freed.end != 0) {
    freed.formerTop = end
    top = freed.start
  } else top = end
}

/** Frees what was allocated between two checkpoints, although later memory is in use. There is one such run at a time, the last. */
export function releaseBetween(start: usize, end: usize): void {
  const isLast = end == top
  freed.start = start
  freed.end = isLast ? 0 : end
  freed.formerTop = top
  top = start
}

/** The most bytes of memory in use since `reset()`, static data included: what a job costs. */
export function peakBytes(): usize {
  return highest
}

function aligned(address: usize): usize {
  return (address + (ALIGNMENT - 1)) & ~(ALIGNMENT - 1)
}
