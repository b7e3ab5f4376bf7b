const PREVIEW_PX = 320
const AT_A_TIME = 2
/** So far outside of the window a preview is begun. */
const AHEAD = '300px'

/** A preview that is still to be drawn. */
interface Wanted {
  file: File
  canvas: HTMLCanvasElement
}

const wanted = new Map<Element, Wanted>()
const near: Wanted[] = []
let drawing = 0

const observer = new IntersectionObserver(
  (entries) => {
    for (const { target, isIntersecting } of entries) {
      const preview = wanted.get(target)
      if (!isIntersecting || !preview) continue
      forgetPreview(preview.canvas)
      near.push(preview)
    }
    drawNext()
  },
  { rootMargin: AHEAD },
)

/**
 * Draws a square preview when the canvas comes near the window, two at a time: a photograph of 16 megapixels takes 64 MB while it
 * is decoded. If the browser cannot decode the file, the canvas is removed, and what is behind it shows.
 */
export function showPreview(file: File, canvas: HTMLCanvasElement): void {
  wanted.set(canvas, { file, canvas })
  observer.observe(canvas)
}

/** Draws no preview there any more. */
export function forgetPreview(canvas: HTMLCanvasElement): void {
  observer.unobserve(canvas)
  wanted.delete(canvas)
}

function drawNext(): void {
  while (drawing < AT_A_TIME) {
    const preview = near.shift()
    if (!preview) return
    if (!preview.canvas.isConnected) continue
    drawing++
    void draw(preview).finally(() => {
      drawing--
      drawNext()
    })
  }
}

async function draw({ file, canvas }: Wanted): Promise<void> {
  try {
    const bitmap = await createImageBitmap(file, { resizeWidth: PREVIEW_PX, resizeQuality: 'medium' })
    const side = Math.min(bitmap.width, bitmap.height)
    canvas.width = canvas.height = PREVIEW_PX
    const [x, y] = [(bitmap.width - side) / 2, (bitmap.height - side) / 2]
    canvas.getContext('2d')?.drawImage(bitmap, x, y, side, side, 0, 0, PREVIEW_PX, PREVIEW_PX)
    bitmap.close()
    canvas.dataset.drawn = ''
  } catch {
    canvas.remove()
  }
}
