// The script of a gallery's management page: sends several images, and moves images in place. Each works one by one without it.
import * as routes from '../../../routes.ts'
import { format, formatNumber } from '../../shell/formatting.ts'
import { chooseFiles, find } from '../../shell/script/elements.ts'
import type { ManageWords } from '../manage-words.ts'
import { send, sendImage } from './sending.ts'

/** More than a gallery has: the last page is shown. */
const LAST_PAGE = 99999
const KEY_REQUIRED = 401

const token = location.pathname.slice(routes.prefixOf(routes.manage).length)
const operation = (route: typeof routes.addImage | typeof routes.orderImages) => routes.pathOf(route, { token })

const words: ManageWords = JSON.parse(find('#words', HTMLScriptElement).text)
const { language } = words
const form = document.querySelector<HTMLFormElement>('#add-form')
if (form) enableAdding(form)
const list = document.querySelector<HTMLElement>('.managed-images')
if (list) enableMoving(list)

function enableAdding(adding: HTMLFormElement): void {
  const input = find('input[type=file]', HTMLInputElement, adding)
  input.multiple = true
  let isBusy = false
  const add = (files: Iterable<File>) => {
    if (isBusy) return
    isBusy = true
    void addAll(adding, [...files]).then((isOver) => {
      isBusy = isOver
    })
  }
  adding.addEventListener('submit', (event) => {
    event.preventDefault()
    add(input.files ?? [])
  })
  const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') === true
  document.addEventListener('dragover', (event) => {
    if (hasFiles(event)) event.preventDefault()
  })
  document.addEventListener('drop', (event) => {
    if (!hasFiles(event)) return
    event.preventDefault()
    add(event.dataTransfer?.files ?? [])
  })
}

/**
 * Sends images one after the other, which keeps their order, and shows the page that has the last one. Where uploads need a key, the
 * browser asks for it. Without the right one the images stay chosen, and the next attempt asks again. Those that are left when the person
 * stops a pause stay chosen too. Returns whether the page is left.
 */
async function addAll(adding: HTMLFormElement, files: readonly File[]): Promise<boolean> {
  const progress = adding.querySelector<HTMLElement>('[role=status]') ?? document.createElement('p')
  progress.setAttribute('role', 'status')
  adding.append(progress)
  const button = find('button', HTMLButtonElement, adding)
  button.disabled = true
  const stopButton = find('#stop', HTMLButtonElement, adding)
  const sending = { language, words: words.addingPaused, shown: progress, stopButton }
  const number = (value: number) => formatNumber(language, value)
  const isAdult = find('input[type=checkbox]', HTMLInputElement, adding).checked
  let failed = 0
  for (const [index, file] of files.entries()) {
    progress.textContent = format(words.adding, { position: number(index + 1), count: number(files.length) })
    const body = new FormData()
    body.append('content_type', isAdult ? '1' : '0')
    body.append('img', file)
    const response = await sendImage(operation(routes.addImage), body, sending)
    if (response === 'done') continue
    if (response === 'stopped' || response.status === KEY_REQUIRED) {
      progress.textContent = response === 'stopped' ? '' : words.keyRequired
      button.disabled = false
      chooseFiles(find('input[type=file]', HTMLInputElement, adding), files.slice(index))
      return false
    }
    failed++
  }
  const query = new URLSearchParams(location.search)
  query.set('page', String(LAST_PAGE))
  if (failed > 0) query.set('failed', String(failed))
  else query.delete('failed')
  location.assign(`${location.pathname}?${query}`)
  return true
}

function enableMoving(order: HTMLElement): void {
  const shown = find('#moving-status', HTMLElement)
  const stopButton = find('#stop-moving', HTMLButtonElement)
  const sending = { language, words: words.movingPaused, shown, stopButton }
  let isLeft = false
  let moves = Promise.resolve()
  /** Stores the place that an image has now. Moves are stored one after the other, until one fails or a pause is stopped. */
  const store = (item: HTMLElement) => {
    const before = pathOf(item.nextElementSibling)
    const beside = before === undefined ? { after: pathOf(item.previousElementSibling) } : { before }
    const body = JSON.stringify({ images: [pathOf(item)], ...beside })
    moves = moves.then(async () => {
      if (isLeft) return
      shown.textContent = ''
      const headers = { 'Content-Type': 'application/json' }
      isLeft = (await send(operation(routes.orderImages), { body, headers }, sending)) !== 'done'
      if (isLeft) location.reload()
      else shown.textContent = words.saved
    })
  }
  // At the ends of a page the form is sent, since the neighbour is on another page.
  order.addEventListener('click', (event) => {
    const button =
      event.target instanceof Element ? event.target.closest<HTMLButtonElement>('button[name=action]') : null
    const item = button?.closest('li')
    if (!button || !item || (button.value !== 'earlier' && button.value !== 'later')) return
    const neighbour = button.value === 'earlier' ? item.previousElementSibling : item.nextElementSibling
    if (!neighbour) return
    event.preventDefault()
    if (button.value === 'earlier') neighbour.before(item)
    else neighbour.after(item)
    button.focus()
    store(item)
  })
  enableDragging(order, store)
}

/** Images are dragged by their thumbnails: their texts can be selected still. */
function enableDragging(order: HTMLElement, store: (item: HTMLElement) => void): void {
  for (const thumbnail of order.querySelectorAll<HTMLElement>('.managed-thumbnail')) {
    thumbnail.draggable = true
    for (const image of thumbnail.querySelectorAll('img')) image.draggable = false
  }
  let dragged: HTMLElement | null = null
  order.addEventListener('dragstart', (event) => {
    dragged = event.target instanceof Element ? event.target.closest('li') : null
    event.dataTransfer?.setData('text/plain', '')
    dragged?.classList.add('dragged')
  })
  order.addEventListener('dragover', (event) => {
    const over = event.target instanceof Element ? event.target.closest('li') : null
    if (!dragged || !over) return
    event.preventDefault()
    if (over === dragged) return
    const isAfter = (dragged.compareDocumentPosition(over) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0
    if (isAfter) over.after(dragged)
    else over.before(dragged)
  })
  order.addEventListener('drop', (event) => event.preventDefault())
  order.addEventListener('dragend', () => {
    if (!dragged) return
    dragged.classList.remove('dragged')
    store(dragged)
    dragged = null
  })
}

/** Returns `<dir>/<id>_<name>` of an image. */
function pathOf(item: Element | null): string | undefined {
  return item instanceof HTMLElement ? item.dataset.image : undefined
}
