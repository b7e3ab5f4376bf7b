import type { Plural } from './formatting.ts'
import type { Language } from './language.ts'
import { MESSAGES } from './messages.ts'

/** The texts of the script of the page of remembered uploads; those with `{arguments}` are filled in by the script. */
export interface UploadsWords {
  language: Language
  gallery: string
  copyOf: string
  delete: string
  deleteName: string
  deleteQuestion: string
  deleted: string
  deleteFailed: string
  forgetAll: string
  forgetQuestion: string
  imported: Plural
  importFailed: string
}

/** The texts that are not in the markup of the page. */
export function uploadsWords(language: Language): UploadsWords {
  const { uploads, untitledGallery, codes } = MESSAGES[language]
  return {
    language,
    gallery: untitledGallery,
    copyOf: codes.copyOf('{name}'),
    delete: uploads.delete,
    deleteName: uploads.deleteName('{name}'),
    deleteQuestion: uploads.deleteQuestion('{name}'),
    deleted: uploads.deleted('{name}'),
    deleteFailed: uploads.deleteFailed,
    forgetAll: uploads.forgetAll,
    forgetQuestion: uploads.forgetQuestion,
    imported: uploads.imported,
    importFailed: uploads.importFailed,
  }
}
