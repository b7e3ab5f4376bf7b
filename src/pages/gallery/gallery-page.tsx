import { jsonOf } from '../../routes.ts'
import { ContentWarning } from '../image/content-warning.tsx'
import { GROWING_IMAGE, ViewerTemplate } from '../image/viewer.tsx'
import { CodeField, CopyButton } from '../shell/code-fields.tsx'
import { type CodedImage, codeOf } from '../shell/codes.ts'
import { cssString } from '../shell/css-string.ts'
import { renderDocument, SITE_NAME } from '../shell/document.tsx'
import { type Expiry, ExpiryTime } from '../shell/expiry-time.tsx'
import { format, formatDay, formatNumber, formatPlural } from '../shell/formatting.ts'
import { Icon } from '../shell/icons.tsx'
import { messagesIn } from '../shell/messages.ts'
import { keepChosen, keepChosenInBrowser, type PageContext } from '../shell/page-context.ts'
import { Pagination } from '../shell/pagination.tsx'
import type { Original } from '../shell/sources.ts'
import { sourceAttributes, type TileSources, tilesStyle } from './tiles.ts'

/** An image in a gallery. */
export interface GalleryImage extends CodedImage {
  /** The name for people. */
  title: string
  sources: TileSources
  id: number
  nsfw: boolean
  caption?: string | undefined
  /** Alternative text. */
  alt?: string | undefined
}

/** The properties of galleryPage. */
export interface GalleryPageProps {
  context: PageContext
  /** The canonical URL of the gallery. */
  url: string
  /** Empty for an untitled gallery. */
  name: string
  /** The images of this page. */
  images: readonly (GalleryImage & Original)[]
  /** The image that link previews show; by default the first one. */
  cover?: GalleryImage | undefined
  /** The number of images on all pages. */
  imageCount: number
  createdAtMs: number
  /** Absent for a gallery that stays. */
  expiry?: Expiry | undefined
  /** From 1. */
  page: number
  pageCount: number
  previousUrl?: string | undefined
  nextUrl?: string | undefined
  oembedUrl: string
  /** The URL of the page with the codes of its images. */
  codesUrl: string
  /** The ZIP of the images of this page. */
  downloadUrl: string
}

/** At least as many as a window shows at first: these load at once, the others when they are scrolled near. */
const EAGER_IMAGES = 12

/**
 * The public page of a gallery (specification, "Gallery": gallery_url). Programs read the title from `a.link`, and the
 * images from `.images` up to its first `</div>`. Only the links may be in there, and no attribute may precede those
 * that programs expect.
 */
export function galleryPage(props: GalleryPageProps): string {
  const { context, url, images, imageCount, createdAtMs, expiry } = props
  const messages = messagesIn(context.language)
  const title = props.name || messages.untitledGallery
  const isVeiled = images.some(({ nsfw }) => nsfw)
  return renderDocument({
    context,
    title,
    head: <PreviewHead {...props} title={title} />,
    style: GROWING_IMAGE + tilesStyle(images.map(({ sources }) => sources)) + captionsStyle(images),
    scripts: ['page'],
    isLong: true,
    reportable: url,
    children: (
      <>
        <h1 class="visually-hidden">{messages.gallery}</h1>
        <a class="link" href={keepChosenInBrowser(context, url)}>
          <h2>{title}</h2>
        </a>
        <p class="muted">
          {formatPlural(context.language, messages.imageCount, imageCount)} ·{' '}
          <time datetime={new Date(createdAtMs).toISOString()}>{formatDay(context.language, createdAtMs)}</time>
          {expiry && (
            <>
              {' · '}
              {messages.expires} <ExpiryTime language={context.language} expiry={expiry} />
            </>
          )}
        </p>
        <Actions {...props} />
        <ViewerTemplate language={context.language} images={images} />
        {isVeiled && (
          <ContentWarning
            heading={messages.adultContentInGallery}
            source={messages.adultContentMarkedBy}
            action={messages.showAdultImages}
          />
        )}
        <div class="images">
          {images.map((image, index) => (
            <a href={keepChosenInBrowser(context, image.pageUrl)}>
              <img
                src={image.thumbnailUrl}
                alt={`${image.id}_${image.name}`}
                {...sourceAttributes(image.sources)}
                // Hidden until one agrees, none is asked for.
                loading={index < EAGER_IMAGES && !isVeiled ? undefined : 'lazy'}
                aria-label={image.alt ?? (image.title === image.name ? undefined : image.title)}
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

/** Captions on their tiles. They are in no element, because programs read the links and images of `.images` by patterns. */
function captionsStyle(images: readonly GalleryImage[]): string {
  return images
    .map(({ caption, sources }, at) => {
      const badge = cssString([sources.animation ?? [], caption ?? []].flat().join(' · '))
      return caption === undefined ? '' : `.images a:nth-child(${at + 1}){--badge:${badge}}`
    })
    .join('')
}

function Actions({ context, url, name, images, codesUrl, page, pageCount, downloadUrl }: GalleryPageProps) {
  const { language } = context
  const messages = messagesIn(language)
  const label =
    pageCount === 1
      ? messages.downloadAll
      : format(messages.downloadPart, { part: formatNumber(language, page), parts: formatNumber(language, pageCount) })
  return (
    <div class="actions ghosts gallery-actions">
      <CopyButton language={language} label={messages.upload.copyLink} text={url} />
      <button type="button" hidden data-share={url} data-share-title={name || messages.untitledGallery}>
        <Icon name="share" /> {messages.upload.share}
      </button>
      {images.length > 1 && (
        <button type="button" hidden data-slideshow>
          <Icon name="play" /> {messages.viewer.slideshow}
        </button>
      )}
      <a class="button" href={keepChosen(context, codesUrl)}>
        <Icon name="code" /> {messages.codes.codes}
      </a>
      <a class="button" href={downloadUrl} rel="nofollow" download>
        <Icon name="download" /> {label}
      </a>
    </div>
  )
}

/** The preview that other sites show: the cover or the first image, and the number of all, unless any is NSFW. */
function PreviewHead({
  context,
  url,
  title,
  images,
  cover = images[0],
  imageCount,
  page,
  previousUrl,
  nextUrl,
  oembedUrl,
}: GalleryPageProps & { title: string }) {
  const shown = cover?.nsfw || images.some(({ nsfw }) => nsfw) ? undefined : cover
  return (
    <>
      <meta property="og:title" content={title} />
      <meta property="og:type" content="website" />
      <meta property="og:url" content={url} />
      <meta property="og:site_name" content={SITE_NAME} />
      <meta property="og:locale" content={context.language} />
      <meta
        property="og:description"
        content={formatPlural(context.language, messagesIn(context.language).imageCount, imageCount)}
      />
      {shown && <ShownImage {...shown} />}
      <meta name="twitter:card" content={shown?.preview ? 'summary_large_image' : 'summary'} />
      {images.some(({ nsfw }) => nsfw) && <meta name="rating" content="adult" />}
      <link rel="canonical" href={page === 1 ? url : `${url}?page=${page}`} />
      {previousUrl !== undefined && <link rel="prev" href={previousUrl} />}
      {nextUrl !== undefined && <link rel="next" href={nextUrl} />}
      <link rel="alternate" type="application/json+oembed" href={oembedUrl} title={title} />
      <link rel="alternate" type="application/json" href={jsonOf(url)} />
    </>
  )
}

function ShownImage({ preview, sources, title, caption, alt }: GalleryImage) {
  const { url, width, height, mediaType } = preview ?? { ...sources.thumbnail, mediaType: 'image/webp' }
  return (
    <>
      <meta property="og:image" content={url} />
      <meta property="og:image:width" content={String(width)} />
      <meta property="og:image:height" content={String(height)} />
      <meta property="og:image:type" content={mediaType} />
      <meta property="og:image:alt" content={alt ?? caption ?? title} />
    </>
  )
}

/**
 * The link to the gallery, the BBCode of its images, and the link to the page of all other codes. Programs read `.share
 * > div > input`, so the BBCode's input comes first.
 */
function Codes({ context, url, codesUrl, images }: GalleryPageProps) {
  const { language } = context
  const messages = messagesIn(language).codes
  return (
    <section class="share" aria-labelledby="codes">
      <div>
        <h2 id="codes">{messages.heading}</h2>
        <CodeField language={language} id="code-link" label={messages.link} code={url} />
      </div>
      <CodeField
        language={language}
        id="code-bbcode"
        label={messages.bbcode}
        what={`${messages.bbcode}, ${messages.thumbnail}`}
        code={images.map((image) => codeOf(image, 'bbcode', 'thumbnail')).join(' ')}
      />
      <p>
        <a href={keepChosen(context, codesUrl)}>{messages.ofAllImages}</a>
      </p>
    </section>
  )
}
