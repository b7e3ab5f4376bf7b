// The bookmark of /tools, where nothing can be installed: it opens the upload page for the editor that one writes in, or else
// the first one. Where there is none, it opens it by itself: its codes can be copied.
import { openPopup } from './popup.ts'

const fields = [...document.querySelectorAll<HTMLElement>('textarea, [contenteditable]')]
const field =
  fields.find((one) => one === document.activeElement) ??
  fields.find(
    ({ offsetHeight, isContentEditable, localName }) =>
      offsetHeight > 1 && (isContentEditable || localName === 'textarea'),
  ) ??
  fields[0]
if (field) openPopup('{origin}', '{format}', field)
else window.open('{origin}')
