import type { Plural, Template } from '../messages/types.ts'
import type { Language } from '../shell/language.ts'

/** The texts of the script of the page of remembered uploads; the script fills their placeholders. */
export interface UploadsWords {
  language: Language
  /** The hosts that this service issues private links on. A token is sent for no other. */
  hosts: string[]
  gallery: string
  expires: string
  copyOf: Template<'what'>
  selected: Template<'count'>
  delete: string
  deleteName: Template<'name'>
  deleteQuestion: Template<'name'>
  deleted: Template<'name'>
  deletedCount: Plural
  deleteFailed: string
  failedCount: Plural
  deleteUnknown: string
  forgetAll: string
  forgetQuestion: string
  imported: Plural
  importFailed: string
}
