/**
 * Gives the pictures names for people. In their markup stands what programs read, `<id>_<name>`, and no attribute may come
 * after it.
 */
export function namePictures(): void {
  for (const image of document.querySelectorAll<HTMLImageElement>('#image, .images img')) {
    image.ariaLabel = image.alt.replace(/^[0-9]+_/, '')
  }
}
