import { type Gesture, type Outcome, resting, type Surroundings } from './gesture.ts'
import { enablePointers } from './pointers.ts'
import { createSlide, type Slide } from './slide.ts'
import { type Extent, fitting, isFitting, type Point, toggled, type View, within, zoomed } from './view.ts'
import type { ViewedImage } from './viewed-images.ts'

/** The images side by side, one of which is in the window; fitted, moved and zoomed. */
export interface Stage {
  /** Shows one of the images, and its neighbours beside it. Resolves when its file is here, or does not come. */
  show: (images: readonly ViewedImage[], index: number) => Promise<void>
  /** Has other images around the one that is shown. */
  surround: (images: readonly ViewedImage[], index: number) => void
  toFit: () => void
  /** At this scale, about the middle of the window. */
  zoomTo: (scale: number) => void
  zoomBy: (growth: number, about?: Point) => void
  /** Between its own size and the fitted one. */
  toggle: () => void
  /** To be called when the window has another size. */
  resized: () => void
}

const MIDDLE: Point = { x: 0, y: 0 }
/** The space between two images, in CSS. */
const GAP = '1rem'

/** A stage on this element, which fills the window. `act` receives the gestures. */
export function createStage(element: HTMLElement, isRightToLeft: boolean, act: (outcome: Outcome) => void): Stage {
  const slides = new Map<ViewedImage, Slide>()
  const sign = isRightToLeft ? -1 : 1
  let images: readonly ViewedImage[] = []
  let index = 0
  let gesture = resting({ scale: 1, ...MIDDLE })
  let loads = 0
  // Reading it costs a layout.
  let window: Extent = { width: element.clientWidth, height: element.clientHeight }

  const current = () => slideAt(index)
  const slideAt = (at: number): Slide | undefined => {
    const image = images[at]
    return image && slides.get(image)
  }
  const size = (): Extent => current()?.size() ?? { width: 1, height: 1 }
  const fitted = (slide: Slide | undefined) => fitting(slide?.size() ?? { width: 1, height: 1 }, window)
  const surroundings = (): Surroundings => ({
    image: size(),
    window,
    left: images[index - sign] !== undefined,
    right: images[index + sign] !== undefined,
  })

  const draw = () => {
    const { view, aside, down, fingers } = gesture
    element.classList.toggle('settling', fingers.size === 0)
    element.classList.toggle('movable', !isFitting(view, size(), window))
    element.style.setProperty('--pulled', String(Math.min(down / window.height, 1)))
    for (const at of [index - 1, index, index + 1]) {
      const slide = slideAt(at)
      const x = `calc(${(at - index) * sign} * (100% + ${GAP}) + ${aside}px)`
      slide?.draw(at === index ? view : fitted(slide), { x, down: at === index ? down : 0 })
    }
  }
  /** Loads what the view needs. The stage is marked until it is here. */
  const load = async () => {
    const own = ++loads
    element.classList.add('loading')
    await current()?.load(gesture.view.scale)
    if (own === loads) element.classList.remove('loading')
  }
  const set = (next: Gesture) => {
    const { scale } = gesture.view
    gesture = next
    draw()
    // Moved alone, an image needs no other file.
    if (next.view.scale !== scale) void load()
  }
  /** Fits an image that is new, or whose size was not known. Resolves when its file is here, or does not come. */
  const fitNew = () => {
    gesture = resting(fitted(current()))
    draw()
    return load()
  }
  const see = (view: View) => set(resting(view))
  const toFit = () => see(fitted(current()))
  const zoomBy: Stage['zoomBy'] = (growth, about = MIDDLE) =>
    see(zoomed(gesture.view, gesture.view.scale * growth, about, size(), window))
  const toggle = (about = MIDDLE) => see(toggled(gesture.view, about, size(), window))

  /** Keeps the slides of an image and its neighbours, and no others. */
  const keepSlides = () => {
    const shownImages = new Set(images.slice(Math.max(index - 1, 0), index + 2))
    for (const [image, slide] of slides) {
      if (shownImages.has(image)) continue
      slide.element.remove()
      slides.delete(image)
    }
    for (const image of shownImages) {
      const slide = slides.get(image) ?? createSlide(image, () => (image === images[index] ? void fitNew() : draw()))
      if (!slides.has(image)) element.append(slide.element)
      slides.set(image, slide)
      const isCurrent = image === images[index]
      slide.element.classList.toggle('current', isCurrent)
      slide.element.setAttribute('aria-hidden', String(!isCurrent))
    }
  }

  const loadNext = () => {
    const next = slideAt(index + 1)
    void next?.load(fitted(next).scale)
  }

  enablePointers(element, {
    gesture: () => gesture,
    surroundings,
    set,
    act: (outcome) => (outcome.do === 'zoom' ? toggle(outcome.at) : act(outcome)),
    zoomBy,
  })
  return {
    toFit,
    zoomBy,
    zoomTo: (scale) => see(zoomed(gesture.view, scale, MIDDLE, size(), window)),
    toggle: () => toggle(),
    resized: () => {
      const wasFitted = isFitting(gesture.view, size(), window)
      window = { width: element.clientWidth, height: element.clientHeight }
      if (wasFitted) toFit()
      else see(within(gesture.view, size(), window))
      // Zoomed, the page may have more pixels to the inch.
      void load()
    },
    show: async (nextImages, nextIndex) => {
      images = nextImages
      index = nextIndex
      keepSlides()
      const slide = current()
      await fitNew()
      if (slide === current()) loadNext()
    },
    surround: (nextImages, nextIndex) => {
      images = nextImages
      index = nextIndex
      keepSlides()
      draw()
      loadNext()
    },
  }
}
