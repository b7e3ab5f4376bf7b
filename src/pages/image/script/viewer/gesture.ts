import { type Extent, fitting, isFitting, type Point, pinched, type View, within } from './view.ts'

/** The state of the image under fingers or a mouse. It knows nothing of the page. */
export interface Gesture {
  readonly view: View
  /** Offset of the row of images while it is turned, in pixels to the right. */
  readonly aside: number
  /** Offset of the image while it is pulled down to be closed, in pixels. */
  readonly down: number
  readonly fingers: ReadonlyMap<number, Point>
  readonly mode: Mode
  /** The first finger, where it began. */
  readonly start: Point
  /** Of the finger that moved last, in pixels for each millisecond. */
  readonly speed: Point
  readonly movedMs: number
  /** The last tap, which may become a double tap. */
  readonly tap: { at: Point; ms: number } | undefined
}

/** `held` is a finger that has not moved yet, `over` one that has nothing left to do. */
type Mode = 'idle' | 'held' | 'pan' | 'turn' | 'pull' | 'pinch' | 'over'

/** The surroundings of a gesture. */
export interface Surroundings {
  image: Extent
  window: Extent
  /** Whether there is an image at this side. */
  left: boolean
  right: boolean
}

/** The result when a finger leaves: show the image at a side, close, or zoom about a point. */
export type Outcome = { do: 'show-left' | 'show-right' | 'close' } | { do: 'zoom'; at: Point }

/** A finger that moves less is held still. */
const STILL_PX = 6
/** A part of the window that turns to the next image, or closes. */
const TURNED = 0.25
const PULLED = 0.18
/** A quicker finger turns or closes too, however short its way, in pixels for each millisecond. */
const FLICK = 0.4
/** A finger that rested for this time before it left has no speed. */
const PAUSE_MS = 100
/** At an end there is nothing to turn to: the image follows by a third. */
const RESISTANCE = 3
const DOUBLE_TAP_MS = 320
const DOUBLE_TAP_PX = 40
const ORIGIN: Point = { x: 0, y: 0 }

/** No finger yet, on this view. */
export function resting(view: View): Gesture {
  return {
    view,
    aside: 0,
    down: 0,
    fingers: new Map(),
    mode: 'idle',
    start: ORIGIN,
    speed: ORIGIN,
    movedMs: 0,
    tap: undefined,
  }
}

/** A finger arrives. */
export function pressed(gesture: Gesture, id: number, at: Point, ms: number): Gesture {
  const fingers = new Map(gesture.fingers).set(id, at)
  if (fingers.size > 1) return { ...gesture, fingers, mode: 'pinch', aside: 0, down: 0, tap: undefined }
  return { ...gesture, fingers, mode: 'held', start: at, speed: ORIGIN, movedMs: ms }
}

/** A finger moves. */
export function moved(gesture: Gesture, id: number, at: Point, ms: number, around: Surroundings): Gesture {
  const before = gesture.fingers.get(id)
  if (!before) return gesture
  const other = [...gesture.fingers].find(([finger]) => finger !== id)?.[1]
  const next = {
    ...gesture,
    fingers: new Map(gesture.fingers).set(id, at),
    speed: speedOf(gesture, before, at, ms),
    movedMs: ms,
  }
  if (other) {
    const growth = distance(at, other) / Math.max(distance(before, other), 1)
    const change = { growth, from: middle(before, other), to: middle(at, other) }
    return { ...next, view: pinched(gesture.view, change, around.image, around.window) }
  }
  return follow({ ...next, mode: modeOf(gesture, at, around) }, before, at, around)
}

/** A finger leaves. */
export function released(
  gesture: Gesture,
  id: number,
  ms: number,
  around: Surroundings,
): { gesture: Gesture; outcome: Outcome | undefined } {
  const at = gesture.fingers.get(id)
  if (!at) return { gesture, outcome: undefined }
  const fingers = new Map(gesture.fingers)
  fingers.delete(id)
  const [left] = fingers.values()
  if (left) {
    const mode = isFitting(gesture.view, around.image, around.window) ? 'over' : 'pan'
    return { gesture: { ...gesture, fingers, mode, start: left }, outcome: undefined }
  }
  const outcome = outcomeOf(gesture, at, ms, around)
  const isTap = gesture.mode === 'held' && outcome === undefined
  return { gesture: { ...settled(gesture, around), tap: isTap ? { at, ms } : undefined }, outcome }
}

/** Returns the gesture without its fingers, which the browser or another image took over. */
export function settled({ view }: Gesture, { image, window }: Surroundings): Gesture {
  return resting(isFitting(view, image, window) ? fitting(image, window) : within(view, image, window))
}

/** The first pixels decide what a finger does. An image that is closer than fitted is moved, except beyond its edge. */
function modeOf({ mode, start, view }: Gesture, at: Point, around: Surroundings): Mode {
  if (mode !== 'held' || distance(at, start) < STILL_PX) return mode
  const by = { x: at.x - start.x, y: at.y - start.y }
  const isAside = Math.abs(by.x) > Math.abs(by.y)
  if (!isFitting(view, around.image, around.window)) {
    const tried = within({ ...view, x: view.x + by.x }, around.image, around.window)
    return isAside && tried.x === view.x ? 'turn' : 'pan'
  }
  if (isAside) return 'turn'
  return by.y > 0 ? 'pull' : 'over'
}

function follow(gesture: Gesture, before: Point, at: Point, around: Surroundings): Gesture {
  const { mode, start, view } = gesture
  if (mode === 'pan') {
    const to = { ...view, x: view.x + at.x - before.x, y: view.y + at.y - before.y }
    return { ...gesture, view: within(to, around.image, around.window) }
  }
  if (mode === 'turn') {
    const aside = at.x - start.x
    const isFree = aside > 0 ? around.left : around.right
    return { ...gesture, aside: isFree ? aside : aside / RESISTANCE }
  }
  return mode === 'pull' ? { ...gesture, down: Math.max(at.y - start.y, 0) } : gesture
}

function outcomeOf({ mode, aside, down, tap, ...last }: Gesture, at: Point, ms: number, around: Surroundings) {
  const { window, left, right } = around
  const speed = ms - last.movedMs < PAUSE_MS ? last.speed : ORIGIN
  if (mode === 'turn') {
    const isEnough = Math.abs(aside) > TURNED * window.width || (Math.abs(speed.x) > FLICK && speed.x * aside > 0)
    if (isEnough && aside > 0 && left) return { do: 'show-left' } as const
    if (isEnough && aside < 0 && right) return { do: 'show-right' } as const
  }
  if (mode === 'pull' && (down > PULLED * window.height || (down > 0 && speed.y > FLICK))) {
    return { do: 'close' } as const
  }
  if (mode === 'held' && tap && ms - tap.ms < DOUBLE_TAP_MS && distance(tap.at, at) < DOUBLE_TAP_PX) {
    return { do: 'zoom', at } as const
  }
  return undefined
}

/** The mean of the last speeds: a single movement may be of any duration. */
function speedOf({ speed, movedMs }: Gesture, before: Point, at: Point, ms: number): Point {
  const tookMs = Math.max(ms - movedMs, 1)
  const mean = (last: number, by: number) => (last + by / tookMs) / 2
  return { x: mean(speed.x, at.x - before.x), y: mean(speed.y, at.y - before.y) }
}

function middle(a: Point, b: Point): Point {
  return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 }
}

function distance(a: Point, b: Point): number {
  return Math.hypot(a.x - b.x, a.y - b.y)
}
