import { ERRORS, type UploadReason } from '../../errors.ts'
import { GALLERY_NAME_MAX_CHARACTERS, UPLOAD_MAX_BYTES } from '../../limits.ts'
import { format, formatList, formatMegabytes, formatNumber } from '../shell/formatting.ts'
import type { Language } from '../shell/language.ts'
import { messagesIn } from '../shell/messages.ts'
import type { FailureWords } from './upload-failure.ts'

/** The accepted formats. */
export const FORMAT_NAMES = ['JPEG', 'PNG', 'GIF', 'WebP', 'AVIF']

/** A message that says why the image of a form was refused, and what to do. `sentence` is that of the API. */
export function describeUploadError(
  language: Language,
  reason: UploadReason,
  sentence: string = ERRORS.upload_denied.sentence,
): string {
  const messages = messagesIn(language).upload.errors
  switch (reason) {
    case 'denied':
      // The sentence of the operator's hook, which may be in another language.
      return messages.denied + (sentence === ERRORS.upload_denied.sentence ? '' : ` \u2068${sentence}\u2069`)
    case 'tooLarge':
      return format(messages.tooLarge, { size: formatMegabytes(language, UPLOAD_MAX_BYTES) })
    case 'unsupportedFormat':
      return format(messages.unsupportedFormat, { formats: formatList(language, FORMAT_NAMES) })
    default:
      return messages[reason]
  }
}

/** Returns the texts of a script that shows why an upload failed. */
export function failureWordsIn(language: Language): FailureWords {
  const { upload, limitReached, invalidName, error } = messagesIn(language)
  const { errors } = upload
  return {
    errors: {
      network: errors.network,
      tooLarge: describeUploadError(language, 'tooLarge'),
      unsupportedFormat: describeUploadError(language, 'unsupportedFormat'),
      damaged: errors.damaged,
      tooManyPixels: errors.tooManyPixels,
      blocked: errors.blocked,
      denied: errors.denied,
      human: errors.human,
      galleryClosed: errors.galleryClosed,
      galleryFull: errors.galleryFull,
      galleryName: format(invalidName, { maxCharacters: formatNumber(language, GALLERY_NAME_MAX_CHARACTERS) }),
      notFinalizable: errors.notFinalizable,
      limited: limitReached.explanation,
      busy: errors.busy,
      slow: errors.slow,
      storageFull: errors.storageFull,
      keyRequired: errors.keyRequired,
      notStripped: errors.notStripped,
      server: error.explanation,
    },
    plainDenial: ERRORS.upload_denied.sentence,
  }
}
