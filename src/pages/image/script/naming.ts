import { imageName } from './viewer/image-name.ts'

/** Replaces the `alt` of images by names for people, where the page has no `aria-label` for them. */
export function nameImages(): void {
  for (const image of document.querySelectorAll<HTMLImageElement>('#image, .images img')) {
    image.setAttribute('aria-label', imageName(image))
  }
}
