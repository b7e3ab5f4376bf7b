import { formatBytes, formatNumber, formatPlural, type Plural } from '../../formatting.ts'
import { fill } from '../fill.ts'
import type { Optimization } from './answers.ts'
import { words } from './words.ts'

/** Below this, a share would be shown as 0%. */
const WORTH_TELLING = 0.005

const percentFormat = new Intl.NumberFormat(words.language, { style: 'percent' })

/** A share from 0 to 1 in percent: 40%. */
export function percent(share: number): string {
  return percentFormat.format(share)
}

/** The size of a file: 340 KB. */
export function bytes(count: number): string {
  return formatBytes(words.language, count)
}

/** A time of today, to the second: 14:32:05. */
export function clockTime(timeMs: number): string {
  return new Intl.DateTimeFormat(words.language, { timeStyle: 'medium' }).format(timeMs)
}

/** An integer with its digits grouped. */
export function number(value: number): string {
  return formatNumber(words.language, value)
}

/** A sentence in the plural form for a count. */
export function plural(forms: Plural, count: number): string {
  return formatPlural(words.language, forms, count)
}

/** The result of the optimization of one file, or of several in total. */
export function savings({ applied, originalBytes, storedBytes, storedSize }: Optimization): string {
  const share = 1 - storedBytes / originalBytes
  if (!applied || share < WORTH_TELLING) return words.notSmaller
  const saved = fill(words.saved, {
    before: bytes(originalBytes),
    after: bytes(storedBytes),
    percent: percent(share),
  })
  if (!storedSize) return saved
  const resized = fill(words.resized, { width: number(storedSize.width), height: number(storedSize.height) })
  return `${saved} · ${resized}`
}
