import { needsOriginal } from './viewer/resolution.ts'

/** Replaces the preview on an image's page by the original, as soon as the window shows it larger than the preview is. */
export function enableSharpening(): void {
  const image = document.getElementById('image')
  if (!(image instanceof HTMLImageElement) || !image.srcset) return
  const previewWidth = Number(/ (\d+)w$/.exec(image.srcset)?.[1])
  let isLoading = false
  const sharpen = async () => {
    if (isLoading || !image.complete || !needsOriginal(image.clientWidth, previewWidth, devicePixelRatio)) return
    isLoading = true
    const original = new Image()
    original.src = image.src
    try {
      await original.decode()
      for (const name of ['srcset', 'sizes']) image.removeAttribute(name)
    } catch {
      // The preview stays.
      isLoading = false
    }
  }
  image.addEventListener('load', sharpen)
  window.addEventListener('resize', sharpen)
  void sharpen()
}
