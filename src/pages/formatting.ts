import { KIB, MIB } from '../units.ts'
import type { Language } from './language.ts'

const SMALLEST_UNIT = ['byte', 1] as const
const UNITS = [['megabyte', MIB], ['kilobyte', KIB], SMALLEST_UNIT] as const

/**
 * The plural forms of a sentence, by the categories of Intl.PluralRules; `{count}` stands for the number.
 */
export type Plural = { other: string } & Partial<Record<Intl.LDMLPluralRule, string>>

/** An integer with its digits grouped: 1,024. */
export function formatNumber(language: Language, value: number): string {
  return new Intl.NumberFormat(language).format(value)
}

/** A size in megabytes of 1,048,576 bytes, as the specification counts them (D10): 10 MB. */
export function formatMegabytes(language: Language, bytes: number): string {
  const format = new Intl.NumberFormat(language, { style: 'unit', unit: 'megabyte', maximumFractionDigits: 1 })
  return format.format(bytes / MIB)
}

/** The size of a file in kilobytes of 1024 bytes or megabytes of 1024 kilobytes: 340 kB, 2.3 MB. */
export function formatBytes(language: Language, bytes: number): string {
  const [unit, size] = UNITS.find(([, size]) => bytes >= size) ?? SMALLEST_UNIT
  const value = bytes / size
  return new Intl.NumberFormat(language, {
    style: 'unit',
    unit,
    // The short name of a byte has no plural.
    unitDisplay: unit === 'byte' ? 'long' : 'short',
    maximumFractionDigits: value < 10 ? 1 : 0,
  }).format(value)
}

/** A list of names: JPEG, PNG, and GIF. */
export function formatList(language: Language, names: readonly string[]): string {
  return new Intl.ListFormat(language, { type: 'conjunction' }).format(names)
}

/** A date in UTC: January 2, 2026. */
export function formatDay(language: Language, timeMs: number): string {
  return new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(timeMs)
}

/** The plural form for a count, with the count filled in: 1 picture, 2 pictures. */
export function formatPlural(language: Language, plural: Plural, count: number): string {
  const form = plural[new Intl.PluralRules(language).select(count)] ?? plural.other
  return form.replace('{count}', formatNumber(language, count))
}
