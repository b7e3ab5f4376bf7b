/** Returns the alternative text or the name of an image for people. Its `alt` is `<id>_<name>`, as programs expect. */
export function imageName(image: HTMLImageElement): string {
  return image.getAttribute('aria-label') ?? image.alt.slice(image.alt.indexOf('_') + 1)
}
