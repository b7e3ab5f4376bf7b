// The script of the page of a guest link: sends one image after the other, and shows how far it is. Without it the form sends all at once.
import { format, formatNumber, formatPlural } from '../../shell/formatting.ts'
import { chooseFiles, find } from '../../shell/script/elements.ts'
import { denialOf, describeFailure, failureOf, type UploadFailure } from '../../upload/upload-failure.ts'
import type { GuestWords } from '../guest-words.ts'
import { sendImage } from './sending.ts'

/** The link or its gallery is full, or the link was replaced or closed. */
const FINAL: readonly UploadFailure[] = ['galleryClosed', 'galleryFull']
const form = find('#guest-form', HTMLFormElement)
const chooser = find('#img', HTMLInputElement)
const button = find('#guest-form button', HTMLButtonElement)
const stopButton = find('#stop', HTMLButtonElement)
const progress = find('#sending', HTMLProgressElement)
const shown = find('#sending-status', HTMLElement)
const addedNotice = find('#added', HTMLElement)
const refusedNotice = find('#refused', HTMLElement)
const refusedCount = find('#refused p', HTMLElement)
const refusedList = find('#refused ul', HTMLElement)
const words: GuestWords = JSON.parse(find('#words', HTMLScriptElement).textContent ?? '')

form.addEventListener('submit', (event) => {
  event.preventDefault()
  void sendAll([...(chooser.files ?? [])])
})

async function sendAll(files: readonly File[]): Promise<void> {
  button.disabled = chooser.disabled = true
  addedNotice.hidden = refusedNotice.hidden = true
  refusedList.replaceChildren()
  progress.hidden = false
  progress.max = files.length
  let added = 0
  let left: readonly File[] = []
  for (const [index, file] of files.entries()) {
    progress.value = index
    shown.textContent = format(words.adding, { position: number(index + 1), count: number(files.length) })
    const outcome = await send(file)
    if (outcome === 'stopped') {
      left = files.slice(index)
      break
    }
    if (outcome === 'added') {
      showAdded(++added)
      continue
    }
    // The page of a closed link says so.
    if (outcome.failure === 'galleryClosed' && added === 0) return location.reload()
    const isFinal = FINAL.includes(outcome.failure)
    showRefused(isFinal ? files.slice(index) : [file], describeFailure(words.failures, outcome))
    if (isFinal) break
  }
  progress.hidden = true
  shown.textContent = ''
  button.disabled = chooser.disabled = false
  form.reset()
  chooseFiles(chooser, left)
}

async function send(file: File): Promise<'added' | 'stopped' | { failure: UploadFailure; reason?: string }> {
  const body = new FormData()
  body.set('content_type', '0')
  body.set('optimize_for_web', '1')
  body.set('img', file)
  const { language, paused } = words
  const response = await sendImage(form.dataset.upload ?? '', body, { language, words: paused, shown, stopButton })
  if (response === 'stopped') return 'stopped'
  if (response === 'done') return 'added'
  return { failure: failureOf(response), ...denialOf(response) }
}

function number(value: number): string {
  return formatNumber(words.language, value)
}

function showAdded(count: number): void {
  addedNotice.hidden = false
  addedNotice.textContent = format(words.added, { count: number(count) })
}

/** Lists files with the reason why they were not added. */
function showRefused(files: readonly File[], reason: string): void {
  for (const { name } of files) {
    const [item, file, why] = [make('li'), make('bdi'), make('span')]
    file.className = 'file-name'
    file.textContent = name
    why.textContent = reason
    item.append(file, ' ', why)
    refusedList.append(item)
  }
  refusedNotice.hidden = false
  refusedCount.textContent = formatPlural(words.language, words.failed, refusedList.childElementCount)
}

function make(name: 'li' | 'bdi' | 'span'): HTMLElement {
  return document.createElement(name)
}
