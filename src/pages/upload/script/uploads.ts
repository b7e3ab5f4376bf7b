// The page of what this browser has uploaded. Nothing of the list is sent: the page loads the thumbnails, and a deletion sends
// the one private link that it is about.
import { format, formatPlural, formatUntil } from '../../shell/formatting.ts'
import { enableCopying } from '../../shell/script/copying.ts'
import { copyOfTemplate, find, flagSmall } from '../../shell/script/elements.ts'
import type { UploadsWords } from '../uploads-words.ts'
import { type DeleteResult, deleteByLink } from './deleting.ts'
import { keepFocus } from './focus.ts'
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
const selectAll = find('#select-all', HTMLInputElement)
const dialog = find('#confirm', HTMLDialogElement)
const confirmed = find('#confirmed', HTMLButtonElement)

/** The pages of the selected uploads. */
const selected = new Set<string>()

function show(): void {
  const uploads = remembered()
  const known = new Set(uploads.map(({ pageUrl }) => pageUrl))
  for (const pageUrl of selected) if (!known.has(pageUrl)) selected.delete(pageUrl)
  list.replaceChildren(...uploads.map((upload) => cardOf(upload)))
  find('#none', HTMLElement).hidden = uploads.length > 0
  for (const id of ['filter-field', 'select-all-field', 'export', 'forget-all']) {
    find(`#${id}`, HTMLElement).hidden = uploads.length === 0
  }
  applyFilter()
}

function cardOf(upload: Remembered): HTMLElement {
  const { pageUrl, thumbnailUrl, timeMs, expiresAtMs } = upload
  const name = nameOf(upload)
  const card = copyOfTemplate('remembered-upload')
  card.dataset.page = pageUrl
  for (const link of card.querySelectorAll('a')) link.href = pageUrl
  const image = find('img', HTMLImageElement, card)
  // An image that is gone has no thumbnail any more: the icon behind it shows.
  image.addEventListener('error', () => image.remove())
  flagSmall(image)
  if (thumbnailUrl === undefined) image.remove()
  else image.src = thumbnailUrl
  const title = find('.name', HTMLElement, card)
  title.textContent = title.title = name
  const time = find('time', HTMLTimeElement, card)
  time.dateTime = new Date(timeMs).toISOString()
  time.textContent = dateFormat.format(timeMs)
  if (expiresAtMs !== undefined) time.after(` · ${words.expires} ${expiryOf(expiresAtMs)}`)
  const box = find('.select input', HTMLInputElement, card)
  box.checked = selected.has(pageUrl)
  box.setAttribute('aria-label', name)
  box.addEventListener('change', () => {
    if (box.checked) selected.add(pageUrl)
    else selected.delete(pageUrl)
    showSelection()
  })
  const copy = find('.copy', HTMLButtonElement, card)
  copy.dataset.copyText = pageUrl
  copy.title = format(words.copyOf, { what: name })
  for (const hidden of card.querySelectorAll('.actions .visually-hidden')) hidden.textContent = ` ${name}`
  find('.delete', HTMLButtonElement, card).addEventListener('click', () =>
    ask(format(words.deleteQuestion, { name }), words.delete, () => deleteUpload(upload)),
  )
  enableCopying(card)
  return card
}

/** Relative where it is near and to come, else the date. */
function expiryOf(timeMs: number): string {
  const nowMs = Date.now()
  return timeMs > nowMs ? formatUntil(words.language, timeMs, nowMs) : dateFormat.format(timeMs)
}

function nameOf({ name }: Remembered): string {
  return name || words.gallery
}

/** Shows what can be done with the selected uploads. */
function showSelection(): void {
  const uploads = selectedUploads()
  const shown = [...list.children].filter((card) => card instanceof HTMLElement && !card.hidden)
  const isAll = shown.length > 0 && shown.every((card) => isSelected(card))
  find('#selection', HTMLElement).hidden = uploads.length === 0
  find('#selected', HTMLElement).textContent =
    uploads.length === 0 ? '' : format(words.selected, { count: countFormat.format(uploads.length) })
  find('#selection .copy', HTMLButtonElement).dataset.copyText = uploads.map(({ pageUrl }) => pageUrl).join('\n')
  selectAll.checked = isAll
  selectAll.indeterminate = uploads.length > 0 && !isAll
}

function selectedUploads(): Remembered[] {
  return remembered().filter(({ pageUrl }) => selected.has(pageUrl))
}

function isSelected(card: Element): boolean {
  return card instanceof HTMLElement && selected.has(card.dataset.page ?? '')
}

/** Selects the uploads that are shown, or none. */
function selectShown(isOn: boolean): void {
  selected.clear()
  for (const card of list.children) {
    if (!(card instanceof HTMLElement)) continue
    if (isOn && !card.hidden) selected.add(card.dataset.page ?? '')
    find('.select input', HTMLInputElement, card).checked = isSelected(card)
  }
  showSelection()
}

async function deleteUpload(upload: Remembered): Promise<void> {
  const result = await deleteOne(upload)
  show()
  if (result === 'deleted') tell(format(words.deleted, { name: nameOf(upload) }))
  else tell(result === 'unknown' ? words.deleteUnknown : words.deleteFailed, true)
}

/** Deletes one after the other. Those that could not be deleted stay selected. */
async function deleteSelected(): Promise<void> {
  const uploads = selectedUploads()
  const [only] = uploads
  if (only && uploads.length === 1) return deleteUpload(only)
  let deleted = 0
  for (const upload of uploads) if ((await deleteOne(upload)) === 'deleted') deleted++
  show()
  const failed = uploads.length - deleted
  const parts = [
    ...(deleted > 0 ? [formatPlural(words.language, words.deletedCount, deleted)] : []),
    ...(failed > 0 ? [formatPlural(words.language, words.failedCount, failed)] : []),
  ]
  tell(parts.join(' '), failed > 0)
}

async function deleteOne(upload: Remembered): Promise<DeleteResult> {
  const result = isOwn(upload) ? await deleteByLink(upload.manageUrl) : 'unknown'
  if (result === 'deleted') forget(upload.pageUrl)
  return result
}

/** Names up to this many uploads in a question. */
const NAMED_MAX = 8

function namesOf(uploads: readonly Remembered[]): string {
  const names = uploads.slice(0, NAMED_MAX).map(nameOf)
  const more = uploads.length - names.length
  return [...names, ...(more > 0 ? [`+${countFormat.format(more)}`] : [])].join(', ')
}

/** Whether this service issued the private link. An imported list may hold those of others, whose tokens are not sent here. */
function isOwn({ manageUrl }: Remembered): boolean {
  return words.hosts.includes(new URL(manageUrl).host)
}

/** Asks, and acts on a yes. */
function ask(question: string, yes: string, act: () => void | Promise<void>): void {
  const index = shownRows().findIndex((row) => row.contains(document.activeElement))
  find('#question', HTMLElement).textContent = question
  confirmed.textContent = yes
  confirmed.onclick = async () => {
    confirmed.disabled = true
    await act()
    confirmed.disabled = false
    dialog.close()
    const next = shownRows()
      .slice(0, index + 1)
      .at(-1)
      ?.querySelector('a')
    keepFocus(next ?? find('h1', HTMLElement))
  }
  dialog.showModal()
}

function shownRows(): Element[] {
  return [...list.children].filter((row) => row.getClientRects().length > 0)
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
  showSelection()
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

selectAll.addEventListener('change', () => selectShown(selectAll.checked))
find('#unselect', HTMLButtonElement).addEventListener('click', () => {
  selectShown(false)
  selectAll.focus()
})
find('#delete-selected', HTMLButtonElement).addEventListener('click', () =>
  ask(format(words.deleteQuestion, { name: namesOf(selectedUploads()) }), words.delete, deleteSelected),
)
enableCopying(find('#selection', HTMLElement))
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
