import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  type Gesture,
  moved,
  pressed,
  released,
  resting,
  type Surroundings,
} from '../../../../src/pages/image/script/viewer/gesture.ts'
import { fitting, type Point, zoomed } from '../../../../src/pages/image/script/viewer/view.ts'
import { parametersOf } from '../../../support/property.ts'

const AROUND: Surroundings = {
  image: { width: 4000, height: 3000 },
  window: { width: 400, height: 800 },
  left: true,
  right: true,
}
const FITTED = fitting(AROUND.image, AROUND.window)
const CLOSE_UP = zoomed(FITTED, 1, { x: 0, y: 0 }, AROUND.image, AROUND.window)

/** Moves one finger through points, with a time between two, and lifts it. */
function drag(points: readonly Point[], { from = resting(FITTED), around = AROUND, stepMs = 50 } = {}) {
  const [first = { x: 0, y: 0 }, ...others] = points
  let gesture = pressed(from, 1, first, 0)
  for (const [step, point] of others.entries()) gesture = moved(gesture, 1, point, (step + 1) * stepMs, around)
  return { held: gesture, ...released(gesture, 1, points.length * stepMs, around) }
}

const SLOWLY = { stepMs: 1000 }

test.each([
  ['a long way to the left', [0, -60, -120], SLOWLY, 'show-right'],
  ['a long way to the right', [0, 60, 120], SLOWLY, 'show-left'],
  ['a short way slowly', [0, -30, -60], SLOWLY, undefined],
  ['a short way quickly', [0, -30, -60], { stepMs: 20 }, 'show-right'],
  ['to where no image is', [0, -60, -120], { ...SLOWLY, around: { ...AROUND, right: false } }, undefined],
] as const)('a finger that goes %s turns to the image beside it, or not', (_how, xs, options, expected) => {
  const { held, gesture, outcome } = drag(
    xs.map((x) => ({ x, y: 0 })),
    options,
  )
  expect(outcome?.do).toBe(expected)
  expect(held.aside).toBe('around' in options ? -40 : xs[2])
  expect(gesture).toMatchObject({ aside: 0, view: FITTED })
})

test.each([
  ['down', [0, 100, 200], 'close'],
  ['down a little', [0, 20, 40], undefined],
  ['up', [0, -100, -300], undefined],
] as const)('a finger that pulls %s closes, or not', (_how, ys, expected) => {
  const { held, outcome } = drag(
    ys.map((y) => ({ x: 0, y })),
    SLOWLY,
  )
  expect(outcome?.do).toBe(expected)
  expect(held.down).toBe(Math.max(ys[2], 0))
})

test('a finger moves a close-up and nothing else, unless its edge is reached', () => {
  const path = [
    { x: 0, y: 0 },
    { x: -100, y: 30 },
  ]
  const { gesture, outcome } = drag(path, { from: resting(CLOSE_UP) })
  expect([gesture.view.x, gesture.view.y, gesture.aside, outcome]).toEqual([-100, 30, 0, undefined])
  const atEdge = resting({ ...CLOSE_UP, x: -1800 })
  expect(drag(path, { from: atEdge, ...SLOWLY }).held.aside).toBe(-100)
})

test('two taps at one place zoom there; two slow ones, and two places, do not', () => {
  const tap = (from: Gesture, at: Point, ms: number) => released(pressed(from, 1, at, ms), 1, ms + 20, AROUND)
  const first = tap(resting(FITTED), { x: 10, y: 20 }, 1000)
  expect(first.outcome).toBeUndefined()
  expect(tap(first.gesture, { x: 12, y: 20 }, 1200).outcome).toEqual({ do: 'zoom', at: { x: 12, y: 20 } })
  expect(tap(first.gesture, { x: 12, y: 20 }, 2000).outcome).toBeUndefined()
  expect(tap(first.gesture, { x: 120, y: 20 }, 1200).outcome).toBeUndefined()
})

test('two fingers keep what is between them between them, and an image that is too small returns', () => {
  const two = pressed(pressed(resting(CLOSE_UP), 1, { x: -50, y: 0 }, 0), 2, { x: 50, y: 0 }, 0)
  const apart = moved(two, 2, { x: 150, y: 40 }, 20, AROUND)
  expect(apart.view.scale).toBeCloseTo(Math.hypot(200, 40) / 100)
  // The spot between the fingers was the middle of the image, and they are around (50, 20) now.
  expect([apart.view.x, apart.view.y]).toEqual([expect.closeTo(50), expect.closeTo(20)])
  const closer = moved(apart, 2, { x: -49, y: 0 }, 40, AROUND)
  expect(closer.view.scale).toBeLessThan(FITTED.scale)
  const one = released(closer, 2, 60, AROUND).gesture
  expect(moved(one, 1, { x: 300, y: 0 }, 80, AROUND)).toMatchObject({ aside: 0, mode: 'over' })
  expect(released(one, 1, 100, AROUND).gesture.view).toEqual(FITTED)
})

const PARAMETERS = parametersOf(process.env.TINTYPE_SEED, 5, 100)
const point = fc.record({ x: fc.integer({ min: -200, max: 200 }), y: fc.integer({ min: -400, max: 400 }) })
const event = fc.record({ what: fc.constantFrom('down', 'move', 'up'), id: fc.integer({ min: 1, max: 3 }), at: point })

test(`whatever fingers do, the image fills what it can once they are gone (seed ${PARAMETERS.seed})`, () => {
  const property = fc.property(fc.array(event, { maxLength: 40 }), (events) => {
    let gesture = resting(FITTED)
    let ms = 0
    for (const { what, id, at } of events) {
      ms += 16
      if (what === 'down') gesture = pressed(gesture, id, at, ms)
      else if (what === 'move') gesture = moved(gesture, id, at, ms, AROUND)
      else gesture = released(gesture, id, ms, AROUND).gesture
    }
    for (const id of [1, 2, 3]) gesture = released(gesture, id, ms, AROUND).gesture
    const { view, aside, down, fingers } = gesture
    expect([aside, down, fingers.size]).toEqual([0, 0, 0])
    expect(view.scale).toBeGreaterThanOrEqual(FITTED.scale)
    expect(view.scale).toBeLessThanOrEqual(8)
    expect(Math.abs(view.x)).toBeLessThanOrEqual(Math.max(4000 * view.scale - 400, 0) / 2 + 1e-9)
    expect(Math.abs(view.y)).toBeLessThanOrEqual(Math.max(3000 * view.scale - 800, 0) / 2 + 1e-9)
  })
  fc.assert(property, PARAMETERS)
})
