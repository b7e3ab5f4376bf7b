// Moves images of a gallery on its management page, by their buttons or by dragging.
import { find } from '../../shell/script/elements.ts'
import { describeFailure, type ErrorResponse, failureOf } from '../../upload/upload-failure.ts'
import type { ManageWords } from '../manage-words.ts'
import { send } from './sending.ts'

/** Statuses where an image or its gallery was deleted: the page shows an order that there is no more. */
const OUTDATED = [404, 410, 422]

/**
 * Stores each move at the URL, one after the other. If one fails, or its pause is stopped, the images go back to the order that was
 * stored last, moves that wait are dropped, and the page says why.
 */
export function enableMoving(order: HTMLElement, url: string, words: ManageWords): void {
  const shown = find('#moving-status', HTMLElement)
  const stopButton = find('#stop-moving', HTMLButtonElement)
  const sending = { language: words.language, words: words.movingPaused, shown, stopButton }
  let stored = [...order.children]
  let round = 0
  let moves = Promise.resolve()
  const store = (item: HTMLElement) => {
    const before = pathOf(item.nextElementSibling)
    const beside = before === undefined ? { after: pathOf(item.previousElementSibling) } : { before }
    const body = JSON.stringify({ images: [pathOf(item)], ...beside })
    const [moved, own] = [[...order.children], round]
    moves = moves.then(async () => {
      if (own !== round) return
      shown.textContent = ''
      shown.classList.remove('failed')
      const outcome = await send(url, { body, headers: { 'Content-Type': 'application/json' } }, sending)
      if (outcome === 'done') {
        stored = moved
        shown.textContent = words.saved
        return
      }
      round++
      const focused = document.activeElement
      order.append(...stored)
      if (focused instanceof HTMLElement && order.contains(focused)) focused.focus()
      if (outcome === 'stopped') return
      shown.textContent = describeMoveFailure(outcome, words)
      shown.classList.add('failed')
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

function describeMoveFailure(response: ErrorResponse, { moveFailed, moveOutdated, failures }: ManageWords): string {
  const reason = OUTDATED.includes(response.status)
    ? moveOutdated
    : describeFailure(failures, { failure: failureOf(response) })
  return `${moveFailed} ${reason}`
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
