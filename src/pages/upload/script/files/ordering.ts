/** A list whose elements can be moved, by dragging and by keys. */
interface Order {
  list: HTMLElement
  /** Whether it may be changed now. */
  isOpen: () => boolean
  /** Called after an element was moved in the document. */
  onMove: (element: HTMLElement) => void
}

const STEPS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }

/** Lets the elements of a list be dragged, by mouse and by finger, and be moved by Alt and an arrow key from any button in them. */
export function enableOrdering(order: Order): void {
  const { list, isOpen, onMove } = order
  enableFingers(order)
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
    if (over) moveTo(dragged, over)
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

/** A finger that rests for this long picks up what is below it. One that moves before scrolls. */
const LONG_PRESS_MS = 350
const SLOP_PX = 10
/** The page scrolls while a finger with an element is this close to the end of the visible list. */
const EDGE_PX = 64
const SCROLLED_PX = 8

/** Lets a finger drag elements after a long press. The browser's own dragging is for mice, and differs from phone to phone. */
function enableFingers({ list, isOpen, onMove }: Order): void {
  let pressed: { element: HTMLElement; timer: number; x: number; y: number } | undefined
  let dragged: HTMLElement | undefined
  let [x, y] = [0, 0]

  function release(): void {
    clearTimeout(pressed?.timer)
    if (pressed) pressed.element.draggable = true
    pressed = undefined
    if (!dragged) return
    const moved = dragged
    dragged = undefined
    delete moved.dataset.dragged
    onMove(moved)
  }

  function pickUp(element: HTMLElement): void {
    dragged = element
    element.dataset.dragged = ''
    requestAnimationFrame(follow)
  }

  /** Follows the finger, also while it rests at an edge and the page scrolls below it. */
  function follow(): void {
    if (!dragged) return
    const over = elementOf(document.elementFromPoint(x, y), list)
    if (over) moveTo(dragged, over)
    const bottom = document.querySelector('.bar')?.getBoundingClientRect().top ?? window.innerHeight
    if (y < EDGE_PX) window.scrollBy(0, -SCROLLED_PX)
    else if (y > bottom - EDGE_PX) window.scrollBy(0, SCROLLED_PX)
    requestAnimationFrame(follow)
  }

  list.addEventListener(
    'touchstart',
    ({ target, touches }) => {
      release()
      const element = elementOf(target, list)
      const [touch] = touches
      if (!element || !touch || touches.length > 1 || !isOpen()) return
      if (target instanceof Element && target.closest('button')) return
      ;[x, y] = [touch.clientX, touch.clientY]
      element.draggable = false
      pressed = { element, timer: window.setTimeout(() => pickUp(element), LONG_PRESS_MS), x, y }
    },
    { passive: true },
  )
  list.addEventListener(
    'touchmove',
    (event) => {
      const [touch] = event.touches
      if (!pressed || !touch) return
      ;[x, y] = [touch.clientX, touch.clientY]
      if (dragged) event.preventDefault()
      else if (Math.hypot(x - pressed.x, y - pressed.y) > SLOP_PX) release()
    },
    { passive: false },
  )
  list.addEventListener('touchend', release)
  list.addEventListener('touchcancel', release)
  // A long press would open the browser's menu.
  list.addEventListener('contextmenu', (event) => pressed && event.preventDefault())
}

function moveTo(dragged: HTMLElement, over: HTMLElement): void {
  if (over === dragged) return
  const isLater = dragged.compareDocumentPosition(over) & Node.DOCUMENT_POSITION_FOLLOWING
  if (isLater) over.after(dragged)
  else over.before(dragged)
}

function elementOf(target: EventTarget | null, list: HTMLElement): HTMLElement | undefined {
  return [...list.children].find(
    (child): child is HTMLElement => child instanceof HTMLElement && target instanceof Node && child.contains(target),
  )
}
