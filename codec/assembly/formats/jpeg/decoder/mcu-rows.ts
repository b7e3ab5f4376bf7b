// Rows of MCUs, decoded, to the sink.

import { announcePlane, drain, push } from '../../../pipeline/sink'
import { Component } from './component'
import { component, frame } from './frame-header'
import { spanAcross, spanDown } from './scale'

/** Announces the planes of all components to the sink. */
export function announcePlanes(): void {
  for (let i = 0; i < frame.components; i++) {
    const c = component(i)
    const across = (spanAcross(c) * c.scaledWidth) / 8
    const down = (spanDown(c) * c.scaledHeight) / 8
    announcePlane(i, (c.columns * c.scaledWidth + 7) >> 3, linesOf(c), across, down, c.v * c.scaledHeight)
  }
}

/** Pushes row `y` of MCUs, whose samples all components hold. */
export function pushMcuRow(y: i32): void {
  for (let i = 0; i < frame.components; i++) {
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
