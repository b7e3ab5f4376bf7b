import { expect, test } from 'vitest'
import { CLIENT_LIMITS, parseClientLimits } from '../../../src/domain/settings/client-limits.ts'
import { CLIENT_LIMITS_PER_HOUR } from '../../../src/limits.ts'

test.each([
  ['', CLIENT_LIMITS_PER_HOUR],
  ['uploads=5', { ...CLIENT_LIMITS_PER_HOUR, uploads: 5 }],
  [' uploads=5 , covers=6 ', { ...CLIENT_LIMITS_PER_HOUR, uploads: 5, covers: 6 }],
  ['renames=7', { ...CLIENT_LIMITS_PER_HOUR, changes: 7 }],
  ['off', {}],
  [CLIENT_LIMITS.map((name) => `${name}=off`).join(), {}],
])('%j', (setting, limits) => {
  expect(parseClientLimits(setting)).toEqual(limits)
})

test.each([
  'uploads',
  'uploads=',
  'uploads=0',
  'uploads=-1',
  'uploads=1.5',
  'pictures=5',
  'constructor=5',
  'toString=5',
  'Off',
])('%s is rejected, and quoted', (setting) => {
  expect(() => parseClientLimits(setting)).toThrow(`received "${setting}"`)
})

test('a person who sends 1,000 images of 10 MB twice meets no limit', () => {
  expect(CLIENT_LIMITS_PER_HOUR.uploads).toBeGreaterThanOrEqual(2 * 1000)
  expect(CLIENT_LIMITS_PER_HOUR.upload_mib).toBeGreaterThanOrEqual(2 * 1000 * 10.01)
})
