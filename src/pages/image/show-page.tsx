import { GALLERY_PAGE_IMAGES } from '../../limits.ts'
import { jsonOf } from '../../routes.ts'
import { CodeField, CodeGroups, CopyButton } from '../shell/code-fields.tsx'
import { cssString } from '../shell/css-string.ts'
import { renderDocument, SITE_NAME } from '../shell/document.tsx'
import { type Expiry, ExpiryTime } from '../shell/expiry-time.tsx'
import { FileName } from '../shell/file-name.tsx'
import { format, formatAround, formatBytes, formatDay, formatNumber } from '../shell/formatting.ts'
import { Icon } from '../shell/icons.tsx'
import { messagesIn } from '../shell/messages.ts'
import { keepChosen, keepChosenInBrowser, type PageContext } from '../shell/page-context.ts'
import { type ImageSources, isTall, srcsetOf } from '../shell/sources.ts'
import { ContentWarning } from './content-warning.tsx'
import { GROWING_IMAGE, ViewerTemplate } from './viewer.tsx'

/** The properties of showPage. */
export interface ShowPageProps extends ImageSources {
  context: PageContext
  /** The name for people; the stored name is that of the address. */
  title: string
  /** The canonical show URL; absolute, as are all URLs here. */
  pageUrl: string
  /** The size of the original's file. */
  bytes: number
  /** Such as JPEG. */
  formatName: string
  id: number
  nsfw: boolean
  caption?: string | undefined
  /** Alternative text. */
  alt?: string | undefined
  createdAtMs: number
  /** Absent for an image that stays. */
  expiry?: Expiry | undefined
  /** The URL of the page's oEmbed response. */
  oembedUrl: string
  /** The gallery the image is in; an empty title is an untitled gallery. */
  gallery?: GalleryOfImage | undefined
}

/** The gallery that an image is in, and its position there. */
interface GalleryOfImage {
  url: string
  title: string
  /** From 1. */
  position: number
  imageCount: number
  previousUrl?: string | undefined
  nextUrl?: string | undefined
}

type WayProps = GalleryOfImage & { context: PageContext }

/** The height of what is above and below an image that fits the window, in rem; `--furniture` is more in narrow windows. */
const FURNITURE_REM = 10
/** Additional space for it in a gallery. */
const WAY_REM = 1
/** A tall image that is higher than so many windows is folded. */
const FOLD_WINDOWS = 2
/** The share of a window's width that its margins take at most, of 320 pixels. */
const MARGINS_MAX = 0.1
/** The minimum width of an image, however low the window or tall the image, in rem. */
const LEAST_REM = 16
/** The longest side of an image that would be lost on the page. */
const SMALL_PX = 160
/** The maximum width of the content, and the margins on both sides of it. */
const MAIN_PX = 1248
const MAIN_PADDING_PX = 32
/** Longer names may need several lines on a phone: none breaks the extension. Programs read the title, which is one element. */
const ONE_LINE_CHARACTERS = 24
/** The format whose images are all opaque. */
const OPAQUE_FORMAT = 'JPEG'
/** Precomputed, since media queries cannot add. */
const REM_PX = 16

/**
 * The public page of an image (specification, "Image": show_url). Programs find the original by the markup of `#show`. The order of elements and attributes is part of their contract: no attribute may be added in between,
 * and no URL with `/images/` may precede that of the original.
 */
export function showPage(props: ShowPageProps): string {
  const { context, originalUrl, id, name, title, nsfw, caption, alt, gallery } = props
  const messages = messagesIn(context.language)
  return renderDocument({
    context,
    title,
    head: <PreviewHead {...props} />,
    style: fittingStyle(props),
    scripts: ['page'],
    reportable: props.pageUrl,
    children: (
      <>
        <div class="stage">
          {gallery && <Way context={context} {...gallery} />}
          {nsfw && (
            <ContentWarning
              heading={messages.adultContent}
              source={messages.adultContentMarkedBy}
              action={messages.showAdultImage}
            />
          )}
          {isTall(props) && (
            <input
              type="checkbox"
              class="unfold"
              id="unfold"
              aria-label={messages.imagePage.showAll}
              autocomplete="off"
            />
          )}
          {(title !== name || name.length > ONE_LINE_CHARACTERS) && (
            <h1 class="title">
              <FileName name={title} />
            </h1>
          )}
          <div id="show">
            <h1 class="show-title">
              <span data-elem="fixed">{name}</span>
            </h1>
            <div class="image">
              <img
                id="image"
                class="image-img"
                src={originalUrl}
                alt={`${id}_${name}`}
                // Hidden until one agrees, it is not even asked for.
                loading={nsfw ? 'lazy' : undefined}
                {...sourceAttributes(props)}
                aria-label={alt ?? (title === name ? undefined : title)}
              />
            </div>
          </div>
          {isTall(props) && (
            <label for="unfold" class="unfolding">
              <span class="button">{messages.imagePage.showAll}</span>
            </label>
          )}
          {caption !== undefined && (
            <p class="caption" dir="auto">
              {caption}
            </p>
          )}
        </div>
        <Actions {...props} />
        <ViewerTemplate language={context.language} images={[props]} />
        <div class="about">
          <div>
            {gallery && (
              <a class="link" href={keepChosenInBrowser(context, gallery.url)}>
                <h2>{gallery.title || messages.untitledGallery}</h2>
              </a>
            )}
            <Facts {...props} />
          </div>
          <Codes {...props} />
        </div>
      </>
    ),
  })
}

/** The preview that other sites show: the original where there is no smaller one. NSFW images have none. */
function PreviewHead(props: ShowPageProps) {
  const { context, pageUrl, originalUrl, width, height, title, nsfw, caption, alt, oembedUrl } = props
  const shown = props.preview ?? { url: originalUrl, width, height, mediaType: undefined }
  return (
    <>
      {nsfw ? (
        <meta name="rating" content="adult" />
      ) : (
        <>
          <meta property="og:image" content={shown.url} />
          <meta property="og:image:width" content={String(shown.width)} />
          <meta property="og:image:height" content={String(shown.height)} />
          {shown.mediaType !== undefined && <meta property="og:image:type" content={shown.mediaType} />}
          <meta property="og:image:alt" content={alt ?? caption ?? title} />
        </>
      )}
      <meta property="og:title" content={title} />
      {caption !== undefined && <meta property="og:description" content={caption} />}
      <meta property="og:type" content="website" />
      <meta property="og:url" content={pageUrl} />
      <meta property="og:site_name" content={SITE_NAME} />
      <meta property="og:locale" content={context.language} />
      <meta name="twitter:card" content={nsfw ? 'summary' : 'summary_large_image'} />
      <meta name="twitter:title" content={title} />
      <link rel="canonical" href={pageUrl} />
      <link rel="alternate" type="application/json+oembed" href={oembedUrl} title={title} />
      <link rel="alternate" type="application/json" href={jsonOf(pageUrl)} />
    </>
  )
}

/** The attributes by which a browser chooses the preview or the thumbnail instead of the original. */
function sourceAttributes(props: ShowPageProps) {
  const srcset = srcsetOf(props)
  if (srcset === undefined) return {}
  const { width, height, gallery, nsfw } = props
  const furnitureRem = FURNITURE_REM + (gallery ? WAY_REM : 0)
  const fitting = `calc((100svh - ${furnitureRem}rem) * ${width} / ${height})`
  return {
    srcset,
    sizes: `min(100vw - ${MAIN_PADDING_PX}px,${Math.min(width, MAIN_PX)}px,max(${LEAST_REM}rem,${fitting}))`,
    fetchpriority: nsfw ? undefined : 'high',
  }
}

/** The image's aspect ratio and size, known before it loads: as large as the window allows, never enlarged. */
function fittingStyle(props: ShowPageProps): string {
  const { width, height, thumbnailUrl, formatName, nsfw, gallery } = props
  const ratio = `${width} / ${height}`
  const wayRem = gallery ? WAY_REM : 0
  const fitting = `calc((100svh - var(--furniture) - ${wayRem}rem) * ${ratio})`
  const size = isTall(props) ? `min(100%,${width}px)` : `min(100%,${width}px,max(${LEAST_REM}rem,${fitting}))`
  const narrow = width > MAIN_PX ? '(width)' : `(width<${width + MAIN_PADDING_PX}px)`
  const low = `(height<${height + (FURNITURE_REM + wayRem) * REM_PX}px)`
  return [
    GROWING_IMAGE,
    `#image{aspect-ratio:${ratio};width:${size}}`,
    ...(isTall(props) ? [foldingStyle(props)] : []),
    // A small image is on a stage, in its own size.
    ...(Math.max(width, height) <= SMALL_PX ? ['.image{min-height:12rem;background:var(--stage)}'] : []),
    // A JPEG has no transparency: its thumbnail is shown until it has loaded.
    ...(formatName === OPAQUE_FORMAT && !nsfw
      ? [`#image{background:url(${cssString(thumbnailUrl)}) center/100% 100%}`]
      : []),
    // If the image is larger than shown, there is room for the script's button as soon as there is the image.
    `@media ${isTall(props) ? narrow : `${narrow} or ${low}`}{:where(.scripted) main:not(:has(.consent:not(:checked))) [data-zoom][hidden]{display:inline-flex!important;visibility:hidden}}`,
    `.consent:not(:checked)+.content-warning{aspect-ratio:${isTall(props) ? 1 : ratio};width:min(100%,max(${LEAST_REM}rem,${fitting}))}`,
  ].join('')
}

/**
 * Folds a tall image in windows in which it is certainly higher than two of them. In a window that is narrower than the image, its
 * height follows from the window's width, of which margins take a part.
 */
function foldingStyle({ width, height }: ShowPageProps): string {
  const own = `(width>=${width + MAIN_PADDING_PX}px) and (height<${Math.floor(height / FOLD_WINDOWS)}px)`
  const least = Math.ceil((1000 * FOLD_WINDOWS * width) / (height * (1 - MARGINS_MAX)))
  const shrunk = `(width<${width + MAIN_PADDING_PX}px) and (min-aspect-ratio:${least}/1000)`
  return (
    `@media ${own},${shrunk}{.unfold:not(:checked)~#show>.image{max-height:${100 * FOLD_WINDOWS}svh;overflow:hidden}` +
    '.unfold:not(:checked)~#show+.unfolding{display:flex}.unfold:not(:checked){display:block}}'
  )
}

/** Copying and sharing come first, and stay in the window however tall the image is. */
function Actions({ context: { language }, pageUrl, title, originalUrl, bytes, width }: ShowPageProps) {
  const messages = messagesIn(language)
  return (
    <div class="picture-actions">
      <div class="actions">
        <CopyButton language={language} label={messages.upload.copyLink} text={pageUrl} />
        <button type="button" hidden data-share={pageUrl} data-share-title={title}>
          <Icon name="share" /> {messages.upload.share}
        </button>
      </div>
      <div class="actions ghosts">
        <button type="button" hidden data-zoom={width}>
          <Icon name="enlarge" /> {messages.imagePage.fullSize}
        </button>
        <a class="button" href={originalUrl}>
          <Icon name="image" /> {format(messages.imagePage.original, { size: formatBytes(language, bytes) })}
        </a>
        <a class="button" href={`${originalUrl}?download`} download>
          <Icon name="download" /> {messages.imagePage.download}
        </a>
      </div>
    </div>
  )
}

/**
 * The image's position in its gallery, and links to its neighbours, above the image, which does not move them. Both
 * links are always present, so a double click never goes back.
 */
function Way({ context, url, title, position, imageCount, previousUrl, nextUrl }: WayProps) {
  const { language } = context
  const messages = messagesIn(language)
  const { positionIn, neighbours, previous, next } = messages.imagePage
  const [before, after] = formatAround(positionIn, 'gallery', {
    position: formatNumber(language, position),
    count: formatNumber(language, imageCount),
  })
  const positionLine = (
    <p class="place">
      {before}
      <a href={keepChosen(context, url)} data-page={Math.ceil(position / GALLERY_PAGE_IMAGES)}>
        <bdi>{title || messages.untitledGallery}</bdi>
      </a>
      {after}
    </p>
  )
  if (previousUrl === undefined && nextUrl === undefined) return positionLine
  const link = (rel: 'prev' | 'next', neighbour: string | undefined) =>
    neighbour === undefined ? { role: 'link', 'aria-disabled': 'true' } : { rel, href: keepChosen(context, neighbour) }
  return (
    <nav class="way ghosts" aria-label={neighbours}>
      <a class="button" {...link('prev', previousUrl)}>
        <Icon name="backwards" /> <span>{previous}</span>
      </a>
      {positionLine}
      <a class="button" {...link('next', nextUrl)}>
        <span>{next}</span> <Icon name="forwards" />
      </a>
    </nav>
  )
}

function Facts({ context: { language }, width, height, bytes, formatName, createdAtMs, expiry }: ShowPageProps) {
  const { imagePage: messages, expires } = messagesIn(language)
  return (
    <>
      <h2 class="visually-hidden">{messages.facts}</h2>
      <dl class="facts">
        <dt>{messages.dimensions}</dt>
        <dd>
          {format(messages.pixels, { width: formatNumber(language, width), height: formatNumber(language, height) })}
        </dd>
        <dt>{messages.fileSize}</dt>
        <dd>{formatBytes(language, bytes)}</dd>
        <dt>{messages.format}</dt>
        <dd>{formatName}</dd>
        <dt>{messages.uploaded}</dt>
        <dd>
          <time datetime={new Date(createdAtMs).toISOString()}>{formatDay(language, createdAtMs)}</time>
        </dd>
        {expiry && (
          <>
            <dt>{expires}</dt>
            <dd>
              <ExpiryTime language={language} expiry={expiry} />
            </dd>
          </>
        )}
      </dl>
    </>
  )
}

function Codes(props: ShowPageProps) {
  const { language } = props.context
  const messages = messagesIn(language).codes
  return (
    <section aria-labelledby="codes">
      <h2 id="codes">{messages.heading}</h2>
      <CodeField language={language} id="code-link" label={messages.link} code={props.pageUrl} />
      <CodeGroups context={props.context} images={[props]} />
    </section>
  )
}
