/** A list whose elements can be moved, by dragging and by keys. */
interface Order {
  list: HTMLElement
  /** Whether it may be changed now. */
  isOpen: () => boolean
  /** Called after an element was moved in the document. */
  onMove: (element: HTMLElement) => void
}

const STEPS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }

/** Lets the elements of a list be dragged to another place, and be moved by Alt and an arrow key from any button in them. */
export function enableOrdering({ list, isOpen, onMove }: Order): void {
  let dragged: HTMLElement | undefined

  list.addEventListener('dragstart', (event) => {
    dragged = elementOf(event.target, list)
    if (!dragged || !isOpen()) return event.preventDefault()
    event.dataTransfer?.setData('text/plain', '')
    dragged.dataset.dragged = ''
  })
  list.addEventListener('dragover', (event) => {
    const over = elementOf(event.target, list)
    if (!dragged) return
    event.preventDefault()
    if (!over || over === dragged) return
    const isLater = dragged.compareDocumentPosition(over) & Node.DOCUMENT_POSITION_FOLLOWING
    if (isLater) over.after(dragged)
    else over.before(dragged)
  })
  list.addEventListener('drop', (event) => dragged && event.preventDefault())
  list.addEventListener('dragend', () => {
    if (!dragged) return
    delete dragged.dataset.dragged
    onMove(dragged)
    dragged = undefined
  })

  list.addEventListener('keydown', (event) => {
    const element = elementOf(event.target, list)
    const step = (STEPS[event.key] ?? 0) * (document.dir === 'rtl' && /Left|Right/.test(event.key) ? -1 : 1)
    if (!event.altKey || step === 0 || !element || !isOpen()) return
    // Otherwise the browser would go back.
    event.preventDefault()
    const neighbour = step < 0 ? element.previousElementSibling : element.nextElementSibling
    const { activeElement } = document
    if (step < 0) neighbour?.before(element)
    else neighbour?.after(element)
    // A moved element loses the focus.
    if (activeElement instanceof HTMLElement) activeElement.focus()
    if (neighbour) onMove(element)
  })
}

function elementOf(target: EventTarget | null, list: HTMLElement): HTMLElement | undefined {
  return [...list.children].find(
    (child): child is HTMLElement => child instanceof HTMLElement && target instanceof Node && child.contains(target),
  )
}
