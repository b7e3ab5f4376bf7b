// The prefix code groups of an image and its coded pixels (5.1, 5.2, 6.2): those of a whole small image, and what a large one
// has in common with it.

import { allocate } from '../../../arena/memory'
import { blocksOf } from '../blocks'
import { extraBits } from '../distances'
import { putBits } from './bit-writer'
import { prefixSymbol } from './distance-codes'
import { frugalLengths } from './frugal-lengths'
import { codeLengths } from './huffman'
import { codeOf, lengthOf } from './optimal-parse'
import { COPY, countToken, extraBitsOf } from './pixel-histogram'
import { assignCodes, MAX_CODE_LENGTH, prefixCodeBits, putPrefixCode, putSymbol } from './prefix-code'
import {
  ALPHA,
  BLUE,
  CACHE_FROM,
  cacheKey,
  DISTANCE,
  DISTANCE_SYMBOLS,
  GREEN_ROOM,
  greenSymbols,
  LENGTHS_FROM,
  MAX_COPIED,
  RED,
  SYMBOLS,
} from './symbols'

/** The distance codes of the pixel above and the one to the left. */
const ABOVE: i32 = 1
const LEFT: i32 = 2
/** The largest blocks have 2^9 pixels a side. */
const MAX_BLOCK_BITS: i32 = 9
/** A shorter copy is sent as literals. */
const MIN_COPIED: i32 = 3

/** Counts, code lengths and codes of a small image. */
let imageCounts: usize = 0
let imageLengths: usize = 0
let imageCodes: usize = 0

/** Prepares for small images. */
export function startImages(): void {
  imageCounts = allocate(4 * SYMBOLS)
  imageLengths = allocate(SYMBOLS)
  imageCodes = allocate(4 * SYMBOLS)
}

/** Decides the code lengths (u8[SYMBOLS]) of a group by its histogram. */
export function chooseLengths(histogram: usize, lengths: usize, cacheBits: i32): void {
  memory.fill(lengths, 0, GREEN_ROOM)
  frugalLengths(histogram, greenSymbols(cacheBits), lengths)
  frugalLengths(histogram + 4 * RED, 256, lengths + RED)
  frugalLengths(histogram + 4 * BLUE, 256, lengths + BLUE)
  frugalLengths(histogram + 4 * ALPHA, 256, lengths + ALPHA)
  frugalLengths(histogram + 4 * DISTANCE, DISTANCE_SYMBOLS, lengths + DISTANCE)
}

/** Returns the number of bits of a group's prefix codes and of the symbols of its histogram. */
export function groupBits(histogram: usize, cacheBits: i32): f32 {
  lengthsOf(histogram, imageLengths, 0, GREEN_ROOM)
  lengthsOf(histogram, imageLengths, RED, 256)
  lengthsOf(histogram, imageLengths, BLUE, 256)
  lengthsOf(histogram, imageLengths, ALPHA, 256)
  lengthsOf(histogram, imageLengths, DISTANCE, DISTANCE_SYMBOLS)
  let bits: f32 = 0
  for (let symbol: usize = 0; symbol < <usize>SYMBOLS; symbol++) {
    const count = load<u32>(histogram + (symbol << 2))
    if (count > 0) bits += <f32>count * <f32>load<u8>(imageLengths + symbol)
  }
  return (
    bits +
    partBits(histogram, 0, greenSymbols(cacheBits)) +
    partBits(histogram, RED, 256) +
    partBits(histogram, BLUE, 256) +
    partBits(histogram, ALPHA, 256) +
    partBits(histogram, DISTANCE, DISTANCE_SYMBOLS)
  )
}

/** Returns the size of a prefix code, less what its symbols do not take if there is but one. */
function partBits(histogram: usize, from: i32, symbols: i32): f32 {
  let used = 0
  let last: u32 = 0
  for (let symbol = from; symbol < from + symbols; symbol++) {
    const count = load<u32>(histogram + ((<usize>symbol) << 2))
    if (count == 0) continue
    last = count
    used++
  }
  return <f32>prefixCodeBits(imageLengths + from, symbols) - (used == 1 ? <f32>last : 0)
}

/** Writes the codes (u32[SYMBOLS], see `assignCodes`) of a group's lengths. */
export function makeCodes(lengths: usize, codes: usize): void {
  codesOf(lengths, codes, 0, GREEN_ROOM)
  codesOf(lengths, codes, RED, 256)
  codesOf(lengths, codes, BLUE, 256)
  codesOf(lengths, codes, ALPHA, 256)
  codesOf(lengths, codes, DISTANCE, DISTANCE_SYMBOLS)
}

/** Sends the five prefix codes of a group: green, lengths and cache; red; blue; alpha; distances. */
export function putCodes(lengths: usize, cacheBits: i32): void {
  putPrefixCode(lengths, greenSymbols(cacheBits))
  putPrefixCode(lengths + RED, 256)
  putPrefixCode(lengths + BLUE, 256)
  putPrefixCode(lengths + ALPHA, 256)
  putPrefixCode(lengths + DISTANCE, DISTANCE_SYMBOLS)
}

/** Sends a token: a pixel or a step (optimal-parse.ts). */
// @ts-ignore: decorator
@inline
export function putToken(codes: usize, value: u32, kind: i32, cacheBits: i32): void {
  if (kind == COPY) {
    putValue(codes, LENGTHS_FROM, lengthOf(value))
    putValue(codes, DISTANCE, codeOf(value))
  } else if (kind <= cacheBits) {
    putSymbol(codes, CACHE_FROM + cacheKey(value, cacheBits))
  } else {
    putSymbol(codes, <i32>((value >> 8) & 255))
    putSymbol(codes, RED + <i32>((value >> 16) & 255))
    putSymbol(codes, BLUE + <i32>(value & 255))
    putSymbol(codes, ALPHA + <i32>(value >> 24))
  }
}

/** Returns about how many bits `putImage` sends. */
export function imageBits(data: usize, width: i32, count: i32): f32 {
  memory.fill(imageCounts, 0, 4 * SYMBOLS)
  walk(data, width, count, false)
  return groupBits(imageCounts, 0) + extraBitsOf(imageCounts)
}

/** Sends a small image, whole: the `count` pixels (u32) at `data`, rows of `width`. It has no cache. */
export function putImage(data: usize, width: i32, count: i32): void {
  memory.fill(imageCounts, 0, 4 * SYMBOLS)
  walk(data, width, count, false)
  chooseLengths(imageCounts, imageLengths, 0)
  makeCodes(imageLengths, imageCodes)
  putBits(0, 1) // no colour cache
  putCodes(imageLengths, 0)
  walk(data, width, count, true)
}

/** Writes an image (u32[]) with a pixel for each block of 2^bits pixels a side, in the largest blocks that are as exact. */
export function putBlockImage(image: usize, bits: i32, width: i32, height: i32): void {
  const coarse = coarsen(image, bits, width, height)
  putBits(coarse - 2, 3)
  const across = blocksOf(width, coarse)
  putImage(image, across, across * blocksOf(height, coarse))
}

/**
 * Makes one of four neighbouring blocks of an image (u32[]) with blocks of 2^bits pixels as long as all such are the same. Returns
 * the bits of the blocks that there are then.
 */
function coarsen(image: usize, bits: i32, width: i32, height: i32): i32 {
  for (; bits < MAX_BLOCK_BITS && isCoarse(image, bits, width, height); bits++) {
    const across = blocksOf(width, bits)
    let to = image
    for (let y = 0; y < blocksOf(height, bits); y += 2) {
      for (let x = 0; x < across; x += 2, to += 4) store<u32>(to, load<u32>(image + ((<usize>(y * across + x)) << 2)))
    }
  }
  return bits
}

function isCoarse(image: usize, bits: i32, width: i32, height: i32): bool {
  const across = blocksOf(width, bits)
  for (let y = 0; y < blocksOf(height, bits); y++) {
    for (let x = 0; x < across; x++) {
      const first = image + ((<usize>((y & ~1) * across + (x & ~1))) << 2)
      if (load<u32>(image + ((<usize>(y * across + x)) << 2)) != load<u32>(first)) return false
    }
  }
  return true
}

/** Counts the tokens of a small image, or sends them. */
function walk(data: usize, width: i32, count: i32, sends: bool): void {
  for (let at = 0; at < count; ) {
    const left = at == 0 ? 0 : sameAs(data, at, 1, count)
    const above = at < width ? 0 : sameAs(data, at, width, count)
    const length = max(left, above)
    let value = load<u32>(data + ((<usize>at) << 2))
    let kind = 0
    if (length >= MIN_COPIED) {
      kind = COPY
      // Of an image of one column both are the same, and its code is that of the pixel above.
      value = ((length - 1) << 20) | (above == length ? ABOVE : LEFT)
      at += length
    } else {
      kind = COPY - 1
      at++
    }
    if (sends) putToken(imageCodes, value, kind, 0)
    else countToken<u32>(imageCounts, value, kind, 0)
  }
}

function sameAs(data: usize, from: i32, distance: i32, count: i32): i32 {
  const most = min(count, from + MAX_COPIED)
  let at = from
  while (at < most && load<u32>(data + ((<usize>at) << 2)) == load<u32>(data + ((<usize>(at - distance)) << 2))) at++
  return at - from
}

function lengthsOf(histogram: usize, lengths: usize, from: i32, symbols: i32): void {
  codeLengths(histogram + ((<usize>from) << 2), symbols, MAX_CODE_LENGTH, lengths + from)
}

function codesOf(lengths: usize, codes: usize, from: i32, symbols: i32): void {
  assignCodes(lengths + from, symbols, codes + ((<usize>from) << 2))
}

/** A length or distance code: prefix symbol and extra bits (5.2.2). */
// @ts-ignore: decorator
@inline
function putValue(codes: usize, from: i32, value: i32): void {
  const symbol = prefixSymbol(value)
  putSymbol(codes, from + symbol)
  const extra = extraBits(symbol)
  putBits((value - 1) & ((1 << extra) - 1), extra)
}
