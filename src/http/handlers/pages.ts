import { FORMATS } from 'tintype-codec/interface'
import type { Image } from '../../domain/content/content.ts'
import { expiryOf } from '../../domain/content/expiry.ts'
import { nameForPeople } from '../../domain/content/filename.ts'
import { linkedPreview } from '../../domain/content/preview.ts'
import { type Found, findImageView, type ImageView } from '../../domain/content/public-image.ts'
import { findGalleryView, type GalleryView } from '../../domain/galleries/gallery.ts'
import { arrivalTimeMs } from '../../domain/ids/image-id.ts'
import {
  galleryCodesUrl,
  galleryDownloadUrl,
  galleryUrl,
  oembedUrl,
  originalUrl,
  type Site,
  showUrl,
  thumbnailUrl,
  uploadUrl,
} from '../../domain/ids/links.ts'
import { GALLERY_PAGE_IMAGES } from '../../limits.ts'
import { galleryCodesPage } from '../../pages/gallery/gallery-codes-page.tsx'
import { galleryPage } from '../../pages/gallery/gallery-page.tsx'
import type { TileSources } from '../../pages/gallery/tiles.ts'
import { showPage } from '../../pages/image/show-page.tsx'
import { CODE_FORMATS, type CodedImage } from '../../pages/shell/codes.ts'
import type { Expiry } from '../../pages/shell/expiry-time.tsx'
import { missingGalleryPage, missingImagePage, notFoundPage } from '../../pages/shell/notice-pages.tsx'
import type { PageContext } from '../../pages/shell/page-context.ts'
import { type Embedding, uploadPage } from '../../pages/upload/upload-page.tsx'
import { uploadsPage } from '../../pages/upload/uploads-page.tsx'
import { type AppContext, pathParameter } from '../context.ts'
import { expiryRulesOf } from '../expiry.ts'
import { publicSites } from '../hosts.ts'
import { turnstileKeyOf } from '../middleware/human-check.ts'
import { imagePage, page } from '../responses/page-response.ts'

/** The parameter that numbers pages of a gallery, and parts of its ZIP. */
type NumberParameter = 'page' | 'part'

const PAGE_NUMBER = /^[1-9][0-9]{0,8}$/

/** `GET /`: the page to upload with. */
export function serveHome(c: AppContext): Response {
  const embedding = embeddingOf(c)
  const turnstileKey = turnstileKeyOf(c)
  const render = (context: PageContext) =>
    uploadPage({ context, uploadUrl: uploadUrl(c.var.host.site), embedding, expiry: expiryRulesOf(c), turnstileKey })
  return page(c, 200, render, {}, { fetchesImages: true, usesTurnstile: turnstileKey !== undefined })
}

/** The site that opened the page for its editor; undefined if it states no origin, which must be whole: scheme, host and port. */
function embeddingOf(c: AppContext): Embedding | undefined {
  const { embed, origin = '', format } = c.req.query()
  if (embed !== '1' || !/^https?:/.test(origin) || URL.parse(origin)?.origin !== origin) return undefined
  return { origin, format: CODE_FORMATS.find((known) => known === format) }
}

/** `GET /uploads`: the page on which a browser lists what it remembers. It is the same for everybody. */
export function serveUploads(c: AppContext): Response {
  const hosts = publicSites(c.var.host).map((site) => new URL(site.pages).host)
  return page(c, 200, (context) => uploadsPage({ context, hosts }))
}

/** `GET /show/<dir>/<id>_<name>`: the public page of an image or cover. */
export async function serveShowPage(c: AppContext): Promise<Response> {
  const { store, host } = c.var
  const lastWrite = store.cache?.lastWrite
  const view = await findImageView(store, `${pathParameter(c, 'directory')}/${pathParameter(c, 'file')}`, c.var.nowMs)
  if (!view || view === 'expired') {
    return page(c, missingStatus(view), (context) => missingImagePage({ context, isExpired: view === 'expired' }))
  }
  const { image } = view
  const preview = image.nsfw ? undefined : linkedPreview(host.site, image)
  const headers = preview && { Link: `<${preview.url}>; rel="preview"; type="${preview.mediaType}"` }
  // Times, neighbours and positions on the page change without a write.
  const isTimed = expiryOfView(view) !== null || view.inGallery?.hasExpiring
  return imagePage(
    c,
    image,
    isTimed ? undefined : lastWrite,
    (context) => showPage({ ...showProps(context, host.site, view), expiry: shownExpiry(c, expiryOfView(view)) }),
    headers,
  )
}

/** `GET /gallery/<hash>?page=N`: the public page of a gallery. */
export async function serveGalleryPage(c: AppContext): Promise<Response> {
  const view = await findRequestedView(c, 'page')
  if (!view || view === 'expired') return missingGallery(c, view)
  const expiry = shownExpiry(c, view.gallery.expiresAt)
  const render = (context: PageContext) => galleryPage({ ...galleryProps(context, c.var.host.site, view), expiry })
  return page(c, 200, render, {}, { hasJson: true })
}

/** `GET /gallery/<hash>/codes?page=N`: codes to embed the images of a public gallery. */
export async function serveGalleryCodes(c: AppContext): Promise<Response> {
  const view = await findRequestedView(c, 'page')
  if (!view || view === 'expired') return missingGallery(c, view)
  const { site } = c.var.host
  const { hash } = view.gallery
  return page(c, 200, (context) =>
    galleryCodesPage({
      context,
      galleryUrl: galleryUrl(site, hash),
      name: view.gallery.name,
      images: view.images.map((image) => codedImage(site, image)),
      ...paginationOf(galleryCodesUrl(site, hash), view),
    }),
  )
}

/** The page for a gallery that is not public; 410 if it was until its time was over (D62). */
export function missingGallery(c: AppContext, missing: 'expired' | undefined): Response {
  return page(c, missingStatus(missing), (context) => missingGalleryPage({ context, isExpired: missing === 'expired' }))
}

function missingStatus(missing: 'expired' | undefined): 404 | 410 {
  return missing === 'expired' ? 410 : 404
}

/** `GET` of any other path. */
export function serveNotFound(c: AppContext): Response {
  return page(c, 404, (context) => notFoundPage({ context }))
}

/** The page of a public gallery that the query names in this parameter, by default the first; undefined if there is none. */
export async function findRequestedView(c: AppContext, parameter: NumberParameter): Promise<Found<GalleryView>> {
  const wanted = requestedNumber(c, parameter)
  if (wanted === undefined) return undefined
  const { store, nowMs } = c.var
  return findGalleryView(store, pathParameter(c, 'gallery_hash'), wanted, GALLERY_PAGE_IMAGES, nowMs)
}

/** The number in the query, by default 1; undefined if it is none. */
export function requestedNumber(c: AppContext, parameter: NumberParameter): number | undefined {
  const wanted = c.req.query(parameter) ?? '1'
  return PAGE_NUMBER.test(wanted) ? Number(wanted) : undefined
}

function codedImage(site: Site, image: Image) {
  return {
    pageUrl: showUrl(site, image),
    originalUrl: originalUrl(site, image),
    thumbnailUrl: thumbnailUrl(site, image),
    preview: linkedPreview(site, image),
    width: image.width,
    height: image.height,
    mayMove: image.animated ?? image.mediaType !== FORMATS.jpeg.mediaType,
    name: image.name,
    title: nameForPeople(image),
  }
}

function showProps(context: PageContext, site: Site, { image, inGallery }: ImageView) {
  const coded = codedImage(site, image)
  return {
    context,
    ...coded,
    thumbWidth: image.thumbnailWidth,
    bytes: image.bytes,
    formatName: formatName(image.mediaType),
    id: image.id,
    nsfw: image.nsfw,
    ...textsOf(image),
    createdAtMs: arrivalTimeMs(image.id),
    oembedUrl: oembedUrl(site, coded.pageUrl),
    gallery: inGallery && {
      url: galleryUrl(site, inGallery.gallery.hash),
      title: inGallery.gallery.name,
      position: inGallery.position,
      imageCount: inGallery.gallery.imageCount,
      previousUrl: inGallery.previous && showUrl(site, inGallery.previous),
      nextUrl: inGallery.next && showUrl(site, inGallery.next),
    },
  }
}

/** Returns the time at which content is gone, as pages show it. */
export function shownExpiry({ var: { nowMs } }: AppContext, expiresAt: number | null): Expiry | undefined {
  return expiresAt === null ? undefined : { atMs: expiresAt, nowMs }
}

/** The time at which an image is gone, its gallery's included. */
function expiryOfView({ image, inGallery }: ImageView): number | null {
  return expiryOf({ image, gallery: inGallery?.gallery ?? null })
}

function formatName(mediaType: string): string {
  return Object.values(FORMATS).find((format) => format.mediaType === mediaType)?.label ?? mediaType
}

function galleryProps(context: PageContext, site: Site, view: GalleryView) {
  const url = galleryUrl(site, view.gallery.hash)
  return {
    context,
    url,
    name: view.gallery.name,
    imageCount: view.gallery.imageCount,
    createdAtMs: view.gallery.createdAt,
    ...paginationOf(url, view),
    oembedUrl: oembedUrl(site, url),
    codesUrl: galleryCodesUrl(site, view.gallery.hash),
    downloadUrl: numberedUrl(galleryDownloadUrl(site, view.gallery.hash), 'part', view.page),
    images: view.images.map((image) => galleryImage(site, image)),
    cover: view.cover && galleryImage(site, view.cover),
  }
}

function galleryImage(site: Site, image: Image) {
  const coded = codedImage(site, image)
  return { ...coded, sources: tileSources(coded, image), id: image.id, nsfw: image.nsfw, ...textsOf(image) }
}

function textsOf({ caption, alt }: Image) {
  return { caption: caption ?? undefined, alt: alt ?? undefined }
}

/** The files that show an image in a gallery. A preview that is the original would move in the tile of an animation. */
function tileSources(coded: CodedImage, image: Image): TileSources {
  const { width, height, thumbnailWidth, thumbnailHeight, mediaType } = image
  const isAnimation = image.animated ?? mediaType === FORMATS.gif.mediaType
  const preview = isAnimation && coded.preview?.url === coded.originalUrl ? undefined : coded.preview
  return {
    thumbnail: { url: coded.thumbnailUrl, width: thumbnailWidth, height: thumbnailHeight },
    preview,
    original: { width, height },
    opaque: [mediaType, preview?.mediaType].includes(FORMATS.jpeg.mediaType),
    animation: isAnimation ? formatName(mediaType) : undefined,
  }
}

/** The page number, and the addresses of the previous and the next page. */
export function paginationOf(url: string, { page, pageCount }: GalleryView) {
  return {
    page,
    pageCount,
    previousUrl: page > 1 ? numberedUrl(url, 'page', page - 1) : undefined,
    nextUrl: page < pageCount ? numberedUrl(url, 'page', page + 1) : undefined,
  }
}

/** The first page or part has no number in its address, so that it has only one address. */
export function numberedUrl(url: string, parameter: NumberParameter, number: number): string {
  return number === 1 ? url : `${url}?${parameter}=${number}`
}
