import type { UploadWords } from '../../upload/upload-words.ts'
import { find } from '../elements.ts'

/** The texts in the page's language, which are embedded in the page. */
export const words: UploadWords = JSON.parse(find('#words', HTMLScriptElement).text)
