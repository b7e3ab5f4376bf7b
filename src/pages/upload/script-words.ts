import { MEGAPIXEL } from 'tintype-codec/units'
import { IMAGE_MAX_PIXELS, UPLOAD_MAX_BYTES } from '../../limits.ts'
import { format, formatMegabytes, formatNumber } from '../shell/formatting.ts'
import type { Language } from '../shell/language.ts'
import { messagesIn, pauseWordsIn } from '../shell/messages.ts'
import { describeUploadError, failureWordsIn } from './upload-error.ts'
import type { UploadWords } from './upload-words.ts'
import type { UploadsWords } from './uploads-words.ts'

/** The texts of the upload page's script that are not in the markup of the page. */
export function uploadWords(language: Language): UploadWords {
  const { upload, uploads, codes, imageCount, expires } = messagesIn(language)
  const { unfit } = upload
  return {
    language,
    choose: upload.choose,
    addMore: upload.addMore,
    imageCount,
    start: upload.start,
    waiting: upload.waiting,
    sending: upload.sending,
    processing: upload.processing,
    done: upload.done,
    held: upload.held,
    stopped: upload.stopped,
    offline: upload.offline,
    remove: upload.remove,
    retry: upload.retry,
    retryButton: upload.retryButton,
    retryAll: upload.retryAll,
    finishAnyway: upload.finishAnyway,
    progress: upload.progress,
    timeLeft: upload.timeLeft,
    allDone: upload.allDone,
    someFailed: upload.someFailed,
    saved: upload.saved,
    notSmaller: upload.notSmaller,
    converted: upload.converted,
    unchanged: upload.unchanged,
    stripped: upload.stripped,
    expires,
    resized: upload.resized,
    copyOf: codes.copyOf,
    copyLinks: uploads.copyLinks,
    gallery: upload.galleryReady,
    paused: pauseWordsIn(language),
    moved: upload.moved,
    remembered: upload.remembered,
    notRemembered: upload.managementWarning,
    remember: upload.remember,
    dontRemember: upload.dontRemember,
    startingOver: {
      sent: upload.startingOver.sent,
      deleted: upload.startingOver.deleted,
      failed: upload.startingOver.failed,
    },
    sharedLeft: upload.shared.left,
    unfit: {
      heading: unfit.heading,
      reasons: {
        tooBig: format(unfit.tooBig, {
          size: formatMegabytes(language, UPLOAD_MAX_BYTES),
          megapixels: formatNumber(language, IMAGE_MAX_PIXELS / MEGAPIXEL),
        }),
        convertible: unfit.convertible,
        unreadable: unfit.unreadable,
        unsupportedFormat: describeUploadError(language, 'unsupportedFormat'),
        damaged: describeUploadError(language, 'damaged'),
      },
      makeSmaller: unfit.makeSmaller,
      convert: unfit.convert,
      curing: unfit.curing,
      failed: unfit.failed,
      fetching: unfit.fetching,
      fetchFailed: unfit.fetchFailed,
    },
    bounds: { bytes: UPLOAD_MAX_BYTES, pixels: IMAGE_MAX_PIXELS },
    ...failureWordsIn(language),
  }
}

/** The texts of the script of the page of remembered uploads that are not in its markup. */
export function uploadsWords(language: Language, hosts: string[]): UploadsWords {
  const { uploads, upload, untitledGallery, codes, expires } = messagesIn(language)
  return {
    language,
    hosts,
    gallery: untitledGallery,
    expires,
    copyOf: codes.copyOf,
    selected: uploads.selected,
    delete: uploads.delete,
    deleteName: uploads.deleteName,
    deleteQuestion: uploads.deleteQuestion,
    deleted: uploads.deleted,
    deletedCount: upload.startingOver.deleted,
    deleteFailed: uploads.deleteFailed,
    failedCount: upload.startingOver.failed,
    deleteUnknown: uploads.deleteUnknown,
    forgetAll: uploads.forgetAll,
    forgetQuestion: uploads.forgetQuestion,
    imported: uploads.imported,
    importFailed: uploads.importFailed,
  }
}
