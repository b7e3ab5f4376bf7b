import { createLens, type Lens } from './lens.ts'
import { enablePointers, WHEEL_GROWTH } from './pointers.ts'
import type { ViewedImage } from './viewed-images.ts'

const SLIDE_MS = 5000

/** How the viewer is opened. */
export interface Opening {
  images: readonly ViewedImage[]
  index: number
  /** At its own size instead of as large as it fits. */
  fullSize?: boolean
  slideshow?: boolean
  /** Told when it closes: which image was seen last. */
  onClose: (image: ViewedImage) => void
}

/** A viewer that is open. */
export interface OpenViewer {
  /** Replaces the images by others, among which is the one that is seen. */
  replace: (images: readonly ViewedImage[]) => void
}

/** Opens the dialog of the page's template (viewer.tsx) over the whole window. Undefined where the page has none. */
export function openViewer(opening: Opening): OpenViewer | undefined {
  const template = document.getElementById('viewer')
  if (!(template instanceof HTMLTemplateElement)) return undefined
  const dialog = document.importNode(template.content, true).querySelector('dialog')
  const stage = dialog?.querySelector<HTMLElement>('[data-viewer=stage]')
  if (!dialog || !stage) return undefined
  document.body.append(dialog)
  dialog.showModal()
  // Keys are for all of it: a button that has the focus may be hidden.
  dialog.focus()

  const lens = createLens(stage)
  const show = createShow(dialog, lens, opening)
  const isRightToLeft = document.documentElement.dir === 'rtl'
  enableButtons(dialog, lens, show)
  enableKeys(dialog, lens, show, isRightToLeft)
  enablePointers(stage, lens, (towards) => ((towards === 'left') === isRightToLeft ? show.previous() : show.next()))
  window.addEventListener('resize', lens.resized)
  // Going back, in the browser or on a phone, closes it.
  history.pushState({ viewer: true }, '')
  const close = () => dialog.close()
  window.addEventListener('popstate', close)
  dialog.addEventListener('close', () => {
    window.removeEventListener('resize', lens.resized)
    window.removeEventListener('popstate', close)
    dialog.remove()
    show.end()
  })
  return show
}

/** The images one after the other. */
interface Show extends OpenViewer {
  previous: () => void
  next: () => void
  first: () => void
  last: () => void
  /** Begins or ends to go on by itself. */
  toggleSlides: () => void
  end: () => void
}

function createShow(dialog: HTMLElement, lens: Lens, { onClose, ...opening }: Opening): Show {
  const count = part(dialog, 'count')
  let { images, index, slideshow: isSliding = false } = opening
  let timer: ReturnType<typeof setTimeout> | undefined

  const waitForSlide = () => {
    clearTimeout(timer)
    if (isSliding) timer = setTimeout(slide, SLIDE_MS)
  }
  const slide = () => {
    if (index + 1 < images.length) go(index + 1)
    else toggleSlides()
  }
  const toggleSlides = () => {
    isSliding = !isSliding
    waitForSlide()
    tell()
  }
  const go = (to: number, fullSize = false) => {
    const image = images[to]
    if (!image) return
    index = to
    clearTimeout(timer)
    tell()
    lens.show(image.originalUrl, image.name, () => {
      if (fullSize) lens.zoomTo(1)
      loadAhead(images[to + 1])
      waitForSlide()
    })
  }
  const tell = () => {
    const isAlone = images.length < 2
    if (count) count.textContent = isAlone ? '' : `${index + 1} / ${images.length}`
    for (const name of ['previous', 'next', 'slideshow']) part(dialog, name)?.toggleAttribute('hidden', isAlone)
    part(dialog, 'previous')?.setAttribute('aria-disabled', String(index === 0))
    part(dialog, 'next')?.setAttribute('aria-disabled', String(index + 1 >= images.length))
    part(dialog, 'slideshow')?.setAttribute('aria-pressed', String(isSliding))
  }
  go(index, opening.fullSize)
  return {
    previous: () => go(index - 1),
    next: () => go(index + 1),
    first: () => go(0),
    last: () => go(images.length - 1),
    toggleSlides,
    replace: (others) => {
      const at = others.findIndex(({ originalUrl }) => originalUrl === images[index]?.originalUrl)
      if (at < 0) return
      images = others
      index = at
      tell()
      loadAhead(images[at + 1])
    },
    end: () => {
      clearTimeout(timer)
      const image = images[index]
      if (image) onClose(image)
    },
  }
}

function enableButtons(dialog: HTMLDialogElement, lens: Lens, show: Show): void {
  const actions = {
    previous: show.previous,
    next: show.next,
    'full-size': () => lens.toggle(),
    slideshow: show.toggleSlides,
    close: () => dialog.close(),
  }
  for (const [name, act] of Object.entries(actions)) part(dialog, name)?.addEventListener('click', () => act())
}

function enableKeys(dialog: HTMLDialogElement, lens: Lens, show: Show, isRightToLeft: boolean): void {
  const actions = new Map([
    ['ArrowLeft', isRightToLeft ? show.next : show.previous],
    ['ArrowRight', isRightToLeft ? show.previous : show.next],
    ['Home', show.first],
    ['End', show.last],
    ['+', () => lens.zoomBy(WHEEL_GROWTH)],
    ['-', () => lens.zoomBy(1 / WHEEL_GROWTH)],
    ['0', lens.toFit],
    ['1', () => lens.zoomTo(1)],
  ])
  dialog.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return
    // The page beneath has arrow keys of its own.
    event.stopPropagation()
    actions.get(event.key)?.()
  })
}

function part(dialog: HTMLElement, name: string): HTMLElement | null {
  return dialog.querySelector(`[data-viewer=${name}]`)
}

function loadAhead(image: ViewedImage | undefined): void {
  if (image) new Image().src = image.originalUrl
}
