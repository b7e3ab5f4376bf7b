// The page of what this browser has uploaded. Nothing of the list is sent: the page loads the thumbnails, and a deletion sends
// the one private link that it is about.
import { format, formatPlural } from '../../shell/formatting.ts'
import { enableCopying } from '../../shell/script/copying.ts'
import { copyOfTemplate, find, flagSmall } from '../../shell/script/elements.ts'
import type { UploadsWords } from '../uploads-words.ts'
import { deleteByLink } from './deleting.ts'
import {
  canRemember,
  exportUploads,
  forget,
  importUploads,
  isRemembering,
  type Remembered,
  remember,
  remembered,
  setRemembering,
} from './remembering.ts'

const words: UploadsWords = JSON.parse(find('#words', HTMLScriptElement).text)
const dateFormat = new Intl.DateTimeFormat(words.language, { dateStyle: 'medium', timeStyle: 'short' })
const countFormat = new Intl.NumberFormat(words.language)
const list = find('#upload-list', HTMLElement)
const filter = find('#filter', HTMLInputElement)
const dialog = find('#confirm', HTMLDialogElement)
const confirmed = find('#confirmed', HTMLButtonElement)

function show(): void {
  const uploads = remembered()
  list.replaceChildren(...uploads.map((upload) => rowOf(upload)))
  find('#none', HTMLElement).hidden = uploads.length > 0
  for (const id of ['filter-field', 'export', 'forget-all']) find(`#${id}`, HTMLElement).hidden = uploads.length === 0
  applyFilter()
}

function rowOf(upload: Remembered): HTMLElement {
  const { pageUrl, thumbnailUrl, timeMs } = upload
  const name = nameOf(upload)
  const row = copyOfTemplate('remembered-upload')
  for (const link of row.querySelectorAll('a')) link.href = pageUrl
  const image = find('img', HTMLImageElement, row)
  // An image that is gone has no thumbnail any more: the icon behind it shows.
  image.addEventListener('error', () => image.remove())
  flagSmall(image)
  if (thumbnailUrl === undefined) image.remove()
  else image.src = thumbnailUrl
  find('.name', HTMLElement, row).textContent = name
  const time = find('time', HTMLTimeElement, row)
  time.dateTime = new Date(timeMs).toISOString()
  time.textContent = dateFormat.format(timeMs)
  const copy = find('.copy', HTMLButtonElement, row)
  copy.dataset.copyText = pageUrl
  copy.title = format(words.copyOf, { what: name })
  for (const hidden of row.querySelectorAll('.actions .visually-hidden')) hidden.textContent = ` ${name}`
  find('.delete', HTMLButtonElement, row).addEventListener('click', () =>
    ask(format(words.deleteQuestion, { name }), words.delete, () => deleteUpload(upload)),
  )
  enableCopying(row)
  return row
}

function nameOf({ name }: Remembered): string {
  return name || words.gallery
}

async function deleteUpload(upload: Remembered): Promise<void> {
  const result = isOwn(upload) ? await deleteByLink(upload.manageUrl) : 'unknown'
  if (result !== 'deleted') return tell(result === 'unknown' ? words.deleteUnknown : words.deleteFailed, true)
  forget(upload.pageUrl)
  show()
  tell(format(words.deleted, { name: nameOf(upload) }))
}

/** Whether this service issued the private link. An imported list may hold those of others, whose tokens are not sent here. */
function isOwn({ manageUrl }: Remembered): boolean {
  return words.hosts.includes(new URL(manageUrl).host)
}

/** Asks, and acts on a yes. */
function ask(question: string, yes: string, act: () => void | Promise<void>): void {
  find('#question', HTMLElement).textContent = question
  confirmed.textContent = yes
  confirmed.onclick = async () => {
    confirmed.disabled = true
    await act()
    confirmed.disabled = false
    dialog.close()
    // The focused element may have been removed.
    if (document.activeElement === document.body) find('h1', HTMLElement).focus()
  }
  dialog.showModal()
}

function tell(outcome: string, isFailure = false): void {
  const element = find('#outcome', HTMLElement)
  element.textContent = outcome
  element.className = isFailure ? 'error' : 'notice'
}

function applyFilter(): void {
  const wanted = filter.value.trim().toLocaleLowerCase()
  let found = 0
  for (const row of list.children) {
    const name = find('.name', HTMLElement, row).textContent?.toLocaleLowerCase() ?? ''
    if (!(row instanceof HTMLElement)) continue
    row.hidden = !name.includes(wanted)
    if (!row.hidden) found++
  }
  find('#found', HTMLElement).textContent =
    wanted === '' ? '' : `${countFormat.format(found)} / ${countFormat.format(list.children.length)}`
}

function exportList(): void {
  const url = URL.createObjectURL(new Blob([exportUploads(remembered())], { type: 'application/json' }))
  const link = document.createElement('a')
  link.href = url
  link.download = 'uploads.json'
  link.click()
  URL.revokeObjectURL(url)
}

async function importList(input: HTMLInputElement): Promise<void> {
  const text = await input.files?.[0]?.text()
  input.value = ''
  if (text === undefined) return
  const uploads = importUploads(text)
  if (!uploads) return tell(words.importFailed, true)
  const known = new Set(remembered().map(({ pageUrl }) => pageUrl))
  const added = uploads.filter((upload) => !known.has(upload.pageUrl) && remember(upload))
  show()
  tell(formatPlural(words.language, words.imported, added.length))
}

find('#cancel', HTMLButtonElement).addEventListener('click', () => dialog.close())
find('#export', HTMLButtonElement).addEventListener('click', exportList)
find('#forget-all', HTMLButtonElement).addEventListener('click', () =>
  ask(words.forgetQuestion, words.forgetAll, () => {
    for (const { pageUrl } of remembered()) forget(pageUrl)
    show()
  }),
)
const importInput = find('#import', HTMLInputElement)
importInput.addEventListener('change', () => void importList(importInput))
filter.addEventListener('input', applyFilter)
const remembering = find('#remember', HTMLInputElement)
remembering.checked = isRemembering()
remembering.disabled = !canRemember()
remembering.addEventListener('change', () => setRemembering(remembering.checked))
// Another window has uploaded or forgotten something.
window.addEventListener('storage', show)
show()
