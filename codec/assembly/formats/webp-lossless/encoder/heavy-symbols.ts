// Symbols that are more frequent than all rarer ones together. A prefix code takes a whole bit for each of them, whatever their share,
// and all rarer symbols take a bit more: so their bits are not the entropy's.

const MOST: i32 = 4
/** u32[4]: the largest counts, descending. */
const LARGEST: usize = memory.data(4 * MOST, 4)

/** The number of heavy symbols, the least of their counts, and the sum of the counts that are not theirs. */
export let heavy: i32 = 0
export let heavyFrom: u32 = 0
export let lightTotal: u32 = 0

/** Forgets all counts. */
export function clearLargest(): void {
  memory.fill(LARGEST, 0, 4 * MOST)
}

/** Takes the count of a symbol. */
// @ts-ignore: decorator
@inline
export function takeCount(count: u32): void {
  if (count <= load<u32>(LARGEST, 4 * (MOST - 1))) return
  let at = LARGEST + 4 * (MOST - 1)
  for (; at > LARGEST && load<u32>(at - 4) < count; at -= 4) store<u32>(at, load<u32>(at - 4))
  store<u32>(at, count)
}

/** Finds the heavy symbols among those whose counts, taken before, have this sum. The rarest symbol is never one. */
export function findHeavy(total: u32): void {
  heavy = 0
  heavyFrom = u32.MAX_VALUE
  lightTotal = total
  while (heavy < MOST) {
    const count: u32 = load<u32>(LARGEST + ((<usize>heavy) << 2))
    if (count == lightTotal || count <= lightTotal - count) return
    heavyFrom = count
    lightTotal -= count
    heavy++
  }
}

/** Returns the count of a heavy symbol, the most frequent being 0. */
// @ts-ignore: decorator
@inline
export function heavyCount(i: i32): u32 {
  return load<u32>(LARGEST + ((<usize>i) << 2))
}

/** Returns the bits of the symbol with this count. */
// @ts-ignore: decorator
@inline
export function bitsOfCount(count: f32): f32 {
  if (count < <f32>heavyFrom) return <f32>heavy + Mathf.log2(<f32>lightTotal / count)
  let i = 0
  while (<f32>heavyCount(i) > count) i++
  return <f32>(i + 1)
}
