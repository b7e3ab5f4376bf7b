import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fitting, type View, within, zoomed } from '../../../../src/pages/image/script/viewer/view.ts'
import { parametersOf } from '../../../support/property.ts'

const WINDOW = { width: 1000, height: 800 }
const PHOTOGRAPH = { width: 4000, height: 3000 }

test.each([
  [PHOTOGRAPH, 0.25],
  [{ width: 300, height: 8000 }, 0.1],
  [{ width: 16, height: 16 }, 1],
])('%j fits at the scale %f', (image, scale) => {
  expect(fitting(image, WINDOW)).toEqual({ scale, x: 0, y: 0 })
})

test('the same point of the image stays under the pointer, as far as the image can stay in the window', () => {
  const pointer = { x: 120, y: -40 }
  const spotIn = ({ scale, x, y }: View) => [(pointer.x - x) / scale, (pointer.y - y) / scale]
  const before = zoomed(fitting(PHOTOGRAPH, WINDOW), 1, { x: 0, y: 0 }, PHOTOGRAPH, WINDOW)
  const after = zoomed(before, 2, pointer, PHOTOGRAPH, WINDOW)
  expect(after.scale).toBe(2)
  const [[x = 0, y = 0], [toX = 0, toY = 0]] = [spotIn(before), spotIn(after)]
  expect([toX, toY]).toEqual([expect.closeTo(x), expect.closeTo(y)])
})

const distance = fc.integer({ min: -1500, max: 1500 })
const move = fc.record({ x: distance, y: distance })
const zoom = fc.record({ x: distance, y: distance, factor: fc.double({ min: 0.5, max: 2, noNaN: true }) })
const PARAMETERS = parametersOf(process.env.TINTYPE_SEED, 5, 50)

test(`no action opens a gap beside an image larger than the window, and a smaller one stays in the middle (seed ${PARAMETERS.seed})`, () => {
  const property = fc.property(fc.array(fc.oneof(move, zoom), { maxLength: 40, size: 'max' }), (steps) => {
    let view = fitting(PHOTOGRAPH, WINDOW)
    for (const step of steps) {
      view =
        'factor' in step
          ? zoomed(view, view.scale * step.factor, step, PHOTOGRAPH, WINDOW)
          : within({ ...view, x: view.x + step.x, y: view.y + step.y }, PHOTOGRAPH, WINDOW)
      expect(view.scale).toBeGreaterThanOrEqual(0.25)
      expect(view.scale).toBeLessThanOrEqual(8)
      for (const [at, imageLength, windowLength] of [
        [view.x, PHOTOGRAPH.width, WINDOW.width],
        [view.y, PHOTOGRAPH.height, WINDOW.height],
      ] as const) {
        expect(Math.abs(at)).toBeLessThanOrEqual(Math.max(imageLength * view.scale - windowLength, 0) / 2 + 1e-9)
      }
    }
  })
  fc.assert(property, PARAMETERS)
})
