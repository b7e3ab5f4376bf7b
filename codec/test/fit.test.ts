import { expect, test } from 'vitest'
import { fitInto } from '../src/fit.ts'

test.each([
  // size, box, what fits
  [
    [100, 80],
    [200, 200],
    [100, 80],
  ],
  [
    [200, 200],
    [200, 200],
    [200, 200],
  ],
  [
    [201, 200],
    [200, 200],
    [200, 199],
  ],
  [
    [400, 300],
    [200, 200],
    [200, 150],
  ],
  [
    [300, 400],
    [200, 200],
    [150, 200],
  ],
  // 100 * 200 / 201 is 99.5: rounded down.
  [
    [201, 100],
    [200, 200],
    [200, 99],
  ],
  [
    [333, 1000],
    [150, 150],
    [49, 150],
  ],
  [
    [10000, 1],
    [200, 200],
    [200, 1],
  ],
  [
    [1, 10000],
    [200, 200],
    [1, 200],
  ],
  [
    [1, 1],
    [150, 150],
    [1, 1],
  ],
  [
    [3841, 2160],
    [3840, 3840],
    [3840, 2159],
  ],
  // 49 * 3 / 49 must not come out as 2.999.
  [
    [49, 49],
    [3, 3],
    [3, 3],
  ],
])('an image of %j in a box of %j is made %j', ([width = 0, height = 0], [boxWidth = 0, boxHeight = 0], [w, h]) => {
  expect(fitInto({ width, height }, { width: boxWidth, height: boxHeight })).toEqual({ width: w, height: h })
})
