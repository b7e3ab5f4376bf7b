import type { Size } from './format.ts'

/** The largest size of the same aspect ratio that fits the box, never enlarged; sides are rounded down, but at least 1 (D30). */
export function fitInto(size: Size, box: Size): Size {
  if (size.width <= box.width && size.height <= box.height) return size
  // Products of integers, so that there is only one rounding.
  const isWiderThanBox = size.width * box.height >= size.height * box.width
  return isWiderThanBox
    ? { width: box.width, height: Math.max(1, Math.floor((size.height * box.width) / size.width)) }
    : { width: Math.max(1, Math.floor((size.width * box.height) / size.height)), height: box.height }
}
