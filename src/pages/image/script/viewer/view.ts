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
/** Two fingers may make an image smaller than it fits by this much; it returns when they leave. */
const PINCHED_MIN = 0.6
/** An image that fits at nearly its own size is zoomed to this many times its fitted size instead. */
const NEARLY_OWN = 0.8
const CLOSER = 2

/** The whole image in the middle of the window, as large as it fits, never enlarged. */
export function fitting(image: Extent, window: Extent): View {
  return { scale: Math.min(window.width / image.width, window.height / image.height, 1), x: 0, y: 0 }
}

/** Whether the view shows the whole image. */
export function isFitting(view: View, image: Extent, window: Extent): boolean {
  return view.scale <= fitting(image, window).scale * 1.001
}

/** The view at another scale, in which the same spot of the image is under `pointer`; the image stays in the window. */
export function zoomed(view: View, scale: number, pointer: Point, image: Extent, window: Extent): View {
  const bounded = Math.min(Math.max(scale, fitting(image, window).scale), MAX_SCALE)
  return within(about(view, bounded, pointer, pointer), image, window)
}

/** The view after two fingers moved from around one middle to around another: the spot between them stays between them. */
export function pinched(
  view: View,
  { growth, from, to }: { growth: number; from: Point; to: Point },
  image: Extent,
  window: Extent,
): View {
  const least = fitting(image, window).scale * PINCHED_MIN
  const moved = about(view, Math.min(Math.max(view.scale * growth, least), MAX_SCALE), from, to)
  return isFitting(moved, image, window) ? moved : within(moved, image, window)
}

/** The view at its own size, or closer if it is shown so already; fitted, if it is closer than fitted. */
export function toggled(view: View, pointer: Point, image: Extent, window: Extent): View {
  const fitted = fitting(image, window)
  if (!isFitting(view, image, window)) return fitted
  return zoomed(view, fitted.scale < NEARLY_OWN ? 1 : fitted.scale * CLOSER, pointer, image, window)
}

/** The view moved so that the image fills as much of the window as it can. */
export function within({ scale, x, y }: View, image: Extent, window: Extent): View {
  return {
    scale,
    x: bound(x, image.width * scale - window.width),
    y: bound(y, image.height * scale - window.height),
  }
}

function about(view: View, scale: number, from: Point, to: Point): View {
  const grown = scale / view.scale
  return { scale, x: to.x - (from.x - view.x) * grown, y: to.y - (from.y - view.y) * grown }
}

function bound(at: number, room: number): number {
  const most = Math.max(room, 0) / 2
  return Math.min(Math.max(at, -most), most)
}
