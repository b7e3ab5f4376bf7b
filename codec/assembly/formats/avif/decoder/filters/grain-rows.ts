// The add noise synthesis process, row by row: AV1 specification, 7.18.3.5.
import { allocate } from '../../../../arena/memory'
import { frame } from '../frames/frame-header'
import { grainParams, mixOf } from '../frames/grain-params'
import { sampleAt, TakeRow, Window } from '../frames/planes'
import { bitDepth, isIdentityMatrix, numPlanes, subsamplingX, subsamplingY } from '../frames/sequence-header'
import { clampGrain, generateGrain, grainAt, hasGrain, randomNumber, scalingLut, seedRandom } from './grain'

/** Side of a block of grain in luma, and what it has beyond for overlaps. */
const BLOCK: i32 = 32

/** The rows of noise. Allocated for each frame that has grain. */
@unmanaged
class GrainRows {
  /** offsetX and offsetY of the blocks of a stripe of 32 rows, in one byte each; of this stripe, and of the one above. */
  offsets: usize
  offsetsAbove: usize
  stripe: i32
  /** A row of noise, i32; another, of the stripe above; and a row of samples with noise. */
  noise: usize
  noiseAbove: usize
  out: usize
}

const grainRows: GrainRows = changetype<GrainRows>(memory.data(offsetof<GrainRows>(), 4))

/** Prepares for a frame. */
export function startGrain(): void {
  generateGrain()
  grainRows.stripe = -1
  const blocks = <usize>(frame.upscaledWidth + BLOCK) / BLOCK + 1
  grainRows.offsets = allocate(blocks)
  grainRows.offsetsAbove = allocate(blocks)
  grainRows.noise = allocate((<usize>frame.upscaledWidth + 64) << 2)
  grainRows.noiseAbove = allocate((<usize>frame.upscaledWidth + 64) << 2)
  grainRows.out = allocate((<usize>frame.upscaledWidth + 64) << 1)
}

/** Hands on rows `first` up to `end` of luma with those of chroma that go with them. */
export function addGrain(from: Window, first: i32, end: i32, take: TakeRow): void {
  for (let plane = 0; plane < numPlanes; plane++) {
    const sub = plane > 0 ? subsamplingY : 0
    for (let y = first >> sub; y < (end + sub) >> sub; y++) {
      const row = sampleAt(from, plane, 0, y)
      if (!hasGrain(plane)) take(plane, y, row)
      else {
        fillNoise(plane, y)
        addNoise(plane, row, sampleAt(from, 0, 0, min(y << sub, frame.height - 1)))
        take(plane, y, grainRows.out)
      }
    }
  }
}

/** noiseImage[ plane ][ y ] into `noise`. */
function fillNoise(plane: i32, y: i32): void {
  const subY = plane > 0 ? subsamplingY : 0
  const number = y >> (5 - subY)
  const i = y - (number << (5 - subY))
  useStripe(number)
  fillRow(grainRows.offsets, plane, i, grainRows.noise)
  if (!grainParams.overlaps || number == 0 || i >= 2 >> subY) return
  fillRow(grainRows.offsetsAbove, plane, i + (BLOCK >> subY), grainRows.noiseAbove)
  const width = planeWidth(plane)
  for (let x = 0; x < width; x++) {
    const at = grainRows.noise + ((<usize>x) << 2)
    store<i32>(at, blend(load<i32>(grainRows.noiseAbove + ((<usize>x) << 2)), load<i32>(at), i, subY))
  }
}

function planeWidth(plane: i32): i32 {
  const subX = plane > 0 ? subsamplingX : 0
  return (frame.upscaledWidth + subX) >> subX
}

/** The grain where two blocks overlap: entry `i` of two, or the only one of a subsampled direction. */
function blend(old: i32, g: i32, i: i32, sub: i32): i32 {
  const sum = sub == 1 ? old * 23 + g * 22 : i == 0 ? old * 27 + g * 17 : old * 17 + g * 27
  return clampGrain((sum + 16) >> 5)
}

/** Draws the offsets of the blocks of a stripe and of the one above. */
function useStripe(number: i32): void {
  if (number == grainRows.stripe) return
  grainRows.stripe = number
  draw(number, grainRows.offsets)
  if (number > 0) draw(number - 1, grainRows.offsetsAbove)
}

function draw(number: i32, to: usize): void {
  const seed = (((number * 37 + 178) & 255) << 8) ^ ((number * 173 + 105) & 255)
  seedRandom(grainParams.seed ^ seed)
  for (let block = 0; block * BLOCK < frame.upscaledWidth; block++) store<u8>(to + block, <u8>randomNumber(8))
}

/** noiseStripe[ ][ plane ][ i ] of the stripe with these offsets. */
function fillRow(blocks: usize, plane: i32, i: i32, to: usize): void {
  const subX = plane > 0 ? subsamplingX : 0
  const subY = plane > 0 ? subsamplingY : 0
  const side = BLOCK >> subX
  for (let block = 0; block * BLOCK < frame.upscaledWidth; block++) {
    const offset = <i32>load<u8>(blocks + block)
    const x = subX == 1 ? 6 + (offset >> 4) : 9 + (offset >> 4) * 2
    const y = subY == 1 ? 6 + (offset & 15) : 9 + (offset & 15) * 2
    const at = to + ((<usize>(block * side)) << 2)
    const shared = grainParams.overlaps && block > 0 ? 2 >> subX : 0
    for (let j = 0; j < 34 >> subX; j++) {
      const g = grainAt(plane, x + j, y + i)
      const cell = at + ((<usize>j) << 2)
      store<i32>(cell, j < shared ? blend(load<i32>(cell), g, j, subX) : g)
    }
  }
}

/** Adds `noise` to a row of samples; `luma` is the row of luma that goes with it. */
function addNoise(plane: i32, row: usize, luma: usize): void {
  const depth = bitDepth - 8
  const least = grainParams.clipsToRestrictedRange ? 16 << depth : 0
  let most = (256 << depth) - 1
  if (grainParams.clipsToRestrictedRange) most = (plane == 0 || isIdentityMatrix() ? 235 : 240) << depth
  const half = 1 << (grainParams.scalingShift - 1)
  const width = planeWidth(plane)
  for (let x = 0; x < width; x++) {
    const orig = <i32>load<u16>(row + ((<usize>x) << 1))
    const index = plane == 0 ? orig : mergedIndex(plane, x, orig, luma)
    const change =
      (scaleAt(plane, index) * load<i32>(grainRows.noise + ((<usize>x) << 2)) + half) >> grainParams.scalingShift
    store<u16>(grainRows.out + ((<usize>x) << 1), <u16>max(least, min(most, orig + change)))
  }
}

/** Returns the index into the scaling function for a chroma sample. */
function mergedIndex(plane: i32, x: i32, orig: i32, luma: usize): i32 {
  const lumaX = x << subsamplingX
  let average = <i32>load<u16>(luma + ((<usize>lumaX) << 1))
  if (subsamplingX == 1) {
    const next = min(lumaX + 1, frame.upscaledWidth - 1)
    average = (average + <i32>load<u16>(luma + ((<usize>next) << 1)) + 1) >> 1
  }
  if (grainParams.chromaScalingFromLuma) return average
  const combined = average * mixOf(plane, 1) + orig * mixOf(plane, 0)
  return max(0, min((1 << bitDepth) - 1, (combined >> 6) + (mixOf(plane, 2) << (bitDepth - 8))))
}

/** scale_lut( ) */
function scaleAt(plane: i32, index: i32): i32 {
  const shift = bitDepth - 8
  const lut = scalingLut(plane)
  const x = index >> shift
  const start = <i32>load<u8>(lut + x)
  if (shift == 0 || x == 255) return start
  const rem = index - (x << shift)
  return start + (((<i32>load<u8>(lut + (x + 1)) - start) * rem + (1 << (shift - 1))) >> shift)
}
