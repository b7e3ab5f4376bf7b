import { expect, test } from 'vitest'
import { needsOriginal } from '../../../../src/pages/image/script/viewer/resolution.ts'

test.each([
  { where: 'a desktop', shownWidth: 1216, previewWidth: 1280, pixelRatio: 1, expected: false },
  { where: 'a desktop at 125 %', shownWidth: 1216, previewWidth: 1280, pixelRatio: 1.25, expected: false },
  { where: 'a desktop of two pixels', shownWidth: 1216, previewWidth: 1280, pixelRatio: 2, expected: true },
  { where: 'a phone of three pixels', shownWidth: 400, previewWidth: 960, pixelRatio: 3, expected: false },
  { where: 'a zoomed image', shownWidth: 4000, previewWidth: 1280, pixelRatio: 1, expected: true },
])('$where needs the original: $expected', ({ shownWidth, previewWidth, pixelRatio, expected }) => {
  expect(needsOriginal(shownWidth, previewWidth, pixelRatio)).toBe(expected)
})
