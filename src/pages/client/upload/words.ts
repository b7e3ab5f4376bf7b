import type { UploadWords } from '../../upload-words.ts'
import { find } from './elements.ts'

/** The words of the page's language, which the page itself wrote into it. */
export const words: UploadWords = JSON.parse(find('#words', HTMLScriptElement).text)
