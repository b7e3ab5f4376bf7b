import { CodeField, CopyButton } from './code-fields.tsx'
import { type CodedPicture, codeOf } from './codes.ts'
import { ContentWarning } from './content-warning.tsx'
import { renderDocument, SITE_NAME } from './document.tsx'
import { formatDay, formatNumber, formatPlural } from './formatting.ts'
import { Icon } from './icons.tsx'
import { messagesIn } from './messages.ts'
import { keepChosen, type PageContext } from './page-context.ts'
import { Pagination } from './pagination.tsx'
import { GROWING_PICTURE, ViewerTemplate } from './viewer.tsx'

/** A picture in a gallery. */
export interface GalleryImage extends CodedPicture {
  thumbWidth: number
  thumbHeight: number
  id: number
  nsfw: boolean
}

/** The properties of galleryPage. */
export interface GalleryPageProps {
  context: PageContext
  /** The canonical URL of the gallery. */
  url: string
  /** Empty for an untitled gallery. */
  name: string
  /** The pictures of this page. */
  images: readonly GalleryImage[]
  /** The number of pictures on all pages. */
  imageCount: number
  createdAtMs: number
  /** From 1. */
  page: number
  pageCount: number
  previousUrl?: string | undefined
  nextUrl?: string | undefined
  oembedUrl: string
  /** The URL of the page with the codes of its pictures. */
  codesUrl: string
  /** The ZIP of the pictures of this page. */
  downloadUrl: string
}

/** At least as many as a window shows at first: these load at once, the others when they are scrolled near. */
const EAGER_IMAGES = 24
const ROW_MIN_PX = 120
const ROW_MAX_PX = 280
/** So few pictures are shown as large as their thumbnails. */
const FEW_IMAGES = 4
const TALL_ROW_MAX_PX = 500
/** No thumbnail is shown this many times larger than it is, nor a row as many times higher than rows usually are. */
const ENLARGED_MAX = 1.2
const ROW_GROWTH_MAX = 1.45
/** A picture that is no larger is an icon, which is not enlarged. */
const ICON_PX = 160
/** The ratios of width to height that a tile may have: in one that is narrower or lower a picture could not be seen. */
const TILE_RATIOS = { min: 0.25, max: 6 }

/**
 * The public page of a gallery (specification, "Gallery": gallery_url). Programs read the title from `a.link` and the
 * pictures from `.images`, up to its first `</div>`: only the links may be in there, and no attribute may come
 * before the ones they expect.
 */
export function galleryPage(props: GalleryPageProps): string {
  const { context, url, images, imageCount, createdAtMs } = props
  const messages = messagesIn(context.language)
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
        <p class="muted">
          {formatPlural(context.language, messages.imageCount, imageCount)} ·{' '}
          <time datetime={new Date(createdAtMs).toISOString()}>{formatDay(context.language, createdAtMs)}</time>
        </p>
        <Actions {...props} />
        <ViewerTemplate language={context.language} />
        {images.some(({ nsfw }) => nsfw) && (
          <ContentWarning
            heading={messages.adultContentInGallery}
            source={messages.adultContentMarkedBy}
            action={messages.showAdultPictures}
          />
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

function Actions({ context, url, name, codesUrl, page, pageCount, downloadUrl }: GalleryPageProps) {
  const { language } = context
  const messages = messagesIn(language)
  const label =
    pageCount === 1
      ? messages.downloadAll
      : messages.downloadPart(formatNumber(language, page), formatNumber(language, pageCount))
  return (
    <div class="actions ghosts gallery-actions">
      <CopyButton language={language} label={messages.upload.copyLink} text={url} />
      <button type="button" hidden data-share={url} data-share-title={name || messages.untitledGallery}>
        <Icon name="share" /> {messages.upload.share}
      </button>
      <button type="button" hidden data-slideshow>
        <Icon name="play" /> {messages.viewer.slideshow}
      </button>
      <a class="button" href={keepChosen(context, codesUrl)}>
        <Icon name="code" /> {messages.codes.codes}
      </a>
      <a class="button" href={downloadUrl} rel="nofollow" download>
        <Icon name="download" /> {label}
      </a>
    </div>
  )
}

/** The preview that other sites show: the first picture, unless any is NSFW. */
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

/**
 * The aspect ratio of each tile, known before its thumbnail loads, a row height that suits their resolution and number, and the
 * height to which rows may grow until they fill the width. A panorama as high as a row would be enlarged: in a window with room for
 * that its tile is no wider than its thumbnail (`--w`), which stands in it as it is.
 */
function gridStyle(images: readonly GalleryImage[]): string {
  const heights = images.map(({ thumbHeight }) => thumbHeight).sort((a, b) => a - b)
  const median = heights[Math.floor(heights.length / 2)] ?? ROW_MIN_PX
  const isFew = images.length <= FEW_IMAGES
  const row = Math.min(Math.max(median, ROW_MIN_PX), isFew ? TALL_ROW_MAX_PX : ROW_MAX_PX)
  const most = Math.max(ENLARGED_MAX * row, Math.min(ENLARGED_MAX * median, ROW_GROWTH_MAX * row))
  const tiles = images.map(({ thumbWidth, thumbHeight }, index) => {
    const ratio = Math.min(Math.max(thumbWidth / thumbHeight, TILE_RATIOS.min), TILE_RATIOS.max)
    const isIcon = Math.max(thumbWidth, thumbHeight) <= ICON_PX
    const isStrip = Math.abs(ratio - thumbWidth / thumbHeight) > 0.01
    const fit = isIcon || isStrip ? ';--fit:scale-down' : ''
    const isLow = !isIcon && thumbHeight * ENLARGED_MAX < row
    const wide = isLow ? `;--w:${short(Math.min(Math.max(thumbWidth / row, 1), ratio))};--w-fit:scale-down` : ''
    return `.images a:nth-child(${index + 1}){--r:${short(ratio)}${fit}${wide}}`
  })
  return `${GROWING_PICTURE}.images{--row:min(${row}px,${isFew ? '75svh' : '27vw'});--most:min(${Math.round(most)}px,var(--row) * 3)}${tiles.join('')}`
}

function short(ratio: number): number {
  return Number(ratio.toFixed(3))
}

/**
 * The link to the gallery, the BBCode of its pictures, and the link to all other codes. Programs read `.share > div > input`,
 * so the BBCode's input is the first that stands there. The other codes have their own page.
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
        <a href={keepChosen(context, codesUrl)}>{messages.ofAllPictures}</a>
      </p>
    </section>
  )
}
