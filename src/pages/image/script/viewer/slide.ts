import { needsOriginal } from './resolution.ts'
import type { Extent, View } from './view.ts'
import type { ViewedImage } from './viewed-images.ts'

/** An image in the row of images: its thumbnail at once, then the files that its view needs. */
export interface Slide {
  readonly element: HTMLElement
  /** The size of the original, or of the largest file that is here where the page does not say it. */
  size: () => Extent
  /** Draws a view; `x` is the offset of the whole slide, in pixels. */
  draw: (view: View, at: { x: string; down: number }) => void
  /** Loads the file that this scale needs. Resolves when it is shown, or when it is clear that it does not come. */
  load: (scale: number) => Promise<void>
}

/** Calls `onSize` when an image whose size was not known has arrived. */
export function createSlide(image: ViewedImage, onSize: () => void): Slide {
  const element = document.createElement('div')
  const frame = document.createElement('div')
  const thumbnail = new Image()
  element.className = 'viewer-slide'
  frame.className = 'viewer-image'
  thumbnail.alt = image.name
  thumbnail.src = image.thumbnailUrl || image.originalUrl
  thumbnail.draggable = false
  frame.append(thumbnail)
  element.append(frame)

  let size = image.size
  let shown = thumbnail
  const files = new Map<string, Promise<void>>()
  const sizeBy = ({ naturalWidth, naturalHeight }: HTMLImageElement, scale = 1) => {
    if (image.size || !naturalWidth) return
    size = { width: naturalWidth * scale, height: naturalHeight * scale }
    onSize()
  }
  // The thumbnail has the original's aspect ratio, and is shown as large as the window until the original arrives.
  thumbnail.addEventListener('load', () => {
    if (shown === thumbnail) sizeBy(thumbnail, image.thumbnailUrl ? 100 : 1)
  })

  const show = async (url: string) => {
    const file = new Image()
    file.alt = image.name
    file.draggable = false
    file.src = url
    try {
      await file.decode()
    } catch {
      return
    }
    // A smaller file that arrives later is ignored.
    if (file.naturalWidth < shown.naturalWidth) return
    shown.replaceWith(file)
    shown = file
    if (url === image.originalUrl) sizeBy(file)
  }
  const fetchOnce = (url: string) => {
    const file = files.get(url) ?? show(url)
    files.set(url, file)
    return file
  }

  return {
    element,
    size: () => size ?? { width: 1, height: 1 },
    draw: ({ x, y, scale }, at) => {
      const { width, height } = size ?? { width: 0, height: 0 }
      Object.assign(frame.style, { width: `${width}px`, height: `${height}px` })
      frame.style.transform = `translate(${x}px, ${y + at.down}px) scale(${scale})`
      element.style.transform = `translateX(${at.x})`
    },
    load: async (scale) => {
      const { preview } = image
      const shownWidth = (size?.width ?? 0) * scale
      if (preview) await fetchOnce(preview.url)
      if (!preview || image.mayMove || needsOriginal(shownWidth, preview.width, devicePixelRatio)) {
        await fetchOnce(image.originalUrl)
      }
    },
  }
}
