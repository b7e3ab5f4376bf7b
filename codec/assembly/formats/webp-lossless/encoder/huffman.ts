// The best code lengths for a histogram (Huffman's construction) under a greatest length.

import { allocate, checkpoint, release } from '../../../arena/memory'

/** Symbols of the largest alphabet: green and lengths. */
export const MAX_SYMBOLS: i32 = 256 + 24 + 1024

/** u64[]: count << 16 | symbol of the symbols that occur, ascending. */
let sorted: usize = 0
/** u32[]: the weight of each node, and u16[]: its parent: first the leaves, then the inner nodes as they are made. */
let weights: usize = 0
let parents: usize = 0
let depths: usize = 0

/**
 * Writes the code length (u8) of each of `symbols` symbols at `lengths`, at most `longest`; 0 for those that do not occur in
 * the histogram (u32). A symbol alone gets 1.
 */
export function codeLengths(histogram: usize, symbols: i32, longest: i32, lengths: usize): void {
  memory.fill(lengths, 0, symbols)
  const end = checkpoint()
  sorted = allocate((<usize>symbols) << 3)
  weights = allocate((<usize>symbols) << 3)
  parents = allocate((<usize>symbols) << 2)
  depths = allocate((<usize>symbols) << 1)
  limitLengths(histogram, symbols, longest, lengths)
  release(end)
}

function limitLengths(histogram: usize, symbols: i32, longest: i32, lengths: usize): void {
  // Rare symbols pass as more frequent until the tree is low enough.
  for (let least: u32 = 1; ; least <<= 1) {
    const leaves = sortLeaves(histogram, symbols, least)
    if (leaves == 0) return
    if (leaves == 1) return store<u8>(lengths + <usize>(load<u64>(sorted) & 0xffff), 1)
    if (buildTree(leaves) > longest) continue
    for (let i = 0; i < leaves; i++) {
      store<u8>(lengths + <usize>(load<u64>(sorted + ((<usize>i) << 3)) & 0xffff), load<u8>(depths + i))
    }
    return
  }
}

/** Fills `sorted`, with `least` for smaller counts; returns their number. */
function sortLeaves(histogram: usize, symbols: i32, least: u32): i32 {
  let leaves = 0
  for (let symbol = 0; symbol < symbols; symbol++) {
    const count = load<u32>(histogram + ((<usize>symbol) << 2))
    if (count == 0) continue
    const leaf = ((<u64>max(least, count)) << 16) | symbol
    let at = sorted + ((<usize>leaves) << 3)
    leaves++
    for (; at > sorted && load<u64>(at - 8) > leaf; at -= 8) store<u64>(at, load<u64>(at - 8))
    store<u64>(at, leaf)
  }
  return leaves
}

/** Joins the two lightest nodes until one is left, fills `depths` and returns the greatest of the leaves'. */
function buildTree(leaves: i32): i32 {
  for (let i = 0; i < leaves; i++) {
    store<u32>(weights + ((<usize>i) << 2), <u32>(load<u64>(sorted + ((<usize>i) << 3)) >> 16))
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
      store<u16>(parents + ((<usize>taken) << 1), <u16>node)
    }
    store<u32>(weights + ((<usize>node) << 2), weight)
  }
  store<u8>(depths + root, 0)
  let greatest = 0
  for (let node = root - 1; node >= 0; node--) {
    const depth = <i32>load<u8>(depths + load<u16>(parents + ((<usize>node) << 1))) + 1
    store<u8>(depths + node, <u8>min(255, depth))
    if (node < leaves) greatest = max(greatest, depth)
  }
  return greatest
}

// @ts-ignore: decorator
@inline
function weightOf(node: i32): u32 {
  return load<u32>(weights + ((<usize>node) << 2))
}
