// /embed.js, for pages of other sites: a button after each field or editor that its script element names. It sends nothing, stores
// nothing and loads nothing. The button opens the upload page in a popup.
import { openPopup } from './popup.ts'

/** The service replaces this with the label in the reader's language. */
const LABEL = '{label}'
const BUTTON_ADDED = 'data-tintype'

const script = document.currentScript
if (script instanceof HTMLScriptElement) {
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
