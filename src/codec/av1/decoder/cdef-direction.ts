// The CDEF direction process: AV1 specification, 7.15.2.
import { bitDepth } from './sequence-header'

/** partial, i32[8][15], a row of 16. */
const PARTIAL: usize = memory.data(4 * 8 * 16, 16)
const COST: usize = memory.data(4 * 8, 16)
/** Div_Table */
const DIV_TABLE: usize = memory.data<i32>([0, 840, 420, 280, 210, 168, 140, 120, 105])

/** var of the block whose direction was found last. */
export let variance: i32 = 0

/** Finds the direction of the 8x8 samples at `at`. */
export function findDirection(at: usize, stride: usize): i32 {
  memory.fill(PARTIAL, 0, 4 * 8 * 16)
  sumLines(at, stride)
  for (let i = 0; i < 8; i++) store<i32>(COST + (<usize>i << 2), (i & 1) != 0 ? oddCost(i) : (i & 2) != 0 ? straightCost(i) : diagonalCost(i))
  let yDir = 0
  let bestCost = 0
  for (let i = 0; i < 8; i++) {
    if (cost(i) <= bestCost) continue
    bestCost = cost(i)
    yDir = i
  }
  variance = (bestCost - cost((yDir + 4) & 7)) >> 10
  return yDir
}

function cost(i: i32): i32 {
  return load<i32>(COST + (<usize>i << 2))
}

function sumLines(at: usize, stride: usize): void {
  const shift = bitDepth - 8
  for (let i = 0; i < 8; i++) {
    const row = at + <usize>i * stride
    for (let j = 0; j < 8; j++) {
      const x = (<i32>load<u16>(row + (<usize>j << 1)) >> shift) - 128
      add(0, i + j, x)
      add(1, i + (j >> 1), x)
      add(2, i, x)
      add(3, 3 + i - (j >> 1), x)
      add(4, 7 + i - j, x)
      add(5, 3 - (i >> 1) + j, x)
      add(6, j, x)
      add(7, (i >> 1) + j, x)
    }
  }
}

// @ts-ignore: decorator
@inline
function add(dir: usize, line: i32, x: i32): void {
  const at = PARTIAL + (dir << 6) + (<usize>line << 2)
  store<i32>(at, load<i32>(at) + x)
}

// @ts-ignore: decorator
@inline
function square(dir: i32, line: i32): i32 {
  const value = load<i32>(PARTIAL + (<usize>dir << 6) + (<usize>line << 2))
  return value * value
}

function divisor(i: i32): i32 {
  return load<i32>(DIV_TABLE + (<usize>i << 2))
}

/** Directions 2 and 6: rows and columns. */
function straightCost(dir: i32): i32 {
  let sum = 0
  for (let i = 0; i < 8; i++) sum += square(dir, i)
  return sum * divisor(8)
}

/** Directions 0 and 4. */
function diagonalCost(dir: i32): i32 {
  let sum = 0
  for (let i = 0; i < 7; i++) sum += (square(dir, i) + square(dir, 14 - i)) * divisor(i + 1)
  return sum + square(dir, 7) * divisor(8)
}

function oddCost(dir: i32): i32 {
  let sum = 0
  for (let j = 0; j < 5; j++) sum += square(dir, 3 + j)
  sum *= divisor(8)
  for (let j = 0; j < 3; j++) sum += (square(dir, j) + square(dir, 10 - j)) * divisor(2 * j + 2)
  return sum
}
