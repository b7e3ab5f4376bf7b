import { ERRORS, type UploadReason } from '../../errors.ts'
import { UPLOAD_MAX_BYTES } from '../../limits.ts'
import { format, formatList, formatMegabytes } from '../shell/formatting.ts'
import type { Language } from '../shell/language.ts'
import { messagesIn } from '../shell/messages.ts'

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
