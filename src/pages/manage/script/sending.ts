// Sends changes of a gallery, and images that it gets later, for its manager and for guests.
import { SECOND_MS } from '../../../units.ts'
import type { Language } from '../../shell/language.ts'
import { describePause, type Pause, type PauseWords } from '../../shell/pause.ts'
import { pauseOf, waitUntil } from '../../shell/script/pause.ts'
import type { ErrorResponse } from '../../upload/upload-failure.ts'

const MAX_TRIES = 4
const DONE = 200
/** The service is out of space: the next second does not change that. */
const STORAGE_FULL = 507

/** The place and the texts of a pause. */
export interface Sending {
  language: Language
  words: PauseWords
  shown: HTMLElement
  stopButton: HTMLButtonElement
}

/** Sends one image. The attempts share a key, so that it is stored once. */
export function sendImage(url: string, body: FormData, sending: Sending): Promise<ErrorResponse | 'done' | 'stopped'> {
  return send(url, { body, headers: isSecureContext ? { 'Idempotency-Key': crypto.randomUUID() } : {} }, sending)
}

/**
 * Sends a request that may be repeated. A pause that the service asks for is shown until it ends. Returns the last error response, or
 * 'stopped' if the person stopped a pause.
 */
export async function send(
  url: string,
  request: { body: BodyInit; headers: HeadersInit },
  sending: Sending,
): Promise<ErrorResponse | 'done' | 'stopped'> {
  for (let tries = 1; ; ) {
    const response = await fetch(url, { method: 'POST', ...request }).catch(() => undefined)
    const status = response?.status ?? 0
    if (status === DONE) return 'done'
    const retryAfter = response?.headers.get('Retry-After') ?? null
    const pause = pauseOf({ status, retryAfter }, Date.now())
    if (pause) {
      if (await isStoppedDuring(pause, sending)) return 'stopped'
      continue
    }
    const mayRetry = status === 0 || status === 409 || status === 429 || (status >= 500 && status !== STORAGE_FULL)
    if (!mayRetry || tries === MAX_TRIES) {
      const text = (await response?.text().catch(() => '')) ?? ''
      return { status, code: response?.headers.get('X-Error-Code') ?? null, text }
    }
    await waitUntil(Date.now() + 2 ** tries++ * SECOND_MS, [])
  }
}

/** Shows a pause until it ends. Returns whether it was stopped. */
async function isStoppedDuring(pause: Pause, { language, words, shown, stopButton }: Sending): Promise<boolean> {
  const stop = new AbortController()
  const abort = () => stop.abort()
  const before = shown.textContent
  stopButton.addEventListener('click', abort)
  stopButton.hidden = false
  shown.textContent = describePause(language, words, pause)
  await waitUntil(pause.untilMs, [stop.signal])
  shown.textContent = before
  stopButton.hidden = true
  stopButton.removeEventListener('click', abort)
  return stop.signal.aborted
}
