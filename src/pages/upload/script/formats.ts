import type { Plural } from '../../messages/types.ts'
import { formatBytes, formatNumber, formatPlural } from '../../shell/formatting.ts'
import { describeOptimization, type Optimization } from '../optimization.ts'
import { words } from './words.ts'

const percentFormat = new Intl.NumberFormat(words.language, { style: 'percent' })

/** A share from 0 to 1 in percent: 40%. */
export function percent(share: number): string {
  return percentFormat.format(share)
}

/** The size of a file: 340 KB. */
export function bytes(count: number): string {
  return formatBytes(words.language, count)
}

/** A duration, rounded up so that it does not change at every moment: 20 seconds, 3 minutes, 2 hours. */
export function duration(seconds: number): string {
  if (seconds <= 50) return inUnits(Math.max(1, Math.ceil(seconds / 10)) * 10, 'second')
  const minutes = Math.ceil(seconds / 60)
  return minutes < 60 ? inUnits(minutes, 'minute') : inUnits(Math.ceil(minutes / 60), 'hour')
}

function inUnits(value: number, unit: 'second' | 'minute' | 'hour'): string {
  return new Intl.NumberFormat(words.language, { style: 'unit', unit, unitDisplay: 'long' }).format(value)
}

/** An integer with its digits grouped. */
export function number(value: number): string {
  return formatNumber(words.language, value)
}

/** A sentence in the plural form for a count. */
export function plural(forms: Plural, count: number): string {
  return formatPlural(words.language, forms, count)
}

/** The result of the optimization of one file. */
export function savings(optimization: Optimization): string {
  return describeOptimization(words.language, words, optimization)
}
