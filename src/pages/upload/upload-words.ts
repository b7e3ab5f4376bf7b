import type { Plural } from '../shell/formatting.ts'
import type { Language } from '../shell/language.ts'

/** Messages with arguments become texts with `{argument}`, for the script to fill in. */
export interface UploadWords {
  language: Language
  choose: string
  addMore: string
  imageCount: Plural
  start: Plural
  waiting: string
  sending: string
  processing: string
  done: string
  held: string
  stopped: string
  offline: string
  remove: string
  retry: string
  retryButton: string
  retryAll: string
  finishAnyway: string
  progress: string
  allDone: Plural
  someFailed: Plural
  saved: string
  notSmaller: string
  resized: string
  copyOf: string
  gallery: string
  /** With `{time}`. */
  paused: Record<PauseReason, string>
  moved: string
  remembered: string
  notRemembered: string
  remember: string
  dontRemember: string
  startingOver: { sent: Plural; deleted: Plural; failed: Plural }
  /** How many files of a share were not stored. */
  sharedLeft: Plural
  unfit: {
    heading: Plural
    reasons: Record<Unfitness, string>
    makeSmaller: string
    convert: string
    curing: string
    failed: string
    fetching: string
    fetchFailed: string
  }
  /** Maximum size of a file. */
  bounds: { bytes: number; pixels: number }
  errors: Record<UploadFailure, string>
}

/** Why the service takes no more for a while: the client has reached a limit, or the service has much to do. */
export type PauseReason = 'limited' | 'busy'

/** Why an image or its gallery failed; the script chooses by the status of the response. */
export type UploadFailure =
  | 'network'
  | 'tooLarge'
  | 'notAPicture'
  | 'damaged'
  | 'galleryGone'
  | 'galleryName'
  | 'limited'
  | 'notStripped'
  | 'server'

/** Why a file is not taken into the list. */
export type Unfitness = 'tooBig' | 'convertible' | 'unreadable' | 'notAPicture' | 'damaged'
