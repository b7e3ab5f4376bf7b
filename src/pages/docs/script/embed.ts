// /embed.js and the bookmark of /tools, for pages of other sites. It sends nothing, stores nothing and loads nothing. Both open the
// upload page in a popup.
import { EDITORS, inputOf } from './insert.ts'
import { openPopup } from './popup.ts'

/** The service replaces this with the label in the reader's language. */
const LABEL = '{label}'
/** The service replaces these in the bookmark only. */
const ORIGIN = '{origin}'
const FORMAT = '{format}'
const BUTTON_ADDED = 'data-tintype'

const script = document.currentScript
if (script instanceof HTMLScriptElement) addButtons(script)
else if (ORIGIN.startsWith('http')) openForEditor()

/** Adds a button after each field or editor that the script element names. */
function addButtons(script: HTMLScriptElement): void {
  const { for: selector = 'textarea', format = 'bbcode', label = LABEL } = script.dataset
  const { origin } = new URL(script.src)
  const buttons = new Map<Element, Element>()
  const update = () => {
    for (const [field, button] of buttons) if (!field.isConnected) button.remove()
    for (const field of document.querySelectorAll<HTMLElement>(selector)) {
      // These editors have a text field of their own, beside the one that they replace.
      const isEditor =
        field.isContentEditable || (field.matches('textarea') && !field.closest('.CodeMirror, .sceditor-container'))
      if (!isEditor || field.hasAttribute(BUTTON_ADDED)) continue
      field.setAttribute(BUTTON_ADDED, '')
      const button = document.createElement('button')
      button.type = 'button'
      button.className = 'button tintype-button'
      button.textContent = label
      button.addEventListener('click', () => openPopup(origin, format, field))
      // CodeMirror 6 scrolls what is beside its field.
      const editor = field.closest('.cm-editor') ?? field
      editor.after(button)
      buttons.set(field, button)
    }
  }
  update()
  // Some editors come when one begins to write, and are replaced by others.
  new MutationObserver(update).observe(document.documentElement, { childList: true, subtree: true })
}

/**
 * Opens the upload page for the editor that one writes in, or else the first one. Where there is none, it opens it by itself: its
 * codes can be copied.
 */
function openForEditor(): void {
  const { activeElement } = document
  const editors = [activeElement?.closest('.CodeMirror'), activeElement?.closest(EDITORS)]
  const editor = [...editors, ...document.querySelectorAll(EDITORS)].find((one) => one && inputOf(one))
  if (editor instanceof HTMLElement) openPopup(ORIGIN, FORMAT, editor)
  else window.open(ORIGIN)
}
