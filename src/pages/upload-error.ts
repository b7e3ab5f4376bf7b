import { UPLOAD_MAX_BYTES } from '../limits.ts'
import { formatList, formatMegabytes } from './formatting.ts'
import type { Language } from './language.ts'
import { messagesIn } from './messages.ts'

/** The accepted formats. */
export const FORMAT_NAMES = ['JPEG', 'PNG', 'GIF', 'WebP', 'AVIF']

/** Why the picture of a form was refused. */
export type UploadError = 'missing' | 'tooLarge' | 'notAPicture' | 'damaged'

/** A message that says why the picture of a form was refused, and what to do. */
export function describeUploadError(language: Language, error: UploadError): string {
  const messages = messagesIn(language).upload.errors
  switch (error) {
    case 'tooLarge':
      return messages.tooLarge(formatMegabytes(language, UPLOAD_MAX_BYTES))
    case 'notAPicture':
      return messages.notAPicture(formatList(language, FORMAT_NAMES))
    default:
      return messages[error]
  }
}
