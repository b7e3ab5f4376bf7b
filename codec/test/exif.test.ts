import { expect, test } from 'vitest'
import { findOrientation, orientationExif } from '../src/exif.ts'
import { join } from './probe/made.ts'

const ENTRY = [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0]

test.each([
  ['high byte first', join('MM\0*', [0, 0, 0, 8, 0, 1], ENTRY), 6],
  ['low byte first', join('II*\0', [8, 0, 0, 0, 1, 0], [0x12, 0x01, 3, 0, 1, 0, 0, 0, 5, 0, 0, 0]), 5],
  ['after the prefix of JPEG', join('Exif\0\0MM\0*', [0, 0, 0, 8, 0, 1], ENTRY), 6],
  ['as a number of four bytes', join('MM\0*', [0, 0, 0, 8, 0, 1], [1, 0x12, 0, 4, 0, 0, 0, 1, 0, 0, 0, 7]), 7],
  ['after another tag', join('MM\0*', [0, 0, 0, 8, 0, 2], [1, 0x0f, 0, 2, 0, 0, 0, 1, 65, 0, 0, 0], ENTRY), 6],
  ['in a directory elsewhere', join('MM\0*', [0, 0, 0, 12], 'away', [0, 1], ENTRY), 6],
])('an orientation %s is found', (_, exif, orientation) => {
  expect(findOrientation(exif)).toBe(orientation)
})

test.each([
  ['nothing', join()],
  ['no byte order', join('XX\0*', [0, 0, 0, 8, 0, 1], ENTRY)],
  ['a directory past the end', join('MM\0*', [0xff, 0xff, 0xff, 0xff])],
  ['a directory cut short', join('MM\0*', [0, 0, 0, 8, 0xff, 0xff], ENTRY.slice(0, 9))],
  ['another tag alone', join('MM\0*', [0, 0, 0, 8, 0, 1], [1, 0x13], ENTRY.slice(2))],
  ['an orientation of 0', join('MM\0*', [0, 0, 0, 8, 0, 1], ENTRY.with(9, 0))],
  ['an orientation of 9', join('MM\0*', [0, 0, 0, 8, 0, 1], ENTRY.with(9, 9))],
  ['an orientation that is a text', join('MM\0*', [0, 0, 0, 8, 0, 1], ENTRY.with(3, 2))],
])('EXIF of %s has no orientation', (_, exif) => {
  expect(findOrientation(exif)).toBeUndefined()
})

test.each([1, 2, 3, 4, 5, 6, 7, 8] as const)('the smallest EXIF of orientation %i is read', (orientation) => {
  const exif = orientationExif(orientation)
  expect(exif).toHaveLength(26)
  expect(findOrientation(exif)).toBe(orientation)
})
