// The script of a gallery's management page: sends several images, and moves images in place. Each works one by one without it.
import * as routes from '../../../routes.ts'
import { chooseFiles, find } from '../../shell/script/elements.ts'
import type { ManageWords } from '../manage-words.ts'
import { addImages } from './adding.ts'
import { enableMoving } from './moving.ts'
import { carriedRefusals, carryRefusals, showRefusals } from './refusals.ts'

/** More than a gallery has: the last page is shown. */
const LAST_PAGE = 99999
/** The parameter with the number of images that were refused. */
const FAILED = 'failed'

const token = location.pathname.slice(routes.prefixOf(routes.manage).length)
const operation = (route: typeof routes.addImage | typeof routes.orderImages) => routes.pathOf(route, { token })

const words: ManageWords = JSON.parse(find('#words', HTMLScriptElement).text)
/** Names the gallery in this tab, without the token. */
const gallery = find('#code-link', HTMLInputElement).value
const refused = new URLSearchParams(location.search).has(FAILED) ? carriedRefusals(gallery) : []
if (refused.length > 0) showRefusals(refused, words)
const form = document.querySelector<HTMLFormElement>('#add-form')
if (form) enableAdding(form)
const list = document.querySelector<HTMLElement>('.managed-images')
if (list) enableMoving(list, operation(routes.orderImages), words)

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
 * Adds images, and shows the page that has the last one, with those that were refused. Where uploads need a key, the browser asks for it.
 * Without the right one, without a connection, and when the person stops a pause, the images that are left stay chosen. Returns whether
 * the page is left.
 */
async function addAll(adding: HTMLFormElement, files: readonly File[]): Promise<boolean> {
  const shown = adding.querySelector<HTMLElement>('[role=status]') ?? document.createElement('p')
  shown.setAttribute('role', 'status')
  adding.append(shown)
  const button = find('button', HTMLButtonElement, adding)
  button.disabled = true
  const stopButton = find('#stop', HTMLButtonElement, adding)
  const fields = { content_type: find('input[type=checkbox]', HTMLInputElement, adding).checked ? '1' : '0' }
  const url = operation(routes.addImage)
  const { refusals, left, interruption } = await addImages(files, { url, fields, words, shown, stopButton }, () => {})
  if (left.length > 0) {
    showRefusals(refusals, words)
    shown.textContent = interruption ?? ''
    button.disabled = false
    chooseFiles(find('input[type=file]', HTMLInputElement, adding), left)
    return false
  }
  carryRefusals({ gallery, refusals })
  const query = new URLSearchParams(location.search)
  query.set('page', String(LAST_PAGE))
  query.delete(FAILED)
  if (refusals.length > 0) query.set(FAILED, String(refusals.length))
  location.assign(`${location.pathname}?${query}`)
  return true
}
