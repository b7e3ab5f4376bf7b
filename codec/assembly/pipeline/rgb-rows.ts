// Rows of colours on their way into the sink, which resizes colours that are multiplied by alpha.
import { premultiply } from '../colour/premultiply'
import { drain, push } from './sink'

/** Multiplies `count` samples of each colour by their alphas, in place, pushes a row of all four planes, and drains. */
export function pushPremultiplied(red: usize, green: usize, blue: usize, alpha: usize, count: i32): void {
  premultiply(red, alpha, count)
  premultiply(green, alpha, count)
  premultiply(blue, alpha, count)
  push(0, red)
  push(1, green)
  push(2, blue)
  push(3, alpha)
  drain()
}
