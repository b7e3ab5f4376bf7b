import type { Template } from '../messages/types.ts'
import type { AddingWords } from './adding-words.ts'

/** The texts of the script of a guest's page. */
export interface GuestWords extends AddingWords {
  added: Template<'count'>
}
