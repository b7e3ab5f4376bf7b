import { expect, test } from 'vitest'
import { uprightSize } from '../src/format.ts'

test.each([
  [1, [3, 2]],
  [6, [2, 3]],
] as const)('orientation %i shows 3 x 2 as %o', (orientation, [width, height]) => {
  expect(uprightSize({ size: { width: 3, height: 2 }, orientation })).toEqual({ width, height })
})
