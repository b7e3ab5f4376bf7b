import type { Size } from 'tintype-codec/interface'
import type { Item } from './item.ts'

/** A tile is no wider (styles/upload.css, `#files`), in pixels of CSS; a preview has as many as the screen, up to the second. */
const TILE_MAX_PX = 212
const PREVIEW_MAX_PX = 320
/** Maximum enlargement: icons stay smaller than their tile. */
const ENLARGED_MAX = 1.5
/** A strip is asked for no larger than this as a whole: its middle is seen. */
const DECODED_MAX_PIXELS = 2 ** 20
const AT_A_TIME = 2
/** Previews begin this far outside of the window. */
const AHEAD = '300px'

/** A preview that is still to be drawn. */
interface Wanted {
  item: Pick<Item, 'file' | 'size'>
  canvas: HTMLCanvasElement
}

const wanted = new Map<Element, Wanted>()
const visible: Wanted[] = []
let drawing = 0

const observer = new IntersectionObserver(
  (entries) => {
    for (const { target, isIntersecting } of entries) {
      const preview = wanted.get(target)
      if (!isIntersecting || !preview) continue
      forgetPreview(preview.canvas)
      visible.push(preview)
    }
    drawNext()
  },
  { rootMargin: AHEAD },
)

/**
 * Draws a square preview when the canvas comes near the window, two at a time: a photograph of 16 megapixels takes 64 MB while it
 * is decoded. If the browser cannot decode the file, the canvas is removed, and what is behind it shows.
 */
export function showPreview(item: Pick<Item, 'file' | 'size'>, canvas: HTMLCanvasElement): void {
  wanted.set(canvas, { item, canvas })
  observer.observe(canvas)
}

/** Draws no preview there any more. */
export function forgetPreview(canvas: HTMLCanvasElement): void {
  observer.unobserve(canvas)
  wanted.delete(canvas)
}

function drawNext(): void {
  while (drawing < AT_A_TIME) {
    const preview = visible.shift()
    if (!preview) return
    if (!preview.canvas.isConnected) continue
    drawing++
    void draw(preview).finally(() => {
      drawing--
      drawNext()
    })
  }
}

async function draw({ item: { file, size }, canvas }: Wanted): Promise<void> {
  try {
    const side = Math.min(Math.ceil(TILE_MAX_PX * devicePixelRatio), PREVIEW_MAX_PX)
    const bitmap = await createImageBitmap(file, { ...smallerThan(size, side), resizeQuality: 'medium' })
    canvas.width = canvas.height = side
    const shorter = Math.min(bitmap.width, bitmap.height)
    const scale = Math.min(side / shorter, (ENLARGED_MAX * side) / TILE_MAX_PX)
    const [width, height] = [bitmap.width * scale, bitmap.height * scale]
    // WebKit loses a canvas on the graphics card when it is moved in the page, and each of hundreds would take memory there.
    canvas
      .getContext('2d', { willReadFrequently: true })
      ?.drawImage(bitmap, (side - width) / 2, (side - height) / 2, width, height)
    bitmap.close()
    canvas.dataset.drawn = ''
  } catch {
    canvas.remove()
  }
}

/** Returns the options for a bitmap whose shorter side has as many pixels as the tile. The browser keeps the ratio. */
function smallerThan({ width, height }: Size, side: number): ImageBitmapOptions {
  const scale = Math.min(side / Math.min(width, height), Math.sqrt(DECODED_MAX_PIXELS / (width * height)))
  if (scale >= 1) return {}
  return width < height
    ? { resizeWidth: Math.max(1, Math.round(width * scale)) }
    : { resizeHeight: Math.max(1, Math.round(height * scale)) }
}
