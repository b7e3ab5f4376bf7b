import { find } from '../../shell/script/elements.ts'
import { type EmbedMessage, INSERTED, NOT_INSERTED } from '../embed-message.ts'

/** Timeout of the reply of the page that opened this one. Behind a popup, an editor that drops images needs most of it. */
const REPLY_TIMEOUT_MS = 4_000

/** Whether this page is the popup of another site's editor. */
export function isEmbedded(): boolean {
  return embedding() !== null
}

/** The format of codes that the site asked for, if it did. */
export function wantedFormat(): string | undefined {
  return embedding()?.dataset.format
}

/**
 * Makes the button send codes to the page that opened this one, and close the window when they have arrived. They go only to
 * the origin that the opener stated and the reader was shown. Nothing is sent without the click.
 */
export function enableInserting(codes: () => Omit<EmbedMessage, 'kind'>): void {
  const origin = embedding()?.dataset.origin
  if (origin === undefined) return
  const failure = find('#embed-failure', HTMLElement)
  const fail = () => {
    failure.textContent = failure.dataset.words ?? ''
  }
  window.addEventListener('message', (event) => {
    if (event.origin !== origin || event.source !== window.opener) return
    if (event.data === INSERTED) window.close()
    if (event.data === NOT_INSERTED) fail()
  })
  find('#insert', HTMLButtonElement).addEventListener('click', () => {
    const opener: Window | null = window.opener
    const message: EmbedMessage = { kind: 'tintype-codes', ...codes() }
    opener?.postMessage(message, origin)
    failure.textContent = ''
    setTimeout(fail, opener ? REPLY_TIMEOUT_MS : 0)
  })
}

function embedding(): HTMLElement | null {
  return document.getElementById('embed')
}
