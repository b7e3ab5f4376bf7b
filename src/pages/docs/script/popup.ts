import { type EmbedMessage, INSERTED, NOT_INSERTED } from '../../upload/embed-message.ts'
import { insert } from './insert.ts'

const WINDOW = 'popup,width=600,height=760'

/**
 * Opens the upload page of the service at `origin` for a field, in whose editor what it uploads is inserted. It receives the origin of this page, and sends to no other.
 */
export function openPopup(origin: string, format: string, field: HTMLElement): void {
  const query = new URLSearchParams({ embed: '1', origin: location.origin, format })
  const popup = window.open(`${origin}/?${query}`, '_blank', WINDOW)
  if (!popup) return
  window.addEventListener('message', async (event) => {
    if (event.source !== popup || event.origin !== origin || !isMessage(event.data)) return
    popup.postMessage((await insert(field, event.data)) ? INSERTED : NOT_INSERTED, origin)
  })
}

function isMessage(data: unknown): data is EmbedMessage {
  if (typeof data !== 'object' || data === null || !('kind' in data) || !('codes' in data)) return false
  return data.kind === 'tintype-codes' && typeof data.codes === 'string'
}
