import type { Plural, Template } from '../messages/types.ts'
import type { Language } from '../shell/language.ts'
import type { PauseWords } from '../shell/pause.ts'
import type { FailureWords } from '../upload/upload-failure.ts'

/** The texts of scripts that add images to a gallery, for its manager and for guests. */
export interface AddingWords {
  language: Language
  adding: Template<'position' | 'count'>
  failed: Plural
  paused: PauseWords
  failures: FailureWords
}
