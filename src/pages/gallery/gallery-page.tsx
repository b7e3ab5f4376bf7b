import { ContentWarning } from '../image/content-warning.tsx'
import { GROWING_IMAGE, ViewerTemplate } from '../image/viewer.tsx'
import { CodeField, CopyButton } from '../shell/code-fields.tsx'
import { type CodedImage, codeOf } from '../shell/codes.ts'
import { renderDocument, SITE_NAME } from '../shell/document.tsx'
import { format, formatDay, formatNumber, formatPlural } from '../shell/formatting.ts'
import { Icon } from '../shell/icons.tsx'
import { messagesIn } from '../shell/messages.ts'
import { keepChosen, keepChosenInBrowser, type PageContext } from '../shell/page-context.ts'
import { Pagination } from '../shell/pagination.tsx'

/** An image in a gallery. */
export interface GalleryImage extends CodedImage {
  thumbWidth: number
  thumbHeight: number
  /** Whether its format has no transparency. */
  opaque: boolean
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
  /** The images of this page. */
  images: readonly GalleryImage[]
  /** The number of images on all pages. */
  imageCount: number
  createdAtMs: number
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
const EAGER_IMAGES = 24
const ROW_MIN_PX = 120
const ROW_MAX_PX = 280
/** So few images are shown as large as their thumbnails. */
const FEW_IMAGES = 4
const TALL_ROW_MAX_PX = 500
/** Rows grow until they fill the width: by the smaller, or by the larger where thumbnails are so high. */
const GROWTH = { min: 1.2, max: 1.45 }
/** No thumbnail is shown more times larger than it is, and an icon, which is no larger than this, only as it is. */
const ENLARGED_MAX = 1.5
const ICON_PX = 160
/** The tile of an icon: the largest one, and room around it. */
const ICON_TILE = { padding: 32, min: 96 }
/**
 * No row grows higher than its thumbnails allow, but for those that are lower than such a share of it: they lie in it as they
 * are.
 */
const LOW_SHARE = { few: 0.6, many: 0.9 }
/** Panoramas at least this wide get a row of their own in narrow windows. */
const PANORAMA_RATIO = 3
const LEFT_MAX_PX = 128
/** A strip that would leave more of its tile empty has a row of its own in every window. */
const FILLED_MIN = 1 / 3
/** Images that may be transparent get a checkerboard, if they fill their tile or their position in it is known. */
const CHECKS = ';--behind:var(--checks)'
/** The ratios of width to height that a tile may have: in one that is narrower or lower an image could not be seen. */
const TILE_RATIOS = { min: 0.25, max: 6 }

/**
 * The public page of a gallery (specification, "Gallery": gallery_url). Programs read the title from `a.link`, and the
 * images from `.images` up to its first `</div>`. Only the links may be in there, and no attribute may precede those
 * that programs expect.
 */
export function galleryPage(props: GalleryPageProps): string {
  const { context, url, images, imageCount, createdAtMs } = props
  const messages = messagesIn(context.language)
  const title = props.name || messages.untitledGallery
  const isVeiled = images.some(({ nsfw }) => nsfw)
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
        <a class="link" href={keepChosenInBrowser(context, url)}>
          <h2>{title}</h2>
        </a>
        <p class="muted">
          {formatPlural(context.language, messages.imageCount, imageCount)} ·{' '}
          <time datetime={new Date(createdAtMs).toISOString()}>{formatDay(context.language, createdAtMs)}</time>
        </p>
        <Actions {...props} />
        <ViewerTemplate language={context.language} />
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
                // Hidden until one agrees, none is asked for.
                loading={index < EAGER_IMAGES && !isVeiled ? undefined : 'lazy'}
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
      : format(messages.downloadPart, { part: formatNumber(language, page), parts: formatNumber(language, pageCount) })
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

/** The preview that other sites show: the first image and the number of all, unless any is NSFW. */
function PreviewHead({
  context,
  url,
  title,
  images,
  imageCount,
  page,
  previousUrl,
  nextUrl,
  oembedUrl,
}: GalleryPageProps & { title: string }) {
  const [first] = images
  const shown = images.some(({ nsfw }) => nsfw) ? undefined : first
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
    </>
  )
}

function ShownImage({ preview, thumbnailUrl, thumbWidth, thumbHeight, name }: GalleryImage) {
  const thumbnail = { url: thumbnailUrl, width: thumbWidth, height: thumbHeight, mediaType: 'image/webp' }
  const { url, width, height, mediaType } = preview ?? thumbnail
  return (
    <>
      <meta property="og:image" content={url} />
      <meta property="og:image:width" content={String(width)} />
      <meta property="og:image:height" content={String(height)} />
      <meta property="og:image:type" content={mediaType} />
      <meta property="og:image:alt" content={name} />
    </>
  )
}

/**
 * Returns the row height that suits the resolution and number of the thumbnails, and the height to which rows may grow
 * to fill the width. The shape of each tile is known before its thumbnail loads.
 */
function gridStyle(images: readonly GalleryImage[]): string {
  const isFew = images.length <= FEW_IMAGES
  const { row, most } = rowHeights(images, isFew)
  const icon = Math.max(ICON_TILE.min - ICON_TILE.padding, ...images.filter(isIcon).map(longerSide)) + ICON_TILE.padding
  const widest = ENLARGED_MAX * Math.max(0, ...images.filter(isPanorama).map(({ thumbWidth }) => thumbWidth))
  const tiles = images.map((image, index) => `.images a:nth-child(${index + 1}){${tileStyle(image, most, isFew)}}`)
  const alone = '.images a:nth-child(n){--tile:var(--r);--wide:var(--alone)}'
  return [
    GROWING_IMAGE,
    `.images{--row:min(${short(row)}px,${isFew ? '75svh' : '27vw'});--most:min(${short(most)}px,var(--row) * 3);--icon:${icon}px}`,
    ...tiles,
    isFew ? alone : `@media(max-width:${short(widest + LEFT_MAX_PX)}px){${alone}}`,
  ].join('')
}

/** The usual and the largest height of a row, in pixels. */
function rowHeights(images: readonly GalleryImage[], isFew: boolean): { row: number; most: number } {
  const heights = images
    .filter((image) => !isIcon(image))
    .map(({ thumbHeight }) => thumbHeight)
    .sort((a, b) => a - b)
  const median = heights[Math.floor(heights.length / 2)] ?? ROW_MIN_PX
  const row = Math.min(Math.max(median, ROW_MIN_PX), isFew ? TALL_ROW_MAX_PX : ROW_MAX_PX)
  const growth = isFew ? GROWTH.min : Math.min(Math.max((GROWTH.min * median) / row, GROWTH.min), GROWTH.max)
  const low = LOW_SHARE[isFew ? 'few' : 'many'] * growth * row
  const lowest = heights.find((height) => ENLARGED_MAX * height >= low) ?? row
  const most = Math.min(growth * row, ENLARGED_MAX * lowest)
  return { row: Math.min(row, most), most }
}

/**
 * Returns the shape of a tile. An image lower than the largest row gets a shape that does not enlarge it too much.
 * `--w` is its ratio beside others, `--alone` its width in a row of its own.
 */
function tileStyle(image: GalleryImage, most: number, isFew: boolean): string {
  if (isIcon(image)) {
    return `--size:min(var(--icon),var(--row));--place:center;--fit:scale-down${image.opaque ? '' : iconChecks(image)}`
  }
  const { thumbWidth, thumbHeight } = image
  const [wide, high] = [ENLARGED_MAX * thumbWidth, ENLARGED_MAX * thumbHeight]
  const natural = thumbWidth / thumbHeight
  const ratio = Math.min(Math.max(natural, TILE_RATIOS.min), TILE_RATIOS.max)
  const beside = Math.min(Math.max(wide / most, TILE_RATIOS.min), ratio)
  const whole = ';--fit:contain'
  if (high >= most) return `--r:${short(ratio)}${ratio !== natural ? whole : image.opaque ? '' : CHECKS}`
  if (isFew) return `--r:${short(ratio)}${whole};--alone:min(${short(wide)}px,100%)`
  if (!isPanorama(image)) return `--r:${short(beside)}${whole}`
  const alone = `min(${short(wide)}px,100%)`
  if (beside < FILLED_MIN * natural) return `--r:${short(ratio)}${whole};--wide:${alone}`
  return `--r:${short(ratio)}${whole};--w:${short(beside)};--alone:${alone}`
}

/** A checkerboard behind an icon, and not beside it in its square tile. */
function iconChecks(image: GalleryImage): string {
  const half = (px: number) => `calc(50% - min(${short(px / 2)}px,${short((50 * px) / longerSide(image))}%))`
  return `${CHECKS};--inset:${half(image.thumbHeight)} ${half(image.thumbWidth)}`
}

function isIcon(image: GalleryImage): boolean {
  return longerSide(image) <= ICON_PX
}

function isPanorama({ thumbWidth, thumbHeight }: GalleryImage): boolean {
  return thumbWidth / thumbHeight > PANORAMA_RATIO
}

function longerSide({ thumbWidth, thumbHeight }: GalleryImage): number {
  return Math.max(thumbWidth, thumbHeight)
}

function short(ratio: number): number {
  return Number(ratio.toFixed(3))
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
