// Decoded blocks on their way to the sink: a strip of each component holds a row of MCUs.

import { drain, plane, push } from '../../pipeline/sink'
import { Component } from './component'
import { component, components } from './frame-header'
import { spanAcross, spanDown } from './scale'

/** Announces the planes of all components to the sink. */
export function announcePlanes(): void {
  for (let i = 0; i < components; i++) {
    const c = component(i)
    const across = (spanAcross(c) * c.across) / 8
    const down = (spanDown(c) * c.down) / 8
    plane(i, (c.columns * c.across + 7) >> 3, linesOf(c), across, down, c.v * c.down)
  }
}

/** Hands on what the strips hold, row `y` of MCUs. */
export function pushStrips(y: i32): void {
  for (let i = 0; i < components; i++) {
    const c = component(i)
    const lines = c.v * c.down
    const first = y * lines
    const present = min(lines, linesOf(c) - first)
    for (let line = 0; line < present; line++) push(i, c.strip + <usize>line * c.stride)
  }
  drain()
}

function linesOf(c: Component): i32 {
  return (c.rows * c.down + 7) >> 3
}
