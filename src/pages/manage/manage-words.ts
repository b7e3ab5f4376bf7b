import type { Template } from '../messages/types.ts'
import type { Language } from '../shell/language.ts'
import type { PauseWords } from '../shell/pause.ts'

/** The texts of the script of a gallery's management page. */
export interface ManageWords {
  language: Language
  adding: Template<'position' | 'count'>
  addingPaused: PauseWords
  keyRequired: string
  saved: string
  movingPaused: PauseWords
}
