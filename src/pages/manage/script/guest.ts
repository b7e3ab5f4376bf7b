// The script of the page of a guest link: sends one image after the other, and shows how far it is. Without it the form sends all at once.
import { format, formatNumber, formatPlural } from '../../shell/formatting.ts'
import { chooseFiles, find } from '../../shell/script/elements.ts'
import type { GuestWords } from '../guest-words.ts'
import { sendImage } from './send-image.ts'

const ADDED = 200
/** The link is full, was replaced, or is closed: no further image is accepted. */
const CLOSED: readonly number[] = [403, 404, 410]
const form = find('#guest-form', HTMLFormElement)
const chooser = find('#img', HTMLInputElement)
const button = find('#guest-form button', HTMLButtonElement)
const stopButton = find('#stop', HTMLButtonElement)
const progress = find('#sending', HTMLProgressElement)
const shown = find('#sending-status', HTMLElement)
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
    shown.textContent = format(words.adding, { position: number(index + 1), count: number(files.length) })
    const outcome = await send(file)
    if (outcome === 'added') added++
    // The page of a closed link says so.
    else if (outcome === 'closed' && added === 0) return location.reload()
    else if (outcome === 'closed') failed = files.length - added
    else if (outcome === 'failed') failed++
    else left = files.slice(index)
    show('#added', format(words.added, { count: number(added) }), added)
    show('#failed', formatPlural(words.language, words.failed, failed), failed)
    if (outcome === 'closed' || outcome === 'stopped') break
  }
  progress.hidden = true
  shown.textContent = ''
  button.disabled = chooser.disabled = false
  form.reset()
  chooseFiles(chooser, left)
}

async function send(file: File): Promise<'added' | 'failed' | 'closed' | 'stopped'> {
  const body = new FormData()
  body.set('content_type', '0')
  body.set('optimize_for_web', '1')
  body.set('img', file)
  const { language, paused } = words
  const status = await sendImage(form.dataset.upload ?? '', body, { language, words: paused, shown, stopButton })
  if (status === 'stopped') return 'stopped'
  if (status === ADDED) return 'added'
  return CLOSED.includes(status) ? 'closed' : 'failed'
}

function number(value: number): string {
  return formatNumber(words.language, value)
}

function show(selector: string, text: string, count: number): void {
  const shown = find(selector, HTMLElement)
  shown.hidden = count === 0
  shown.textContent = text
}
