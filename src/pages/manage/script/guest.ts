// The script of the page of a guest link: sends one image after the other, and shows how far it is. Without it the form sends all at once.
import { SECOND_MS } from '../../../units.ts'
import { format, formatNumber, formatPlural } from '../../shell/formatting.ts'
import { describePause, type Pause } from '../../shell/pause.ts'
import { chooseFiles, find } from '../../shell/script/elements.ts'
import { pauseOf, waitUntil } from '../../shell/script/pause.ts'
import type { GuestWords } from '../guest-words.ts'

const MAX_TRIES = 4
/** The link is full, was replaced, or is closed: no further image is accepted. */
const CLOSED: readonly number[] = [403, 404, 410]
const form = find('#guest-form', HTMLFormElement)
const chooser = find('#img', HTMLInputElement)
const button = find('#guest-form button', HTMLButtonElement)
const stopButton = find('#stop', HTMLButtonElement)
const progress = find('#sending', HTMLProgressElement)
const paused = find('#paused', HTMLElement)
const words: GuestWords = JSON.parse(find('#words', HTMLScriptElement).textContent ?? '')

form.addEventListener('submit', (event) => {
  event.preventDefault()
  void sendAll([...(chooser.files ?? [])])
})

async function sendAll(files: readonly File[]): Promise<void> {
  button.disabled = chooser.disabled = true
  progress.hidden = false
  progress.max = files.length
  let added = 0
  let failed = 0
  let left: readonly File[] = []
  for (const [index, file] of files.entries()) {
    progress.value = index
    const outcome = await send(file)
    if (outcome === 'added') added++
    // The page of a closed link says so.
    else if (outcome === 'closed' && added === 0) return location.reload()
    else if (outcome === 'closed') failed = files.length - added
    else if (outcome === 'failed') failed++
    else left = files.slice(index)
    show('#added', format(words.added, { count: formatNumber(words.language, added) }), added)
    show('#failed', formatPlural(words.language, words.failed, failed), failed)
    if (outcome === 'closed' || outcome === 'stopped') break
  }
  progress.hidden = true
  button.disabled = chooser.disabled = false
  form.reset()
  chooseFiles(chooser, left)
}

/** Sends one image. The attempts share a key, so that it is stored once. */
async function send(file: File): Promise<'added' | 'failed' | 'closed' | 'stopped'> {
  const body = new FormData()
  body.set('content_type', '0')
  body.set('optimize_for_web', '1')
  body.set('img', file)
  const headers: Record<string, string> = isSecureContext ? { 'Idempotency-Key': crypto.randomUUID() } : {}
  for (let tries = 1; ; ) {
    const response = await fetch(form.dataset.upload ?? '', { method: 'POST', body, headers }).catch(() => undefined)
    if (response?.ok) return 'added'
    if (response && CLOSED.includes(response.status)) return 'closed'
    const retryAfter = response?.headers.get('Retry-After') ?? null
    const pause = response && pauseOf({ status: response.status, retryAfter }, Date.now())
    if (pause) {
      if (await isStoppedDuring(pause)) return 'stopped'
      continue
    }
    const mayRetry = !response || response.status >= 500 || response.status === 429 || response.status === 409
    if (!mayRetry || tries === MAX_TRIES) return 'failed'
    await waitUntil(Date.now() + 2 ** tries++ * SECOND_MS, [])
  }
}

/** Shows a pause until it ends. Returns whether the guest stopped it. */
async function isStoppedDuring(pause: Pause): Promise<boolean> {
  const stop = new AbortController()
  const abort = () => stop.abort()
  stopButton.addEventListener('click', abort)
  stopButton.hidden = false
  paused.textContent = describePause(words.language, words.paused, pause)
  await waitUntil(pause.untilMs, [stop.signal])
  paused.textContent = ''
  stopButton.hidden = true
  stopButton.removeEventListener('click', abort)
  return stop.signal.aborted
}

function show(selector: string, text: string, count: number): void {
  const shown = find(selector, HTMLElement)
  shown.hidden = count === 0
  shown.textContent = text
}
