import { UPLOAD_MAX_BYTES } from '../limits.ts'
import { formatList, formatMegabytes } from './formatting.ts'
import type { Language } from './language.ts'
import { MESSAGES } from './messages.ts'

/** The formats that are taken, as people call them. */
export const FORMAT_NAMES = ['JPEG', 'PNG', 'GIF', 'WebP', 'AVIF']

/** Why a form's picture was not taken. */
export type UploadError = 'missing' | 'tooLarge' | 'notAPicture' | 'damaged'

/** Why a form's picture was not taken, in words that say what to do. */
export function describeUploadError(language: Language, error: UploadError): string {
  const messages = MESSAGES[language].upload.errors
  switch (error) {
    case 'tooLarge':
      return messages.tooLarge(formatMegabytes(language, UPLOAD_MAX_BYTES))
    case 'notAPicture':
      return messages.notAPicture(formatList(language, FORMAT_NAMES))
    default:
      return messages[error]
  }
}
