import type { Template } from '../messages/types.ts'
import { format, formatNumber, formatSavings } from '../shell/formatting.ts'
import type { Language } from '../shell/language.ts'

/** The result of the optimization of a file; sizes in bytes and pixels. */
export interface Optimization {
  applied: boolean
  originalBytes: number
  storedBytes: number
  /** Present if the image was scaled down. */
  storedSize?: { width: number; height: number } | undefined
  /** Whether the stored file is a WebP, and the upload was not. */
  isConverted?: boolean | undefined
  /** The `reason` of the response. */
  reason?: string | undefined
}

/** The texts of optimizations. */
export interface OptimizationWords {
  saved: Template<'before' | 'after' | 'percent'>
  notSmaller: string
  converted: string
  unchanged: string
  stripped: string
  resized: Template<'width' | 'height'>
}

/** Files whose pixels stay as they are, whatever their size (D32). */
const UNCHANGED = ['gif_not_optimized', 'animated', 'kept_avif']

/** Says what was done to a file. */
export function describeOptimization(language: Language, words: OptimizationWords, optimization: Optimization): string {
  const { applied, originalBytes, storedBytes, storedSize, isConverted, reason = '' } = optimization
  if (!applied) return UNCHANGED.includes(reason) ? words.unchanged : words.notSmaller
  const parts = formatSavings(language, originalBytes, storedBytes)
  const number = (value: number) => formatNumber(language, value)
  return [
    parts ? format(words.saved, parts) : words.stripped,
    isConverted ? words.converted : [],
    storedSize ? format(words.resized, { width: number(storedSize.width), height: number(storedSize.height) }) : [],
  ]
    .flat()
    .join(' · ')
}
