import { afterAll, expect, test } from 'vitest'
import { formatDay } from '../../../src/pages/shell/formatting.ts'

const { TZ } = process.env
afterAll(() => {
  if (TZ === undefined) delete process.env.TZ
  else process.env.TZ = TZ
})

// Workers always run in UTC. Only in other time zones could days follow the local clock.
test.each(['Pacific/Kiritimati', 'Pacific/Pago_Pago'])('the day is that of UTC, also in %s', (zone) => {
  process.env.TZ = zone
  expect(new Date(0).getTimezoneOffset()).not.toBe(0)
  expect(formatDay('en', Date.UTC(2026, 0, 2))).toBe('January 2, 2026')
  expect(formatDay('en', Date.UTC(2026, 0, 2, 23, 59, 59, 999))).toBe('January 2, 2026')
})
