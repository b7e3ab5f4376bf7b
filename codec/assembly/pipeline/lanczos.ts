// One axis of a resize: the weights of input samples for an output sample. An integer box of floor(factor / 2)
// samples comes first, so that Lanczos3 never sees more than a factor of four and the box never costs sharpness.
// Lanczos3, widened by the rest of the factor, follows. Samples beyond the edge are those of the edge.

import { allocate } from '../arena/memory'

/** Weights are fixed-point numbers of this many fraction bits. */
export const WEIGHT_BITS: i32 = 14

const LOBES: f64 = 3
// 256 rows of 255 still fit the u16 sums of the box.
const MAX_BOX: f64 = 256

/** One axis of a resize: sizes, and how outputs lie on inputs. */
@unmanaged
export class Axis {
  /** Input samples. */
  samples: i32
  /** Input samples averaged into one before Lanczos. */
  box: i32
  /** Samples after the box: the taps' index runs below it. */
  reduced: i32
  /** Output samples. */
  outputs: i32
  /** The most taps an output sample has. */
  taps: i32
  /** Reduced samples an output sample spans. */
  step: f64
  /** Where output 0 begins, in output samples. */
  origin: f64
  /** Room for the exact weights of one output. */
  exact: usize
}

/**
 * An axis from `samples` input samples, of which the image spans `span`, to `outputs` samples, of which it spans
 * `outSpan`. The outputs begin `origin` samples before (negative) or after the first input edge. A chroma row of an
 * image 15 pixels wide has 8 samples and spans 7.5.
 */
export function newAxis(samples: i32, span: f64, outputs: i32, outSpan: f64, origin: f64): Axis {
  const axis = changetype<Axis>(allocate(offsetof<Axis>()))
  const factor = span / outSpan
  const box = max<f64>(1, min<f64>(MAX_BOX, Math.floor(factor / 2)))
  axis.samples = samples
  axis.box = <i32>box
  axis.reduced = (samples + axis.box - 1) / axis.box
  axis.outputs = outputs
  axis.step = factor / box
  axis.origin = origin
  axis.taps = min(axis.reduced, <i32>Math.ceil(2 * support(axis)) + 1)
  axis.exact = allocate((<usize>axis.taps) << 3)
  return axis
}

/** The first reduced sample that output `i` is made of. */
export function firstTap(axis: Axis, i: i32): i32 {
  return within(axis, Math.ceil(centre(axis, i) - support(axis) - 0.5))
}

/** The last reduced sample that output `i` is made of. */
export function lastTap(axis: Axis, i: i32): i32 {
  return within(axis, Math.floor(centre(axis, i) + support(axis) - 0.5))
}

/** Writes the i16 weights of output `i`, from its first tap to its last, at `to`; their sum is exactly `unity`. */
export function writeWeights(axis: Axis, i: i32, unity: i32, to: usize): void {
  const middle = centre(axis, i) - 0.5
  const widening = max<f64>(1, axis.step)
  const first = firstTap(axis, i)
  const last = lastTap(axis, i)
  const exact = axis.exact
  memory.fill(exact, 0, (<usize>(last - first + 1)) << 3)
  let total: f64 = 0
  const end = <i32>Math.floor(middle + support(axis))
  for (let sample = <i32>Math.ceil(middle - support(axis)); sample <= end; sample++) {
    const distance = <f64>sample - middle
    const weight = isEnlarging(axis) ? max<f64>(0, 1 - Math.abs(distance)) : lanczos(distance / widening)
    const at = exact + ((<usize>(within(axis, <f64>sample) - first)) << 3)
    store<f64>(at, load<f64>(at) + weight)
    total += weight
  }
  let rest = unity
  let heaviest = 0
  for (let tap = 0; tap <= last - first; tap++) {
    const weight = <i32>Math.round((load<f64>(exact + ((<usize>tap) << 3)) * <f64>unity) / total)
    store<i16>(to + ((<usize>tap) << 1), <i16>weight)
    rest -= weight
    if (weight > <i32>load<i16>(to + ((<usize>heaviest) << 1))) heaviest = tap
  }
  // The rounding of all weights goes where it shows least, so that a flat image stays flat.
  const at = to + ((<usize>heaviest) << 1)
  store<i16>(at, <i16>(<i32>load<i16>(at) + rest))
}

/**
 * Only subsampled chroma is enlarged: by a triangle filter, as other decoders do, which does not ring.
 */
function isEnlarging(axis: Axis): bool {
  return axis.step < 1
}

function support(axis: Axis): f64 {
  return isEnlarging(axis) ? 1 : LOBES * max<f64>(1, axis.step)
}

function centre(axis: Axis, i: i32): f64 {
  return (<f64>i + 0.5 + axis.origin) * axis.step
}

function within(axis: Axis, sample: f64): i32 {
  return <i32>max<f64>(0, min<f64>(<f64>(axis.reduced - 1), sample))
}

function lanczos(x: f64): f64 {
  const distance = Math.abs(x)
  if (distance < 1e-9) return 1
  if (distance >= LOBES) return 0
  const angle = Math.PI * distance
  return (LOBES * Math.sin(angle) * Math.sin(angle / LOBES)) / (angle * angle)
}
