import { fetchImages, imageOf, imagesOf } from './viewer/viewed-images.ts'
import { openViewer } from './viewer/viewer.ts'

/** Makes a click on the image of a show page open the viewer, and its button do so at full size. */
export function enableViewing(): void {
  const image = document.getElementById('image')
  const button = document.querySelector<HTMLButtonElement>('button[data-zoom]')
  if (!(image instanceof HTMLImageElement) || !button) return
  const open = (fullSize: boolean) => onceLeft(() => void view(image, fullSize))
  image.classList.add('viewable')
  image.addEventListener('click', () => open(false))
  button.addEventListener('click', () => open(true))
  // Before it loads, the image has no width of its own, and hidden none on the page.
  const offer = () => {
    button.hidden = image.clientWidth === 0 || Number(button.dataset.zoom) <= image.clientWidth
  }
  image.addEventListener('load', offer)
  consent()?.addEventListener('change', offer)
  window.addEventListener('resize', offer)
  offer()
}

async function view(image: HTMLImageElement, fullSize: boolean): Promise<void> {
  const shown = imageOf(image)
  const viewer = openViewer({
    images: [shown],
    index: 0,
    fullSize,
    onClose: ({ originalUrl, pageUrl }) => {
      // In the language and the theme that this page has in its address.
      if (originalUrl !== shown.originalUrl) location.replace(pageUrl + location.search)
      else leave()
    },
  })
  const images = await fetchImages(document.querySelector<HTMLAnchorElement>('.place a'), consent()?.checked === true)
  viewer?.replace(images)
}

/** Makes the button of a gallery open the viewer as a slideshow. */
export function enableSlideshow(): void {
  const button = document.querySelector<HTMLButtonElement>('button[data-slideshow]')
  if (!button) return
  const offer = () => {
    button.hidden = consent()?.checked === false
  }
  consent()?.addEventListener('change', offer)
  offer()
  button.addEventListener('click', () => onceLeft(() => viewGallery({ index: 0, slideshow: true })))
}

/** The checkbox that shows the adult images of this page; null if there are none. */
function consent(): HTMLInputElement | null {
  return document.querySelector<HTMLInputElement>('input.consent')
}

/** Makes a click on a thumbnail of a gallery open the viewer. With a key, it opens the image's page where browsers do. */
export function enableGalleryViewing(): void {
  for (const gallery of document.querySelectorAll('.images')) {
    gallery.addEventListener('click', (event) => {
      if (!(event instanceof MouseEvent) || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
      const link = event.target instanceof Element ? event.target.closest('a') : null
      const index = link ? [...gallery.children].indexOf(link) : -1
      if (index < 0) return
      event.preventDefault()
      onceLeft(() => viewGallery({ index }))
    })
  }
}

function viewGallery(opening: { index: number; slideshow?: boolean }): void {
  const images = imagesOf(document)
  const links = document.querySelectorAll<HTMLAnchorElement>('.images > a')
  openViewer({
    ...opening,
    images,
    onClose: (last) => {
      leave()
      links[images.indexOf(last)]?.focus()
    },
  })
}

let isLeaving = false
let next: (() => void) | undefined

/** Opens a viewer as soon as the one before it has left the history: going back, which takes the browser a moment, would close it. */
function onceLeft(open: () => void): void {
  if (isLeaving) next = open
  else open()
}

/** Takes the entry that the viewer has made in the history out again, unless going back was what closed it. */
function leave(): void {
  const state: unknown = history.state
  if (typeof state !== 'object' || state === null || !('viewer' in state)) return
  isLeaving = true
  const left = () => {
    isLeaving = false
    next?.()
    next = undefined
  }
  window.addEventListener('popstate', left, { once: true })
  history.back()
}
