import { expect, test } from 'vitest'
import { newAv1Instance } from '../decoder.ts'

const { projectVector } = newAv1Instance<{
  projectVector(component: number, numerator: number, denominator: number): number
}>()

test('a vector is as long for each frame as over those that it was found for (7.9.3)', () => {
  for (const denominator of [1, 2, 3, 7, 31]) {
    for (const numerator of [-31, -2, -1, 0, 1, 4, 31]) {
      for (const component of [-4095, -100, -1, 0, 1, 64, 4095]) {
        const greatest = (1 << 14) - 1
        const exact = Math.max(-greatest, Math.min(greatest, (component * numerator) / denominator))
        // The reciprocal of the denominator has 14 bits, and is rounded down.
        const error = 0.5 + Math.abs(component * numerator) / 2 ** 14
        const projected = projectVector(component, numerator, denominator)
        expect(Math.abs(projected - exact), `${component} * ${numerator} / ${denominator}`).toBeLessThanOrEqual(error)
        expect(projectVector(-component, numerator, denominator)).toBe(0 - projected)
      }
    }
  }
})

test('no more than 31 frames count', () => {
  expect(projectVector(100, 40, 31)).toBe(projectVector(100, 31, 31))
  expect(projectVector(100, 31, 62)).toBe(projectVector(100, 31, 31))
})
