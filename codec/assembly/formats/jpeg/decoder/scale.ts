// Scaled decoding: how many samples each block is decoded to. Every component takes the fewest that still give
// `oversampling` times the samples wanted, so subsampled chroma takes more of them instead of being enlarged.

import { targetColumns, targetRows } from '../../../pipeline/sink'
import { Component, coefficientBytes, setScale } from './component'
import { component, frame } from './frame-header'

const STEP: f64 = 0.25

/** Samples of a component that the image spans across, at full scale. */
export function spanAcross(c: Component): f64 {
  return <f64>(frame.width * c.h) / <f64>frame.hMax
}

/** Samples of a component that the image spans down, at full scale. */
export function spanDown(c: Component): f64 {
  return <f64>(frame.height * c.v) / <f64>frame.vMax
}

/**
 * Sets the scale of all components for at least `oversampling` times the samples wanted. Where coefficients are held,
 * `budget` bytes may reduce that, down to the samples wanted. Returns false if even those exceed the budget.
 */
export function chooseScale(oversampling: f64, isMultiScan: bool, budget: f64): bool {
  let ratio = oversampling
  while (isMultiScan && bytesAt(ratio) > budget) {
    if (ratio <= 1) return false
    ratio = max<f64>(1, ratio - STEP)
  }
  for (let i = 0; i < frame.components; i++)
    setScale(component(i), pointsAcross(i, ratio), pointsDown(i, ratio), component(i).v)
  return true
}

function bytesAt(ratio: f64): f64 {
  let bytes: f64 = 0
  for (let i = 0; i < frame.components; i++) {
    bytes += coefficientBytes(component(i), pointsAcross(i, ratio), pointsDown(i, ratio), frame.isProgressive)
  }
  return bytes
}

function pointsAcross(i: i32, ratio: f64): i32 {
  return points(spanAcross(component(i)), targetColumns(i) * ratio)
}

function pointsDown(i: i32, ratio: f64): i32 {
  return points(spanDown(component(i)), targetRows(i) * ratio)
}

function points(span: f64, wanted: f64): i32 {
  return <i32>max<f64>(1, min<f64>(8, Math.ceil((8 * wanted) / span)))
}
