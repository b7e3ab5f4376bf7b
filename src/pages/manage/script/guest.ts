// The script of the page of a guest link: sends one image after the other, and shows how far it is. Without it the form sends all at once.
import { format, formatNumber } from '../../shell/formatting.ts'
import { chooseFiles, find } from '../../shell/script/elements.ts'
import type { GuestWords } from '../guest-words.ts'
import { type Added, addImages } from './adding.ts'
import { showRefusals } from './refusals.ts'

const form = find('#guest-form', HTMLFormElement)
const chooser = find('#img', HTMLInputElement)
const button = find('#guest-form button', HTMLButtonElement)
const stopButton = find('#stop', HTMLButtonElement)
const progress = find('#sending', HTMLProgressElement)
const shown = find('#sending-status', HTMLElement)
const addedNotice = find('#added', HTMLElement)
const words: GuestWords = JSON.parse(find('#words', HTMLScriptElement).textContent ?? '')

form.addEventListener('submit', (event) => {
  event.preventDefault()
  void sendAll([...(chooser.files ?? [])])
})

async function sendAll(files: readonly File[]): Promise<void> {
  button.disabled = chooser.disabled = true
  progress.hidden = false
  progress.max = files.length
  const url = form.dataset.upload ?? ''
  const adding = { url, fields: { optimize_for_web: '1' }, words, shown, stopButton }
  const added = await addImages(files, adding, (before, index) => {
    progress.value = index
    show(before)
  })
  // The page of a closed link says so.
  if (added.failure === 'galleryClosed' && added.count === 0) return location.reload()
  show(added)
  progress.hidden = true
  shown.textContent = added.interruption ?? ''
  button.disabled = chooser.disabled = false
  form.reset()
  chooseFiles(chooser, added.left)
}

function show({ count, refusals }: Added): void {
  addedNotice.hidden = count === 0
  if (count > 0) addedNotice.textContent = format(words.added, { count: formatNumber(words.language, count) })
  showRefusals(refusals, words)
}
