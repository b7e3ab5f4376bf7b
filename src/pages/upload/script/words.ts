import { find } from '../../shell/script/elements.ts'
import type { UploadWords } from '../upload-words.ts'

/** The texts in the page's language, which are embedded in the page. */
export const words: UploadWords = JSON.parse(find('#words', HTMLScriptElement).text)
