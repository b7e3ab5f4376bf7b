import type { Plural, Template } from '../messages/types.ts'
import type { Language } from '../shell/language.ts'
import type { PauseWords } from '../shell/pause.ts'
import type { OptimizationWords } from './optimization.ts'
import type { FailureWords } from './upload-failure.ts'

/** The texts of the upload page's script. */
export interface UploadWords extends FailureWords, OptimizationWords {
  language: Language
  choose: string
  addMore: string
  imageCount: Plural
  start: Plural
  waiting: string
  sending: Template<'percent'>
  processing: string
  done: string
  held: string
  stopped: string
  offline: string
  remove: Template<'name'>
  retry: Template<'name'>
  retryButton: string
  retryAll: string
  finishAnyway: string
  progress: Template<'done' | 'total'>
  timeLeft: Template<'time'>
  allDone: Plural
  someFailed: Plural
  expires: string
  copyOf: Template<'what'>
  copyLinks: string
  gallery: string
  paused: PauseWords
  moved: Template<'name' | 'position' | 'total'>
  remembered: string
  notRemembered: string
  remember: string
  dontRemember: string
  startingOver: { sent: Plural; deleted: Plural; failed: Plural }
  /** Number of files of a share that were not stored. */
  sharedLeft: Plural
  unfit: {
    heading: Plural
    reasons: Record<Unfitness, string>
    makeSmaller: string
    convert: string
    curing: string
    failed: Template<'name'>
    fetching: string
    fetchFailed: string
  }
  /** Maximum size of a file. */
  bounds: { bytes: number; pixels: number }
}

/** Why a file is not taken into the list. */
export type Unfitness = 'tooBig' | 'convertible' | 'unreadable' | 'unsupportedFormat' | 'damaged'
