import { type Gesture, moved, type Outcome, pressed, released, type Surroundings, settled } from './gesture.ts'
import type { Point } from './view.ts'

/** Scale factor for each wheel step, which browsers report as 100 pixels. */
export const WHEEL_GROWTH = 1.25

/** The image that pointers move. */
export interface Moved {
  gesture: () => Gesture
  surroundings: () => Surroundings
  /** Draws what a pointer left; without pointers the image settles. */
  set: (gesture: Gesture) => void
  act: (outcome: Outcome) => void
  zoomBy: (growth: number, at: Point) => void
}

/** Has fingers, the mouse and its wheel move the image on a stage. */
export function enablePointers(stage: HTMLElement, image: Moved): void {
  const pointOf = ({ clientX, clientY }: MouseEvent): Point => ({
    x: clientX - stage.clientWidth / 2,
    y: clientY - stage.clientHeight / 2,
  })
  stage.addEventListener(
    'wheel',
    (event) => {
      event.preventDefault()
      image.zoomBy(WHEEL_GROWTH ** (-event.deltaY / 100), pointOf(event))
    },
    { passive: false },
  )
  stage.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return
    stage.setPointerCapture(event.pointerId)
    image.set(pressed(image.gesture(), event.pointerId, pointOf(event), event.timeStamp))
  })
  stage.addEventListener('pointermove', (event) => {
    const { pointerId, timeStamp } = event
    image.set(moved(image.gesture(), pointerId, pointOf(event), timeStamp, image.surroundings()))
  })
  stage.addEventListener('pointerup', ({ pointerId, timeStamp }) => {
    const { gesture, outcome } = released(image.gesture(), pointerId, timeStamp, image.surroundings())
    image.set(gesture)
    if (outcome) image.act(outcome)
  })
  stage.addEventListener('pointercancel', () => image.set(settled(image.gesture(), image.surroundings())))
}
