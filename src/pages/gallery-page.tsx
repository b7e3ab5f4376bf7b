import { CodeField } from './code-fields.tsx'
import type { CodedPicture } from './codes.ts'
import { renderDocument, SITE_NAME } from './document.tsx'
import { formatPlural } from './formatting.ts'
import { MESSAGES } from './messages.ts'
import { keepLanguage, type PageContext } from './page-context.ts'
import { Pagination } from './pagination.tsx'
import { Veil } from './veil.tsx'

export interface GalleryImage extends CodedPicture {
  thumbWidth: number
  thumbHeight: number
  id: number
  nsfw: boolean
}

export interface GalleryPageProps {
  context: PageContext
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
  oembedUrl: string
  /** Where the codes of all its pictures stand. */
  codesUrl: string
}

/** What a window shows at first, and more: those load at once, the others when they come near. */
const EAGER_IMAGES = 24
const ROW_MIN_PX = 120
const ROW_MAX_PX = 280

/**
 * The public page of a gallery (specification, "Gallery": gallery_url). Programs read the title from `a.link` and the
 * pictures from `.images`, up to its first `</div>`: nothing but the links stands in there, no attribute may come before
 * those they know.
 */
export function galleryPage(props: GalleryPageProps): string {
  const { context, url, images, imageCount } = props
  const messages = MESSAGES[context.language]
  const title = props.name || messages.untitledGallery
  return renderDocument({
    context,
    title,
    head: <PreviewHead {...props} title={title} />,
    style: gridStyle(images),
    scripts: ['page'],
    reportable: url,
    children: (
      <>
        <h1 class="visually-hidden">{messages.gallery}</h1>
        <a class="link" href={url}>
          <h2>{title}</h2>
        </a>
        <p class="muted">{formatPlural(context.language, messages.imageCount, imageCount)}</p>
        {images.some(({ nsfw }) => nsfw) && (
          <Veil heading={messages.adultContentInGallery} action={messages.showAdultPictures} />
        )}
        <div class="images">
          {images.map((image, index) => (
            <a href={image.pageUrl}>
              <img
                src={image.thumbnailUrl}
                alt={`${image.id}_${image.name}`}
                loading={index < EAGER_IMAGES ? undefined : 'lazy'}
              />
            </a>
          ))}
        </div>
        <Pagination {...props} />
        <Codes {...props} />
      </>
    ),
  })
}

/** What other sites show of the page: the first picture, unless one is for adults. */
function PreviewHead({
  context,
  url,
  title,
  images,
  page,
  previousUrl,
  nextUrl,
  oembedUrl,
}: GalleryPageProps & { title: string }) {
  const [first] = images
  const preview = images.some(({ nsfw }) => nsfw) ? undefined : first
  return (
    <>
      <meta property="og:title" content={title} />
      <meta property="og:type" content="website" />
      <meta property="og:url" content={url} />
      <meta property="og:site_name" content={SITE_NAME} />
      <meta property="og:locale" content={context.language} />
      {preview && <meta property="og:image" content={preview.thumbnailUrl} />}
      <meta name="twitter:card" content="summary" />
      {images.some(({ nsfw }) => nsfw) && <meta name="rating" content="adult" />}
      <link rel="canonical" href={page === 1 ? url : `${url}?page=${page}`} />
      {previousUrl !== undefined && <link rel="prev" href={previousUrl} />}
      {nextUrl !== undefined && <link rel="next" href={nextUrl} />}
      <link rel="alternate" type="application/json+oembed" href={oembedUrl} title={title} />
    </>
  )
}

/** The ratio of each thumbnail, known before it arrives, and a height of the rows that suits their resolution. */
function gridStyle(images: readonly GalleryImage[]): string {
  const heights = images.map(({ thumbHeight }) => thumbHeight).sort((a, b) => a - b)
  const median = heights[Math.floor(heights.length / 2)] ?? ROW_MIN_PX
  const row = Math.min(Math.max(median, ROW_MIN_PX), ROW_MAX_PX)
  const ratios = images.map(({ thumbWidth, thumbHeight }, index) => {
    const ratio = Number((thumbWidth / thumbHeight).toFixed(3))
    return `.images a:nth-child(${index + 1}){--r:${ratio}}`
  })
  return `.images{--row:min(${row}px,27vw)}${ratios.join('')}`
}

/** The link to the gallery, and the way to the codes of its pictures: here, programs would find each picture twice. */
function Codes({ context, url, codesUrl }: GalleryPageProps) {
  const { language } = context
  const messages = MESSAGES[language].codes
  return (
    <section aria-labelledby="codes">
      <h2 id="codes">{messages.heading}</h2>
      <CodeField language={language} id="code-link" label={messages.link} code={url} />
      <p>
        <a href={keepLanguage(context, codesUrl)}>{messages.ofAllPictures}</a>
      </p>
    </section>
  )
}
