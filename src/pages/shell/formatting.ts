import { KIB, MIB } from 'tintype-codec/units'
import { DAY_S, HOUR_S, SECOND_MS } from '../../units.ts'
import type { Plural, Template } from '../messages/types.ts'
import type { Language } from './language.ts'

const SMALLEST_UNIT = ['byte', 1] as const
const UNITS = [['megabyte', MIB], ['kilobyte', KIB], SMALLEST_UNIT] as const
/** Below the first, a share would be shown as 0%, and above the second as 100%. */
const WORTH_TELLING = 0.005
const ALL_BUT_NOTHING = 0.99
/** 0.99 MB, not 1,014 kB, is what 1.05 MB became: of two units one would have to count. */
const ALIKE = 0.95

/** An integer with its digits grouped: 1,024. */
export function formatNumber(language: Language, value: number): string {
  return new Intl.NumberFormat(language).format(value)
}

/** A size in megabytes of 1,048,576 bytes, as the specification counts them (D10): 10 MB. */
export function formatMegabytes(language: Language, bytes: number): string {
  const format = new Intl.NumberFormat(language, { style: 'unit', unit: 'megabyte', maximumFractionDigits: 1 })
  return format.format(bytes / MIB)
}

/** A duration in hours, as part of a sentence: 24 hours. */
export function formatHours(language: Language, hours: number): string {
  return new Intl.NumberFormat(language, { style: 'unit', unit: 'hour', unitDisplay: 'long' }).format(hours)
}

const DURATIONS_S = [
  ['year', 365 * DAY_S],
  ['month', 30 * DAY_S],
  ['week', 7 * DAY_S],
  ['day', DAY_S],
  ['hour', HOUR_S],
  ['minute', 60],
  ['second', 1],
] as const
/** A time that is further away is shown as a date. */
const SOON_S = 30 * DAY_S

/** A duration in the largest unit that divides it: 1 week, 36 hours. */
export function formatDuration(language: Language, seconds: number): string {
  const [unit, size] = DURATIONS_S.find(([, s]) => seconds % s === 0) ?? ['second', 1]
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(seconds / size)
}

/** A time to come: in 3 hours, in 5 days or, from a month on, its date. */
export function formatUntil(language: Language, timeMs: number, nowMs: number): string {
  const seconds = Math.max((timeMs - nowMs) / SECOND_MS, 0)
  if (seconds >= SOON_S) return formatDay(language, timeMs)
  const countOf = (unitSeconds: number) => Math.floor(seconds / unitSeconds + JUST_BEGUN)
  const [unit, size] = SOON_UNITS.find(([, s]) => countOf(s) >= 2) ?? (['minute', 60] as const)
  return new Intl.RelativeTimeFormat(language).format(Math.max(countOf(size), 1), unit)
}

/** This share of a unit may be missing: what was to last 30 days has 30 days for its first hour, not 29. */
const JUST_BEGUN = 1 / 24

const SOON_UNITS = [
  ['day', DAY_S],
  ['hour', HOUR_S],
] as const

/** The size of a file in kilobytes of 1024 bytes or megabytes of 1024 kilobytes: 340 kB, 2.3 MB. */
export function formatBytes(language: Language, bytes: number): string {
  const [unit, size] = unitOf(bytes)
  const value = bytes / size
  return formatUnit(language, unit, value, { maximumFractionDigits: value < 10 ? 1 : 0 })
}

/**
 * Formats the savings of a file for a sentence; undefined below half a percent. Sizes that would look equal get more
 * digits: 18.4 kB and 17.7 kB, 4%.
 */
export function formatSavings(
  language: Language,
  beforeBytes: number,
  afterBytes: number,
): { before: string; after: string; percent: string } | undefined {
  const share = 1 - afterBytes / beforeBytes
  if (share < WORTH_TELLING) return undefined
  const percent = new Intl.NumberFormat(language, { style: 'percent' }).format(Math.min(share, ALL_BUT_NOTHING))
  const [before, after] = [formatBytes(language, beforeBytes), formatBytes(language, afterBytes)]
  const [unit, size] = unitOf(beforeBytes)
  const areAlike = before === after || (afterBytes < size && afterBytes > ALIKE * size)
  if (!areAlike) return { before, after, percent }
  const format = (bytes: number, digits: number) =>
    formatUnit(language, unit, bytes / size, { minimumFractionDigits: digits, maximumFractionDigits: digits })
  const digits = format(beforeBytes, 1) === format(afterBytes, 1) ? 2 : 1
  return { before: format(beforeBytes, digits), after: format(afterBytes, digits), percent }
}

function unitOf(bytes: number): (typeof UNITS)[number] {
  return UNITS.find(([, size]) => bytes >= size) ?? SMALLEST_UNIT
}

function formatUnit(
  language: Language,
  unit: (typeof UNITS)[number][0],
  value: number,
  digits: Pick<Intl.NumberFormatOptions, 'minimumFractionDigits' | 'maximumFractionDigits'>,
): string {
  // The short name of a byte has no plural.
  const unitDisplay = unit === 'byte' ? 'long' : 'short'
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay, ...digits }).format(value)
}

/** A list of names: JPEG, PNG, and GIF. */
export function formatList(language: Language, names: readonly string[]): string {
  return new Intl.ListFormat(language, { type: 'conjunction' }).format(names)
}

/** A date in UTC: January 2, 2026. */
export function formatDay(language: Language, timeMs: number): string {
  return new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(timeMs)
}

/** Returns the plural form for a count, with the count filled in: 1 image, 2 images. */
export function formatPlural(language: Language, plural: Plural, count: number): string {
  const form = plural[new Intl.PluralRules(language).select(count)] ?? plural.other
  return fill(form, { count: formatNumber(language, count) })
}

/** Fills the placeholders of a text: `{name}` becomes the value of that name, which is not searched for placeholders. */
export function format<Name extends string>(template: Template<Name>, values: Readonly<Record<Name, string>>): string {
  return fill(template, values)
}

/** Returns the text before and after a placeholder, with the others filled, to put an element between them. */
export function formatAround<Name extends string, Around extends Name>(
  template: Template<Name>,
  around: Around,
  values: Readonly<Record<Exclude<Name, Around>, string>>,
): [before: string, after: string] {
  const [before = '', after = ''] = template.split(`{${around}}`)
  return [fill(before, values), fill(after, values)]
}

function fill(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\{([A-Za-z]+)\}/g, (placeholder, name) => values[name] ?? placeholder)
}
