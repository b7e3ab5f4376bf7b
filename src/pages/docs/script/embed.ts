// /embed.js, for pages of other sites: a button after each text field that its script element tells of. It sends nothing, sets
// nothing and loads nothing; the button opens the upload page in a popup.
import { openPopup } from './popup.ts'

/** The service replaces this with the label in the reader's language. */
const LABEL = '{label}'
const BUTTON_ADDED = 'data-tintype'

const script = document.currentScript
if (script instanceof HTMLScriptElement) {
  const { for: selector = 'textarea', format = 'bbcode', label = LABEL } = script.dataset
  const { origin } = new URL(script.src)
  const add = () => {
    for (const field of document.querySelectorAll(selector)) {
      if (!(field instanceof HTMLTextAreaElement) || field.hasAttribute(BUTTON_ADDED)) continue
      field.setAttribute(BUTTON_ADDED, '')
      const button = document.createElement('button')
      button.type = 'button'
      button.className = 'button tintype-button'
      button.textContent = label
      button.addEventListener('click', () => openPopup(origin, format, field))
      field.after(button)
    }
  }
  add()
  // Some editors come when one begins to write.
  new MutationObserver(add).observe(document.documentElement, { childList: true, subtree: true })
}
