// The script of the page of a guest link: sends one image after the other, and shows how far it is. Without it the form sends all at once.
import { find } from '../../shell/script/elements.ts'

/** The texts of the page, in its language. */
interface Words {
  language: string
  added: string
  failed: Readonly<Record<string, string>>
}

const MAX_TRIES = 4
/** The link is full, was replaced, or is closed: no further image is accepted. */
const CLOSED: readonly number[] = [403, 404, 410]
const form = find('#guest-form', HTMLFormElement)
const chooser = find('#img', HTMLInputElement)
const button = find('#guest-form button', HTMLButtonElement)
const progress = find('#sending', HTMLProgressElement)
const words: Words = JSON.parse(find('#words', HTMLScriptElement).textContent ?? '')

form.addEventListener('submit', (event) => {
  event.preventDefault()
  void sendAll([...(chooser.files ?? [])])
})

async function sendAll(files: readonly File[]): Promise<void> {
  button.disabled = chooser.disabled = true
  progress.hidden = false
  progress.max = files.length
  let added = 0
  for (const [index, file] of files.entries()) {
    progress.value = index
    const outcome = await send(file)
    if (outcome === 'added') added++
    // The page of a closed link says so.
    if (outcome === 'closed' && added === 0) return location.reload()
    const failed = (outcome === 'closed' ? files.length : index + 1) - added
    show('#added', words.added, added)
    show('#failed', words.failed[new Intl.PluralRules(words.language).select(failed)] ?? words.failed.other, failed)
    if (outcome === 'closed') break
  }
  progress.hidden = true
  button.disabled = chooser.disabled = false
  form.reset()
}

/** Sends one image. The attempts share a key, so that it is stored once. */
async function send(file: File): Promise<'added' | 'failed' | 'closed'> {
  const body = new FormData()
  body.set('content_type', '0')
  body.set('optimize_for_web', '1')
  body.set('img', file)
  const headers: Record<string, string> = isSecureContext ? { 'Idempotency-Key': crypto.randomUUID() } : {}
  for (let tries = 1; ; tries++) {
    const response = await fetch(form.dataset.upload ?? '', { method: 'POST', body, headers }).catch(() => undefined)
    if (response?.ok) return 'added'
    if (response && CLOSED.includes(response.status)) return 'closed'
    const mayRetry = !response || response.status >= 500 || response.status === 429 || response.status === 409
    if (!mayRetry || tries === MAX_TRIES) return 'failed'
    const seconds = Number(response?.headers.get('Retry-After') ?? 2 ** tries)
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
  }
}

function show(selector: string, text: string | undefined, count: number): void {
  const shown = find(selector, HTMLElement)
  shown.hidden = count === 0
  shown.textContent = (text ?? '').replace('{count}', new Intl.NumberFormat(words.language).format(count))
}
