import { enableCopying } from '../../../shell/script/copying.ts'
import type { Outcome } from './gesture.ts'
import { WHEEL_GROWTH } from './pointers.ts'
import { createStage, type Stage } from './stage.ts'
import { fetchFacts, type ViewedImage } from './viewed-images.ts'

const SLIDE_MS = 5000

/** Options of opening the viewer. */
interface Opening {
  images: readonly ViewedImage[]
  index: number
  /** At its own size instead of as large as it fits. */
  fullSize?: boolean
  slideshow?: boolean
  /** Called with the last image when the viewer closes. */
  onClose: (image: ViewedImage) => void
}

/** A viewer that is open. */
interface OpenViewer {
  /** Replaces the images by others, among which is the one that is seen. */
  replace: (images: readonly ViewedImage[]) => void
}

/** Opens the dialog of the page's template (viewer.tsx) over the whole window. Undefined where the page has none. */
export function openViewer(opening: Opening): OpenViewer | undefined {
  const template = document.getElementById('viewer')
  if (!(template instanceof HTMLTemplateElement)) return undefined
  const dialog = document.importNode(template.content, true).querySelector('dialog')
  const element = dialog?.querySelector<HTMLElement>('[data-viewer=stage]')
  if (!dialog || !element) return undefined
  document.body.append(dialog)
  dialog.showModal()
  // Keys are for all of it: a button that has the focus may be hidden.
  dialog.focus()

  const isRightToLeft = document.documentElement.dir === 'rtl'
  const act = (outcome: Outcome) => {
    if (outcome.do === 'close') dialog.close()
    else if ((outcome.do === 'show-left') === isRightToLeft) show.next()
    else show.previous()
  }
  const stage = createStage(element, isRightToLeft, act)
  const show = createShow(dialog, stage, opening)
  enableCopying(dialog)
  enableButtons(dialog, stage, show)
  enableKeys(dialog, stage, show, isRightToLeft)
  window.addEventListener('resize', stage.resized)
  // Going back, in the browser or on a phone, closes it.
  history.pushState({ viewer: true }, '')
  const close = () => dialog.close()
  window.addEventListener('popstate', close)
  dialog.addEventListener('close', () => {
    window.removeEventListener('resize', stage.resized)
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
  /** Starts or stops the slideshow. */
  toggleSlides: () => void
  /** Shows or hides what is known of the image. */
  toggleFacts: () => void
  end: () => void
}

function createShow(dialog: HTMLElement, stage: Stage, { onClose, ...opening }: Opening): Show {
  let { images, index, slideshow: isSliding = false } = opening
  let timer: ReturnType<typeof setTimeout> | undefined

  const waitForSlide = () => {
    clearTimeout(timer)
    if (isSliding) timer = setTimeout(slide, SLIDE_MS)
  }
  const slide = () => {
    if (index + 1 < images.length) void go(index + 1)
    else toggleSlides()
  }
  const toggleSlides = () => {
    isSliding = !isSliding
    waitForSlide()
    tell()
  }
  const go = async (to: number) => {
    const image = images[to]
    if (!image) return
    index = to
    clearTimeout(timer)
    tell()
    await stage.show(images, to)
    if (images[index] === image) waitForSlide()
  }
  const tell = () => {
    const image = images[index]
    if (image) tellOf(dialog, image, { index, count: images.length, isSliding })
  }
  void go(index)
  if (opening.fullSize) stage.zoomTo(1)
  return {
    previous: () => void go(index - 1),
    next: () => void go(index + 1),
    first: () => void go(0),
    last: () => void go(images.length - 1),
    toggleSlides,
    toggleFacts: () => {
      const facts = part(dialog, 'facts')
      facts?.toggleAttribute('hidden')
      tell()
    },
    replace: (others) => {
      const at = others.findIndex(({ originalUrl }) => originalUrl === images[index]?.originalUrl)
      const [before, after] = [others.slice(0, at), others.slice(at + 1)]
      const seen = images[index]
      if (at < 0 || !seen) return
      // The one that is seen stays, with its view.
      images = [...before, seen, ...after]
      index = at
      tell()
      stage.surround(images, index)
    },
    end: () => {
      clearTimeout(timer)
      const image = images[index]
      if (image) onClose(image)
    },
  }
}

/** Shows which image it is, and what can be done with it. */
function tellOf(
  dialog: HTMLElement,
  image: ViewedImage,
  { index, count, isSliding }: { index: number; count: number; isSliding: boolean },
): void {
  const isAlone = count < 2
  const counter = part(dialog, 'count')
  if (counter) counter.textContent = isAlone ? '' : `${index + 1} / ${count}`
  const caption = part(dialog, 'caption')
  if (caption) caption.textContent = image.caption
  for (const name of ['previous', 'next', 'slideshow']) part(dialog, name)?.toggleAttribute('hidden', isAlone)
  part(dialog, 'previous')?.setAttribute('aria-disabled', String(index === 0))
  part(dialog, 'next')?.setAttribute('aria-disabled', String(index + 1 >= count))
  part(dialog, 'slideshow')?.setAttribute('aria-pressed', String(isSliding))
  part(dialog, 'download')?.setAttribute('href', `${image.originalUrl}?download`)
  part(dialog, 'page')?.setAttribute('href', image.pageUrl)
  const copy = part(dialog, 'copy')
  if (copy) copy.dataset.copyText = image.pageUrl
  const facts = part(dialog, 'facts')
  part(dialog, 'info')?.setAttribute('aria-expanded', String(facts?.hidden === false))
  if (facts && !facts.hidden) void tellFacts(facts, image)
}

async function tellFacts(facts: HTMLElement, image: ViewedImage): Promise<void> {
  const name = facts.querySelector('bdi')
  if (!name || facts.dataset.of === image.pageUrl) return
  facts.dataset.of = image.pageUrl
  name.textContent = image.name
  facts.querySelector('dl')?.remove()
  const page = await fetchFacts(image.pageUrl)
  if (facts.dataset.of !== image.pageUrl) return
  if (page.name) name.textContent = page.name
  if (page.list) name.parentElement?.after(page.list)
}

function enableButtons(dialog: HTMLDialogElement, stage: Stage, show: Show): void {
  const actions = {
    previous: show.previous,
    next: show.next,
    'full-size': stage.toggle,
    slideshow: show.toggleSlides,
    info: show.toggleFacts,
    close: () => dialog.close(),
  }
  for (const [name, act] of Object.entries(actions)) part(dialog, name)?.addEventListener('click', () => act())
}

function enableKeys(dialog: HTMLDialogElement, stage: Stage, show: Show, isRightToLeft: boolean): void {
  const actions = new Map([
    ['ArrowLeft', isRightToLeft ? show.next : show.previous],
    ['ArrowRight', isRightToLeft ? show.previous : show.next],
    ['Home', show.first],
    ['End', show.last],
    ['+', () => stage.zoomBy(WHEEL_GROWTH)],
    ['-', () => stage.zoomBy(1 / WHEEL_GROWTH)],
    ['0', stage.toFit],
    ['1', () => stage.zoomTo(1)],
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
