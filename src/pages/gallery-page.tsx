import { renderDocument } from './document.tsx'
import { formatNumber, formatPlural } from './formatting.ts'
import type { Language } from './language.ts'
import { MESSAGES } from './messages.ts'

export interface GalleryImage {
  /** Absolute, like all URLs here. */
  showUrl: string
  thumbnailUrl: string
  thumbWidth: number
  thumbHeight: number
  /** `<id>_<name>`. */
  idName: string
  nsfw: boolean
}

export interface GalleryPageProps {
  language: Language
  /** The canonical URL of the gallery. */
  url: string
  /** Empty for an untitled gallery. */
  name: string
  /** Those of this page alone. */
  images: readonly GalleryImage[]
  /** Of all pages together. */
  imageCount: number
  /** From 1. */
  page: number
  pageCount: number
  previousUrl?: string | undefined
  nextUrl?: string | undefined
}

/**
 * The public page of a gallery (specification, "Gallery": gallery_url). Programs read the title from `a.link` and the
 * pictures from `.images`, up to its first `</div>`: nothing but the links stands in there, and no attribute may be added.
 */
export function galleryPage(props: GalleryPageProps): string {
  const { language, url, images, imageCount } = props
  const messages = MESSAGES[language]
  const title = props.name || messages.untitledGallery
  return renderDocument({
    language,
    title,
    head: (
      <>
        <meta property="og:title" content={title} />
        <meta property="og:type" content="website" />
        <meta property="og:url" content={url} />
      </>
    ),
    children: (
      <>
        <h1>{messages.gallery}</h1>
        <a class="link" href={url}>
          <h2>{title}</h2>
        </a>
        <p>{formatPlural(language, messages.imageCount, imageCount)}</p>
        {images.some(({ nsfw }) => nsfw) && <p class="label">{messages.adultContentInGallery}</p>}
        <div class="images">
          {images.map(({ showUrl, thumbnailUrl, idName }) => (
            <a href={showUrl}>
              <img src={thumbnailUrl} alt={idName} />
            </a>
          ))}
        </div>
        <Pagination {...props} />
      </>
    ),
  })
}

function Pagination({ language, page, pageCount, previousUrl, nextUrl }: GalleryPageProps) {
  if (pageCount <= 1) return null
  const messages = MESSAGES[language]
  return (
    <nav class="pages" aria-label={messages.pages}>
      {previousUrl !== undefined && (
        <a rel="prev" href={previousUrl}>
          {messages.previousPage}
        </a>
      )}
      <span>{messages.pageOf(formatNumber(language, page), formatNumber(language, pageCount))}</span>
      {nextUrl !== undefined && (
        <a rel="next" href={nextUrl}>
          {messages.nextPage}
        </a>
      )}
    </nav>
  )
}
