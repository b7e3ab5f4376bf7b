/**
 * Replaces the `alt` of images by names for people. Programs read `<id>_<name>` in the markup, and no attribute may
 * follow it.
 */
export function nameImages(): void {
  for (const image of document.querySelectorAll<HTMLImageElement>('#image, .images img')) {
    image.setAttribute('aria-label', image.alt.replace(/^[0-9]+_/, ''))
  }
}
