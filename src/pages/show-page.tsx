import { renderDocument, toMarkup } from './document.tsx'
import { formatDay, formatNumber } from './formatting.ts'
import type { Language } from './language.ts'
import { MESSAGES } from './messages.ts'

export interface ShowPageProps {
  language: Language
  /** The canonical show URL; like all URLs here absolute. */
  pageUrl: string
  originalUrl: string
  thumbnailUrl: string
  thumbWidth: number
  thumbHeight: number
  /** The size as displayed, in pixels. */
  width: number
  height: number
  id: number
  /** As in UploadResponse: without the numeric prefix. */
  name: string
  nsfw: boolean
  createdAtMs: number
  /** The gallery the picture is in; an empty title is an untitled gallery. */
  gallery?: { url: string; title: string } | undefined
}

/**
 * The public page of a picture (specification, "Image": show_url). Programs find the original by the markup of `#show` and
 * `og:image`: the order of elements and attributes is part of the contract with them, no attribute may be added in
 * between, and no URL with `/images/` may come before that of the original.
 */
export function showPage(props: ShowPageProps): string {
  const { language, pageUrl, originalUrl, width, height, id, name, nsfw, createdAtMs, gallery } = props
  const messages = MESSAGES[language]
  return renderDocument({
    language,
    title: name,
    head: (
      <>
        <meta property="og:image" content={originalUrl} />
        <meta property="og:image:width" content={String(width)} />
        <meta property="og:image:height" content={String(height)} />
        <meta property="og:title" content={name} />
        <meta property="og:type" content="website" />
        <meta property="og:url" content={pageUrl} />
        {nsfw && <meta name="rating" content="adult" />}
        <link rel="canonical" href={pageUrl} />
      </>
    ),
    children: (
      <>
        {nsfw && <p class="label">{messages.adultContent}</p>}
        <div id="show">
          <h1 class="show-title">
            <span data-elem="fixed">{name}</span>
          </h1>
          <div class="image">
            <img id="image" class="image-img" src={originalUrl} alt={`${id}_${name}`} />
          </div>
        </div>
        {gallery && (
          <a class="link" href={gallery.url}>
            <h2>{gallery.title || messages.untitledGallery}</h2>
          </a>
        )}
        <dl class="facts">
          <dt>{messages.dimensions}</dt>
          <dd>{messages.pixels(formatNumber(language, width), formatNumber(language, height))}</dd>
          <dt>{messages.uploaded}</dt>
          <dd>
            <time datetime={new Date(createdAtMs).toISOString()}>{formatDay(language, createdAtMs)}</time>
          </dd>
        </dl>
        <Share {...props} />
      </>
    ),
  })
}

function Share({ language, pageUrl, thumbnailUrl, thumbWidth, thumbHeight, name }: ShowPageProps) {
  const messages = MESSAGES[language]
  const html = toMarkup(
    <a href={pageUrl}>
      <img src={thumbnailUrl} width={thumbWidth} height={thumbHeight} alt={name} />
    </a>,
  )
  const texts = [
    [messages.shareLink, pageUrl],
    [messages.shareBbcode, `[url=${pageUrl}][img]${thumbnailUrl}[/img][/url]`],
    [messages.shareHtml, html],
  ] as const
  return (
    <section>
      <h2>{messages.share}</h2>
      {texts.map(([label, text]) => (
        <label>
          {label}
          <input readonly value={text} />
        </label>
      ))}
    </section>
  )
}
