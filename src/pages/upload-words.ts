import { IMAGE_MAX_PIXELS, UPLOAD_MAX_BYTES } from '../limits.ts'
import { MEGAPIXEL } from '../units.ts'
import { formatMegabytes, formatNumber, type Plural } from './formatting.ts'
import type { Language } from './language.ts'
import { MESSAGES } from './messages.ts'
import { describeUploadError } from './upload-error.ts'

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
  startingOver: { sent: Plural; failed: string }
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
  /** What a file may be at most. */
  bounds: { bytes: number; pixels: number }
  errors: Record<UploadFailure, string>
}

/** Why the service takes no more for a while: the client has reached a limit, or the service has much to do. */
export type PauseReason = 'limited' | 'busy'

/** Why a picture or its gallery failed; the script chooses by the status of the answer. */
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

/** The texts of the upload page's script that are not in the markup of the page. */
export function uploadWords(language: Language): UploadWords {
  const { upload, codes, imageCount, limitReached } = MESSAGES[language]
  const { errors, unfit } = upload
  return {
    language,
    choose: upload.choose,
    addMore: upload.addMore,
    imageCount,
    start: upload.start,
    waiting: upload.waiting,
    sending: upload.sending('{percent}'),
    processing: upload.processing,
    done: upload.done,
    held: upload.held,
    stopped: upload.stopped,
    offline: upload.offline,
    remove: upload.remove('{name}'),
    retry: upload.retry('{name}'),
    retryButton: upload.retryButton,
    retryAll: upload.retryAll,
    finishAnyway: upload.finishAnyway,
    progress: upload.progress('{done}', '{total}'),
    allDone: upload.allDone,
    someFailed: upload.someFailed,
    saved: upload.saved('{before}', '{after}', '{percent}'),
    notSmaller: upload.notSmaller,
    resized: upload.resized('{width}', '{height}'),
    copyOf: codes.copyOf('{name}'),
    gallery: upload.galleryReady,
    paused: { limited: upload.paused.limited('{time}'), busy: upload.paused.busy('{time}') },
    moved: upload.moved('{name}', '{position}', '{total}'),
    remembered: upload.remembered,
    notRemembered: upload.managementWarning,
    remember: upload.remember,
    dontRemember: upload.dontRemember,
    startingOver: { sent: upload.startingOver.sent, failed: upload.startingOver.failed },
    unfit: {
      heading: unfit.heading,
      reasons: {
        tooBig: unfit.tooBig(
          formatMegabytes(language, UPLOAD_MAX_BYTES),
          formatNumber(language, IMAGE_MAX_PIXELS / MEGAPIXEL),
        ),
        convertible: unfit.convertible,
        unreadable: unfit.unreadable,
        notAPicture: describeUploadError(language, 'notAPicture'),
        damaged: describeUploadError(language, 'damaged'),
      },
      makeSmaller: unfit.makeSmaller,
      convert: unfit.convert,
      curing: unfit.curing,
      failed: unfit.failed('{name}'),
      fetching: unfit.fetching,
      fetchFailed: unfit.fetchFailed,
    },
    bounds: { bytes: UPLOAD_MAX_BYTES, pixels: IMAGE_MAX_PIXELS },
    errors: {
      network: errors.network,
      tooLarge: describeUploadError(language, 'tooLarge'),
      notAPicture: describeUploadError(language, 'notAPicture'),
      damaged: describeUploadError(language, 'damaged'),
      galleryGone: errors.galleryGone,
      galleryName: errors.galleryName,
      limited: limitReached.explanation,
      notStripped: errors.notStripped,
      server: errors.server,
    },
  }
}
