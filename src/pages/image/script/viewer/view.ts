/** A width and height in CSS pixels. */
export interface Extent {
  width: number
  height: number
}

/** A point, or a distance, in CSS pixels; from the middle of the window. */
export interface Point {
  x: number
  y: number
}

/** View of an image: CSS pixels for each of its own, and the position of its middle. */
export interface View extends Point {
  scale: number
}

/** The largest scale, of an image that is not tiny. */
const MAX_SCALE = 8

/** The whole image in the middle of the window, as large as it fits, never enlarged. */
export function fitting(image: Extent, window: Extent): View {
  return { scale: Math.min(window.width / image.width, window.height / image.height, 1), x: 0, y: 0 }
}

/** The view at another scale, in which the same spot of the image is under `pointer`; the image stays in the window. */
export function zoomed(view: View, scale: number, pointer: Point, image: Extent, window: Extent): View {
  const bounded = Math.min(Math.max(scale, fitting(image, window).scale), MAX_SCALE)
  const grown = bounded / view.scale
  const moved = { x: pointer.x - (pointer.x - view.x) * grown, y: pointer.y - (pointer.y - view.y) * grown }
  return within({ scale: bounded, ...moved }, image, window)
}

/** The view moved so that the image fills as much of the window as it can. */
export function within({ scale, x, y }: View, image: Extent, window: Extent): View {
  return {
    scale,
    x: bound(x, image.width * scale - window.width),
    y: bound(y, image.height * scale - window.height),
  }
}

function bound(at: number, room: number): number {
  const most = Math.max(room, 0) / 2
  return Math.min(Math.max(at, -most), most)
}
