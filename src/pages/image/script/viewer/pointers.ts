import type { Lens } from './lens.ts'
import type { Point } from './view.ts'

/** Scale factor for each wheel step, which browsers report as 100 pixels. */
export const WHEEL_GROWTH = 1.25
/** A finger that moves so far to the side turns the page. */
const SWIPE_PX = 50
/** A pointer that moves less was held still. */
const STILL_PX = 5

/**
 * One pointer moves the image, or turns the page where it is fitted; two zoom, as the wheel does; one that is held still
 * taps.
 */
export function enablePointers(stage: HTMLElement, lens: Lens, swipe: (towards: 'left' | 'right') => void): void {
  const pointers = new Map<number, Point>()
  let start: Point | undefined
  let moved = 0
  const pointOf = ({ clientX, clientY }: MouseEvent): Point => ({
    x: clientX - stage.clientWidth / 2,
    y: clientY - stage.clientHeight / 2,
  })
  const onWheel = (event: WheelEvent) => {
    event.preventDefault()
    lens.zoomBy(WHEEL_GROWTH ** (-event.deltaY / 100), pointOf(event))
  }
  const onDown = (event: PointerEvent) => {
    stage.setPointerCapture(event.pointerId)
    pointers.set(event.pointerId, pointOf(event))
    const isFirst = pointers.size === 1
    start = isFirst ? pointOf(event) : undefined
    if (isFirst) moved = 0
  }
  const onMove = (event: PointerEvent) => {
    const before = pointers.get(event.pointerId)
    if (!before) return
    const now = pointOf(event)
    const other = [...pointers].find(([id]) => id !== event.pointerId)?.[1]
    pointers.set(event.pointerId, now)
    moved += distance(now, before)
    if (other) {
      const middle = { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 }
      lens.zoomBy(distance(now, other) / Math.max(distance(before, other), 1), middle)
    } else if (!lens.isFitted()) lens.moveBy({ x: now.x - before.x, y: now.y - before.y })
  }
  const onEnd = (event: PointerEvent) => {
    const at = pointOf(event)
    if (pointers.delete(event.pointerId) && start && event.type === 'pointerup') {
      const aside = at.x - start.x
      if (moved < STILL_PX) lens.toggle(at)
      else if (lens.isFitted() && Math.abs(aside) > SWIPE_PX) swipe(aside < 0 ? 'left' : 'right')
    }
    start = undefined
  }
  stage.addEventListener('wheel', onWheel, { passive: false })
  stage.addEventListener('pointerdown', onDown)
  stage.addEventListener('pointermove', onMove)
  stage.addEventListener('pointerup', onEnd)
  stage.addEventListener('pointercancel', onEnd)
}

function distance(a: Point, b: Point): number {
  return Math.hypot(a.x - b.x, a.y - b.y)
}
