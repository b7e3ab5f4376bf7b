import { type Extent, fitting, type Point, type View, within, zoomed } from './view.ts'

/** One image at a time on a stage: fitted, moved and zoomed. */
export interface Lens {
  /** Shows another image, fitted; `onArrival` is called when it is here, or when it is clear that it does not come. */
  show: (address: string, name: string, onArrival: () => void) => void
  toFit: () => void
  /** At this scale, about the middle or another point of the stage. */
  zoomTo: (scale: number, about?: Point) => void
  zoomBy: (growth: number, about?: Point) => void
  moveBy: (by: Point) => void
  /** Between its own size and the fitted one. */
  toggle: (about?: Point) => void
  isFitted: () => boolean
  /** To be called when the stage has another size. */
  resized: () => void
}

const MIDDLE: Point = { x: 0, y: 0 }

/** A lens for the images on this element, which fills the window. */
export function createLens(stage: HTMLElement): Lens {
  let image = new Image()
  let size: Extent = { width: 1, height: 1 }
  let view: View = { scale: 1, ...MIDDLE }
  stage.append(image)

  const window = (): Extent => ({ width: stage.clientWidth, height: stage.clientHeight })
  const isFitted = () => view.scale <= fitting(size, window()).scale
  const see = (next: View) => {
    view = next
    image.style.transform = `translate(${view.x}px, ${view.y}px) scale(${view.scale})`
    stage.classList.toggle('movable', !isFitted())
  }
  const toFit = () => see(fitting(size, window()))
  const zoomTo: Lens['zoomTo'] = (scale, about = MIDDLE) => see(zoomed(view, scale, about, size, window()))
  return {
    isFitted,
    toFit,
    zoomTo,
    zoomBy: (growth, about) => zoomTo(view.scale * growth, about),
    moveBy: (by) => see(within({ ...view, x: view.x + by.x, y: view.y + by.y }, size, window())),
    toggle: (about) => (isFitted() ? zoomTo(1, about) : toFit()),
    resized: () => (isFitted() ? toFit() : see(within(view, size, window()))),
    show: (address, name, onArrival) => {
      const arriving = new Image()
      arriving.alt = name
      arriving.draggable = false
      image.replaceWith(arriving)
      image = arriving
      stage.classList.add('loading')
      arriving.addEventListener('error', () => {
        if (image !== arriving) return
        // The name is shown instead.
        stage.classList.remove('loading')
        onArrival()
      })
      arriving.addEventListener('load', () => {
        if (image !== arriving) return
        stage.classList.remove('loading')
        size = { width: arriving.naturalWidth, height: arriving.naturalHeight }
        Object.assign(arriving.style, { width: `${size.width}px`, height: `${size.height}px` })
        toFit()
        onArrival()
      })
      arriving.src = address
    },
  }
}
