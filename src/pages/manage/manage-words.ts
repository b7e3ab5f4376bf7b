import type { PauseWords } from '../shell/pause.ts'
import type { AddingWords } from './adding-words.ts'

/** The texts of the script of a gallery's management page. */
export interface ManageWords extends AddingWords {
  saved: string
  movingPaused: PauseWords
  moveFailed: string
  moveOutdated: string
}
