// The best code lengths for a histogram (Huffman's construction) under a greatest length.

/** Symbols of the largest alphabet: green and lengths. */
export const MAX_SYMBOLS: i32 = 256 + 24 + 1024

/** u64[]: count << 16 | symbol of the symbols that occur, ascending. */
const LEAVES: usize = memory.data(8 * MAX_SYMBOLS, 8)
/** u32[]: the weight of each node, and u16[]: its parent: first the leaves, then the inner nodes as they are made. */
const WEIGHTS: usize = memory.data(4 * 2 * MAX_SYMBOLS, 4)
const PARENTS: usize = memory.data(2 * 2 * MAX_SYMBOLS, 2)
const DEPTHS: usize = memory.data(2 * MAX_SYMBOLS)

/**
 * Writes the code length (u8) of each of `symbols` symbols at `lengths`, at most `longest`; 0 for those that do not occur in
 * the histogram (u32). A symbol alone gets 1.
 */
export function codeLengths(histogram: usize, symbols: i32, longest: i32, lengths: usize): void {
  memory.fill(lengths, 0, symbols)
  // Rare symbols pass as more frequent until the tree is low enough.
  for (let least: u32 = 1; ; least <<= 1) {
    const leaves = sortLeaves(histogram, symbols, least)
    if (leaves == 0) return
    if (leaves == 1) return store<u8>(lengths + <usize>(load<u64>(LEAVES) & 0xffff), 1)
    if (buildTree(leaves) > longest) continue
    for (let i = 0; i < leaves; i++) {
      store<u8>(lengths + <usize>(load<u64>(LEAVES + ((<usize>i) << 3)) & 0xffff), load<u8>(DEPTHS + i))
    }
    return
  }
}

/** Fills `LEAVES`, with `least` for smaller counts; gives their number. */
function sortLeaves(histogram: usize, symbols: i32, least: u32): i32 {
  let leaves = 0
  for (let symbol = 0; symbol < symbols; symbol++) {
    const count = load<u32>(histogram + ((<usize>symbol) << 2))
    if (count == 0) continue
    const leaf = ((<u64>max(least, count)) << 16) | symbol
    let at = LEAVES + ((<usize>leaves) << 3)
    leaves++
    for (; at > LEAVES && load<u64>(at - 8) > leaf; at -= 8) store<u64>(at, load<u64>(at - 8))
    store<u64>(at, leaf)
  }
  return leaves
}

/** Joins the two lightest nodes until one is left, fills `DEPTHS` and gives the greatest of the leaves'. */
function buildTree(leaves: i32): i32 {
  for (let i = 0; i < leaves; i++) {
    store<u32>(WEIGHTS + ((<usize>i) << 2), <u32>(load<u64>(LEAVES + ((<usize>i) << 3)) >> 16))
  }
  const root = 2 * leaves - 2
  let leaf = 0
  let inner = leaves
  for (let node = leaves; node <= root; node++) {
    let weight: u32 = 0
    for (let child = 0; child < 2; child++) {
      const takesLeaf = leaf < leaves && (inner == node || weightOf(leaf) <= weightOf(inner))
      const taken = takesLeaf ? leaf++ : inner++
      weight += weightOf(taken)
      store<u16>(PARENTS + ((<usize>taken) << 1), <u16>node)
    }
    store<u32>(WEIGHTS + ((<usize>node) << 2), weight)
  }
  store<u8>(DEPTHS + root, 0)
  let greatest = 0
  for (let node = root - 1; node >= 0; node--) {
    const depth = <i32>load<u8>(DEPTHS + load<u16>(PARENTS + ((<usize>node) << 1))) + 1
    store<u8>(DEPTHS + node, <u8>min(255, depth))
    if (node < leaves) greatest = max(greatest, depth)
  }
  return greatest
}

// @ts-ignore: decorator
@inline
function weightOf(node: i32): u32 {
  return load<u32>(WEIGHTS + ((<usize>node) << 2))
}
