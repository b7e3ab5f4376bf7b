// The bookmark of /tools, where nothing can be installed: it opens the upload page for the editor that one writes in, or else
// the first one. Where there is none, it opens it by itself: its codes can be copied.
import { EDITORS, inputOf } from './insert.ts'
import { openPopup } from './popup.ts'

const { activeElement } = document
const editors = [activeElement?.closest('.CodeMirror'), activeElement?.closest(EDITORS)]
const editor = [...editors, ...document.querySelectorAll(EDITORS)].find((one) => one && inputOf(one))
if (editor instanceof HTMLElement) openPopup('{origin}', '{format}', editor)
else window.open('{origin}')
