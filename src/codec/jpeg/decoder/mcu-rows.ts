// Decoded blocks on their way to the sink: a strip of each component holds a row of MCUs.

import { drain, announcePlane, push } from '../../pipeline/sink'
import { Component } from './component'
import { component, components } from './frame-header'
import { spanAcross, spanDown } from './scale'

/** Announces the planes of all components to the sink. */
export function announcePlanes(): void {
  for (let i = 0; i < components; i++) {
    const c = component(i)
    const across = (spanAcross(c) * c.scaledWidth) / 8
    const down = (spanDown(c) * c.scaledHeight) / 8
    announcePlane(i, (c.columns * c.scaledWidth + 7) >> 3, linesOf(c), across, down, c.v * c.scaledHeight)
  }
}

/** Hands on what the strips hold, row `y` of MCUs. */
export function pushMcuRow(y: i32): void {
  for (let i = 0; i < components; i++) {
    const c = component(i)
    const lines = c.v * c.scaledHeight
    const first = y * lines
    const present = min(lines, linesOf(c) - first)
    for (let line = 0; line < present; line++) push(i, c.samples + <usize>line * c.stride)
  }
  drain()
}

function linesOf(c: Component): i32 {
  return (c.rows * c.scaledHeight + 7) >> 3
}
