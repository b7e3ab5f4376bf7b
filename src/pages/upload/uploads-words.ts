import type { Plural } from '../shell/formatting.ts'
import type { Language } from '../shell/language.ts'

/** The texts of the script of the page of remembered uploads; those with `{arguments}` are filled in by the script. */
export interface UploadsWords {
  language: Language
  /** The hosts that this service issues private links on. A token is sent for no other. */
  hosts: string[]
  gallery: string
  copyOf: string
  delete: string
  deleteName: string
  deleteQuestion: string
  deleted: string
  deleteFailed: string
  deleteUnknown: string
  forgetAll: string
  forgetQuestion: string
  imported: Plural
  importFailed: string
}
