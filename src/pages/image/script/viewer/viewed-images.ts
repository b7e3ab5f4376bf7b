import { originalOf } from '../../../shell/codes.ts'

/** An image to look at. Addresses are absolute. */
export interface ViewedImage {
  pageUrl: string
  originalUrl: string
  thumbnailUrl: string
  name: string
}

/** The images of a gallery's page, in order. */
export function imagesOf(gallery: Document): ViewedImage[] {
  return [...gallery.querySelectorAll<HTMLAnchorElement>('.images > a')].flatMap((link) => {
    const thumbnail = link.querySelector('img')
    if (!thumbnail) return []
    // As they are written: a lazy image of a fetched page has no address yet.
    const thumbnailUrl = thumbnail.getAttribute('src') ?? ''
    const pageUrl = link.getAttribute('href') ?? ''
    return [{ pageUrl, thumbnailUrl, originalUrl: originalOf(thumbnailUrl), name: nameIn(thumbnail.alt) }]
  })
}

/** The image of a show page. */
export function imageOf(image: HTMLImageElement): ViewedImage {
  const canonical = document.querySelector<HTMLLinkElement>('link[rel=canonical]')
  return { pageUrl: canonical?.href ?? '', originalUrl: image.src, thumbnailUrl: '', name: nameIn(image.alt) }
}

/**
 * All images of the page of the gallery that the link leads to, or none if it cannot be had. Of a gallery with adult content
 * they are given only where somebody has agreed to see it.
 */
export async function fetchImages(link: HTMLAnchorElement | null, agreed: boolean): Promise<ViewedImage[]> {
  if (!link) return []
  try {
    // From the page's own origin, which may be another name of the same host.
    const { pathname } = new URL(link.href)
    const response = await fetch(`${pathname}?page=${link.dataset.page ?? '1'}`)
    if (!response.ok) return []
    const page = await response.text()
    if (page.includes('class="content-warning"') && !agreed) return []
    // The list alone: of a whole page, the styles would be applied, which the policy of this one forbids.
    const from = page.indexOf('<div class="images">')
    return imagesOf(new DOMParser().parseFromString(page.slice(from, page.indexOf('</div>', from)), 'text/html'))
  } catch {
    return []
  }
}

/** The name in `<id>_<name>`. */
function nameIn(alt: string): string {
  return alt.slice(alt.indexOf('_') + 1)
}
