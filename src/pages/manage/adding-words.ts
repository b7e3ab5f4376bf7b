import type { Template } from '../messages/types.ts'
import type { Language } from '../shell/language.ts'
import type { PauseWords } from '../shell/pause.ts'

/** The texts of the script that adds images to a managed gallery. */
export interface AddingWords {
  adding: Template<'position' | 'count'>
  keyRequired: string
  pause: { language: Language; words: PauseWords }
}
