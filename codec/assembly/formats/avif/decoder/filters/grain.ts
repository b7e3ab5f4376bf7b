// The film grain synthesis process: AV1 specification, 7.18.3, as far as it is the same for a whole frame (see grain-rows.ts).
import { allocate } from '../../../../arena/memory'
import { GAUSSIAN_SEQUENCE } from '../../tables/gaussian'
import { arCoefficients, grainParams, grainPoints, pointScaling, pointValue } from '../frames/grain-params'
import { bitDepth, numPlanes, subsamplingX, subsamplingY } from '../frames/sequence-header'

/** Width and height of LumaGrain; rows of the chroma arrays are as wide. */
const GRAIN_WIDTH: i32 = 82
const GRAIN_HEIGHT: i32 = 73
const BORDER: i32 = 3
const SEED_CB: u32 = 0xb524
const SEED_CR: u32 = 0x49d8

/** LumaGrain, CbGrain and CrGrain, i16. */
const GRAIN: StaticArray<usize> = [0, 0, 0]
/** ScalingLut, u8[257] of each plane. */
const SCALING: usize = memory.data(3 * 260)

/** RandomRegister, GrainMin and GrainMax. */
@unmanaged
class Grain {
  randomRegister: u32
  min: i32
  max: i32
}

const grain: Grain = changetype<Grain>(memory.data(offsetof<Grain>(), 4))

/** Sets RandomRegister. */
export function seedRandom(seed: u32): void {
  grain.randomRegister = seed
}

/** get_random_number( ) (7.18.3.2). */
export function randomNumber(bits: i32): i32 {
  const r = grain.randomRegister
  const bit = (r ^ (r >> 1) ^ (r >> 3) ^ (r >> 12)) & 1
  grain.randomRegister = (r >> 1) | (bit << 15)
  return <i32>((grain.randomRegister >> (16 - bits)) & ((1 << bits) - 1))
}

/** The grain of a plane at a position of its array. */
export function grainAt(plane: i32, x: i32, y: i32): i32 {
  return load<i16>(unchecked(GRAIN[plane]) + ((<usize>(y * GRAIN_WIDTH + x)) << 1))
}

/** Clip3( GrainMin, GrainMax, value ) */
export function clampGrain(value: i32): i32 {
  return max(grain.min, min(grain.max, value))
}

/** Address of ScalingLut[ plane ]. */
export function scalingLut(plane: i32): usize {
  return SCALING + <usize>(plane * 260)
}

/** Whether a plane gets grain. */
export function hasGrain(plane: i32): bool {
  return grainPoints(plane) > 0 || (plane > 0 && grainParams.chromaScalingFromLuma)
}

/** Generates the grain of the planes and their scaling tables (7.18.3.3, 7.18.3.4). */
export function generateGrain(): void {
  const centre = 128 << (bitDepth - 8)
  grain.min = -centre
  grain.max = (256 << (bitDepth - 8)) - 1 - centre
  for (let plane = 0; plane < numPlanes; plane++) {
    GRAIN[plane] = allocate(2 * GRAIN_WIDTH * GRAIN_HEIGHT)
    const w = plane > 0 && subsamplingX == 1 ? 44 : GRAIN_WIDTH
    const h = plane > 0 && subsamplingY == 1 ? 38 : GRAIN_HEIGHT
    seedRandom(plane == 0 ? grainParams.seed : grainParams.seed ^ (plane == 1 ? SEED_CB : SEED_CR))
    fillNoise(plane, w, h)
    filterNoise(plane, w, h)
    fillScaling(plane)
  }
}

function fillNoise(plane: i32, w: i32, h: i32): void {
  const shift = 12 - bitDepth + grainParams.grainScaleShift
  const isThere = hasGrain(plane)
  for (let y = 0; y < h; y++) {
    for (let x = 0; x < w; x++) {
      const g = isThere ? <i32>load<i16>(GAUSSIAN_SEQUENCE + ((<usize>randomNumber(11)) << 1)) : 0
      setGrain(plane, x, y, shift > 0 ? (g + (1 << (shift - 1))) >> shift : g)
    }
  }
}

function setGrain(plane: i32, x: i32, y: i32, value: i32): void {
  store<i16>(GRAIN[plane] + ((<usize>(y * GRAIN_WIDTH + x)) << 1), <i16>value)
}

/** The auto-regressive filter. */
function filterNoise(plane: i32, w: i32, h: i32): void {
  const half = 1 << (grainParams.arCoeffShift - 1)
  for (let y = BORDER; y < h; y++) {
    for (let x = BORDER; x < w - BORDER; x++) {
      const sum = regress(plane, x, y)
      setGrain(plane, x, y, clampGrain(grainAt(plane, x, y) + ((sum + half) >> grainParams.arCoeffShift)))
    }
  }
}

function regress(plane: i32, x: i32, y: i32): i32 {
  let coefficient = arCoefficients(plane)
  let sum = 0
  for (let deltaRow = -grainParams.arCoeffLag; deltaRow <= 0; deltaRow++) {
    for (let deltaCol = -grainParams.arCoeffLag; deltaCol <= grainParams.arCoeffLag; deltaCol++) {
      if (deltaRow == 0 && deltaCol == 0) break
      sum += grainAt(plane, x + deltaCol, y + deltaRow) * load<i8>(coefficient)
      coefficient++
    }
  }
  if (plane > 0 && grainPoints(0) > 0) sum += lumaAt(x, y) * <i32>load<i8>(coefficient)
  return sum
}

/** The luma grain that goes with a position of chroma. */
function lumaAt(x: i32, y: i32): i32 {
  const lumaX = ((x - BORDER) << subsamplingX) + BORDER
  const lumaY = ((y - BORDER) << subsamplingY) + BORDER
  let luma = 0
  for (let i = 0; i <= subsamplingY; i++)
    for (let j = 0; j <= subsamplingX; j++) luma += grainAt(0, lumaX + j, lumaY + i)
  const shift = subsamplingX + subsamplingY
  return shift > 0 ? (luma + (1 << (shift - 1))) >> shift : luma
}

/** ScalingLut[ plane ] */
function fillScaling(plane: i32): void {
  const source = grainParams.chromaScalingFromLuma ? 0 : plane
  const points = grainPoints(source)
  const lut = scalingLut(plane)
  memory.fill(lut, 0, 260)
  if (points == 0) return
  memory.fill(lut, <u8>pointScaling(source, 0), pointValue(source, 0))
  for (let i = 0; i < points - 1; i++) {
    const deltaY = pointScaling(source, i + 1) - pointScaling(source, i)
    const deltaX = pointValue(source, i + 1) - pointValue(source, i)
    const delta = deltaY * ((65536 + (deltaX >> 1)) / deltaX)
    for (let x = 0; x < deltaX; x++) {
      const value = pointScaling(source, i) + ((x * delta + 32768) >> 16)
      store<u8>(lut + (pointValue(source, i) + x), <u8>value)
    }
  }
  const last = pointValue(source, points - 1)
  memory.fill(lut + last, <u8>pointScaling(source, points - 1), 257 - last)
}
