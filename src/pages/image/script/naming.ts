/**
 * Replaces the `alt` of images by names for people, where the page has no alternative text in their `aria-label`. Programs read
 * `<id>_<name>` in the markup, and no attribute may follow it.
 */
export function nameImages(): void {
  for (const image of document.querySelectorAll<HTMLImageElement>(
    '#image:not([aria-label]), .images img:not([aria-label])',
  )) {
    image.setAttribute('aria-label', image.alt.replace(/^[0-9]+_/, ''))
  }
}
