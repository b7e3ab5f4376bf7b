import { expect, onTestFinished, test, vi } from 'vitest'
import { arrivalTimeMs, createImageIdSource, directoryOf } from '../../src/domain/image-id.ts'

const NOW_MS = Date.UTC(2026, 10, 20, 12, 34, 56, 789)

test('ids of one source only grow, also within a millisecond', () => {
  const next = createImageIdSource()
  const ids = Array.from({ length: 10_000 }, () => next(NOW_MS))
  expect(ids).toEqual([...ids].sort((a, b) => a - b))
  expect(new Set(ids).size).toBe(ids.length)
})

test('ids grow when the clock steps back a little, and follow a clock that was set back', () => {
  const next = createImageIdSource()
  const first = next(NOW_MS)
  expect(next(NOW_MS - 1000)).toBeGreaterThan(first)
  expect(next(NOW_MS - 86_400_000)).toBeLessThan(first)
})

test('the random bits come from a cryptographic source', () => {
  const guessable = vi.spyOn(Math, 'random').mockReturnValue(0.5)
  onTestFinished(() => guessable.mockRestore())
  // That a hundred sources begin at the same one of 4096 places has a probability of 10^-357.
  const begins = Array.from({ length: 100 }, () => createImageIdSource()(NOW_MS) % 4096)
  expect(new Set(begins).size).toBeGreaterThan(1)
})

test('an id tells its moment and its directory, the hour', () => {
  const id = createImageIdSource(() => 4095)(NOW_MS)
  expect(arrivalTimeMs(id)).toBe(NOW_MS)
  expect(directoryOf(id)).toBe(Math.floor((NOW_MS - Date.UTC(2026, 0, 1)) / 3_600_000))
})

test.each([Date.UTC(2026, 0, 1), Date.UTC(2020, 0, 1), Date.UTC(2095, 0, 1)])(
  'ids at %i are safe integers',
  (nowMs) => {
    const id = createImageIdSource()(nowMs)
    expect(Number.isSafeInteger(id)).toBe(true)
    expect(id).toBeGreaterThanOrEqual(0)
  },
)
