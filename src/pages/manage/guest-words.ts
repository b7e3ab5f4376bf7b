import type { Plural, Template } from '../messages/types.ts'
import type { Language } from '../shell/language.ts'
import type { PauseWords } from '../shell/pause.ts'
import type { FailureWords } from '../upload/upload-failure.ts'

/** The texts of the script of a guest's page. */
export interface GuestWords {
  language: Language
  adding: Template<'position' | 'count'>
  added: Template<'count'>
  failed: Plural
  paused: PauseWords
  failures: FailureWords
}
