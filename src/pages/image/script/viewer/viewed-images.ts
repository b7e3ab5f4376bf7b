import { originalOf, previewOf } from '../../../shell/codes.ts'
import { imageName } from './image-name.ts'
import type { Extent } from './view.ts'

/** An image to look at. Addresses are absolute. */
export interface ViewedImage {
  pageUrl: string
  originalUrl: string
  /** Empty where the page does not say it. */
  thumbnailUrl: string
  /** A file that loads quickly, if there is one beside the thumbnail. */
  preview: { url: string; width: number } | undefined
  /** The size of the original, where the page says it. */
  size: Extent | undefined
  /** Whether it may be an animation, which no preview shows. */
  mayMove: boolean
  /** Alternative text, or the name. */
  name: string
  /** Empty where it has none. */
  caption: string
}

/** The originals of a page's images and their captions, as the template of the viewer has them (viewer.tsx). */
interface Listed {
  originals: string[]
  captions: unknown[]
}

/** The images of a gallery's page, in order, with what the template of the viewer says of their originals. */
export function imagesOf(gallery: Document, listed = listedIn(gallery)): ViewedImage[] {
  return [...gallery.querySelectorAll<HTMLAnchorElement>('.images > a')].flatMap((link, index) => {
    const thumbnail = link.querySelector('img')
    if (!thumbnail) return []
    // As they are written: a lazy image of a fetched page has no address yet.
    const thumbnailUrl = thumbnail.getAttribute('src') ?? ''
    const pageUrl = link.getAttribute('href') ?? ''
    const originalUrl = originalOf(thumbnailUrl)
    return [
      {
        ...factsOf(thumbnail, previewOf(thumbnailUrl), listed, index),
        pageUrl,
        thumbnailUrl,
        originalUrl,
      },
    ]
  })
}

/** The image of a show page. */
export function imageOf(image: HTMLImageElement): ViewedImage {
  const canonical = document.querySelector<HTMLLinkElement>('link[rel=canonical]')
  // The last file of its `srcset` is the preview.
  const preview = /(\S+) \d+w$/.exec(image.srcset)?.[1]
  const facts = factsOf(image, preview, listedIn(document), 0)
  // The file that the page shows has arrived already.
  return { ...facts, pageUrl: canonical?.href ?? '', originalUrl: image.src, thumbnailUrl: image.currentSrc }
}

function listedIn(page: Document): Listed {
  const { originals = '', captions = '[]' } = page.querySelector<HTMLElement>('#viewer')?.dataset ?? {}
  const list: unknown = JSON.parse(captions)
  return { originals: originals.split(' '), captions: Array.isArray(list) ? list : [] }
}

/** Parses the facts of an original, such as `4000x3000p1280m`. */
function factsOf(image: HTMLImageElement, previewUrl: string | undefined, { originals, captions }: Listed, at: number) {
  const [, width, height, previewWidth, moves] = /^(\d+)x(\d+)(?:p(\d+))?(m?)$/.exec(originals[at] ?? '') ?? []
  const preview =
    previewUrl !== undefined && previewWidth ? { url: previewUrl, width: Number(previewWidth) } : undefined
  return {
    preview,
    size: width && height ? { width: Number(width), height: Number(height) } : undefined,
    mayMove: moves === 'm',
    name: imageName(image),
    caption: String(captions[at] ?? ''),
  }
}

/**
 * Returns all images of the gallery page that the link leads to, or none if it cannot be loaded. Images of a gallery with adult content need consent.
 */
export async function fetchImages(link: HTMLAnchorElement | null, agreed: boolean): Promise<ViewedImage[]> {
  if (!link) return []
  const page = await fetchPage(link.href, `?page=${link.dataset.page ?? '1'}`)
  if (page.includes('class="content-warning"') && !agreed) return []
  const listed = listedIn(parsePart(page, '<template id="viewer"', '<dialog'))
  return imagesOf(parsePart(page, '<div class="images">', '</div>'), listed)
}

/** The name and the facts on the page of an image; nothing if it cannot be had. */
export async function fetchFacts(pageUrl: string): Promise<{ name?: string | undefined; list: Element | null }> {
  const page = await fetchPage(pageUrl, `?lang=${document.documentElement.lang}`)
  return {
    name: parsePart(page, '<meta property="og:title"', '<meta property="og:type"').querySelector('meta')?.content,
    list: parsePart(page, '<dl class="facts">', '</dl>').querySelector('dl'),
  }
}

/** The markup of a page; empty if it cannot be had. */
async function fetchPage(address: string, query: string): Promise<string> {
  try {
    // From the page's own origin, which may be another name of the same host.
    const response = await fetch(new URL(address).pathname + query)
    return response.ok ? await response.text() : ''
  } catch {
    return ''
  }
}

/** A part of a page alone: of a whole page, the styles would be applied, which the policy of this one forbids. */
function parsePart(page: string, start: string, end: string): Document {
  const from = page.indexOf(start)
  const part = from < 0 ? '' : page.slice(from, page.indexOf(end, from))
  return new DOMParser().parseFromString(part, 'text/html')
}
