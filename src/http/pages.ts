import { findGalleryView, type GalleryView } from '../domain/gallery.ts'
import { arrivalOf } from '../domain/image-id.ts'
import { galleryUrl, originalUrl, type Site, showUrl, thumbnailUrl } from '../domain/links.ts'
import { findPublicImage } from '../domain/public-image.ts'
import { galleryPage } from '../pages/gallery-page.tsx'
import { homePage } from '../pages/home-page.tsx'
import type { Language } from '../pages/language.ts'
import { missingGalleryPage, missingPicturePage, notFoundPage } from '../pages/notice-pages.tsx'
import { showPage } from '../pages/show-page.tsx'
import { STYLESHEET } from '../pages/stylesheet.ts'
import type { AppContext } from './context.ts'
import { languageOf, NO_STORE, page } from './page-response.ts'

const PAGE_NUMBER = /^[1-9][0-9]{0,8}$/

/** `GET /`: what the service is. */
export function serveHome(c: AppContext): Response {
  return page(c, 200, homePage({ language: languageOf(c), uploadUrl: `${c.var.host.site.pages}/images` }))
}

/** `GET /style.css`. */
export function serveStylesheet(c: AppContext): Response {
  return c.body(STYLESHEET, 200, {
    'Content-Type': 'text/css; charset=UTF-8',
    'Cache-Control': 'public, max-age=3600',
    'X-Content-Type-Options': 'nosniff',
  })
}

/** `GET /show/<dir>/<id>_<name>`: the public page of a picture or cover. */
export async function serveShowPage(c: AppContext): Promise<Response> {
  const language = languageOf(c)
  const { site } = c.var.host
  const found = await findPublicImage(c.var.store, `${c.req.param('directory')}/${c.req.param('file')}`)
  if (!found) return page(c, 404, missingPicturePage({ language }), NO_STORE)
  const { image, gallery } = found
  return page(
    c,
    200,
    showPage({
      language,
      pageUrl: showUrl(site, image),
      originalUrl: originalUrl(site, image),
      thumbnailUrl: thumbnailUrl(site, image),
      thumbWidth: image.thumbnailWidth,
      thumbHeight: image.thumbnailHeight,
      width: image.width,
      height: image.height,
      id: image.id,
      name: image.name,
      nsfw: image.nsfw,
      createdAtMs: arrivalOf(image.id),
      gallery: gallery ? { url: galleryUrl(site, gallery.hash), title: gallery.name } : undefined,
    }),
  )
}

/** `GET /gallery/<hash>?page=N`: the public page of a gallery. */
export async function serveGalleryPage(c: AppContext): Promise<Response> {
  const language = languageOf(c)
  const wanted = c.req.query('page') ?? '1'
  const number = PAGE_NUMBER.test(wanted) ? Number(wanted) : undefined
  const view = number && (await findGalleryView(c.var.store, c.req.param('hash') ?? '', number))
  if (!view) return page(c, 404, missingGalleryPage({ language }), NO_STORE)
  return page(c, 200, galleryPage(galleryProps(language, c.var.host.site, view)))
}

/** `GET` of any other path. */
export function serveNotFound(c: AppContext): Response {
  return page(c, 404, notFoundPage({ language: languageOf(c) }), NO_STORE)
}

function galleryProps(language: Language, site: Site, view: GalleryView) {
  const url = galleryUrl(site, view.gallery.hash)
  return {
    language,
    url,
    name: view.gallery.name,
    imageCount: view.imageCount,
    page: view.page,
    pageCount: view.pageCount,
    previousUrl: view.page > 1 ? `${url}?page=${view.page - 1}` : undefined,
    nextUrl: view.page < view.pageCount ? `${url}?page=${view.page + 1}` : undefined,
    images: view.images.map((image) => ({
      showUrl: showUrl(site, image),
      thumbnailUrl: thumbnailUrl(site, image),
      thumbWidth: image.thumbnailWidth,
      thumbHeight: image.thumbnailHeight,
      idName: `${image.id}_${image.name}`,
      nsfw: image.nsfw,
    })),
  }
}
