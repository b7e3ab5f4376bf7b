import { createHash } from 'node:crypto'
import type { Gallery, Image } from '../../domain/content/content.ts'
import { expiryOf, expiryText } from '../../domain/content/expiry.ts'
import { nameForPeople } from '../../domain/content/filename.ts'
import { linkedPreview } from '../../domain/content/preview.ts'
import { findImageView } from '../../domain/content/public-image.ts'
import { Failure } from '../../domain/failure.ts'
import { findGalleryImages } from '../../domain/galleries/gallery.ts'
import { arrivalTimeMs } from '../../domain/ids/image-id.ts'
import {
  galleryDownloadUrl,
  galleryRecordUrl,
  galleryUrl,
  originalUrl,
  type Site,
  showUrl,
  thumbnailUrl,
} from '../../domain/ids/links.ts'
import { GALLERY_PAGE_IMAGES } from '../../limits.ts'
import { GALLERY_RECORD, IMAGE_RECORD } from '../../responses.ts'
import * as routes from '../../routes.ts'
import { prefersJson } from '../accept.ts'
import { optionalInteger } from '../body/fields.ts'
import { isUnchanged } from '../cache/conditions.ts'
import { type AppContext, pathAsSent, pathParameter } from '../context.ts'
import { openForReading } from '../middleware/cors.ts'
import { compression } from '../responses/compression.ts'
import { JSON_TYPE } from '../responses/json.ts'
import { PAGE_VARY } from '../responses/page-response.ts'
import { writeResponse } from '../responses/write-response.ts'

const JSON_SUFFIX = routes.jsonOf('')
/** Half of a SHA-256. */
const ETAG_CHARACTERS = 22

type Handler = (c: AppContext) => Promise<Response>

/** Any id, or 0, after which is the first. */
const AFTER = { min: 0, max: Number.MAX_SAFE_INTEGER - 1, byDefault: 0 }

/** Serves JSON to the programs that ask for it, and the page to everybody else. */
export function orJson(serveRecord: Handler, servePage: Handler): Handler {
  return (c) => (asksForJson(c) ? serveRecord(c) : servePage(c))
}

/** Whether a request for a page asks for the same as JSON. No name of an image and no hash ends like the suffix. */
export function asksForJson(c: AppContext): boolean {
  return hasSuffix(c) || prefersJson(c.req.header('Accept'))
}

/** `GET /show/<dir>/<id>_<name>` as JSON: a public image. */
export async function serveImageRecord(c: AppContext): Promise<Response> {
  openForReading(c)
  const path = `${pathParameter(c, 'directory')}/${withoutSuffix(pathParameter(c, 'file'))}`
  const view = await findImageView(c.var.store, path, c.var.nowMs)
  if (view === 'expired') throw new Failure('content_deleted', "Picture doesn't exist: its time is over")
  if (!view) throw new Failure('content_not_found', 'there is no public image at this address')
  return recordResponse(c, imageRecord(c.var.host.site, view.image, view.inGallery))
}

/** `GET /gallery/<hash>?after=<id>` as JSON: a public gallery, and its images after one of them. */
export async function serveGalleryRecord(c: AppContext): Promise<Response> {
  openForReading(c)
  const { store, host, nowMs } = c.var
  const hash = withoutSuffix(pathParameter(c, 'gallery_hash'))
  const after = optionalInteger(new Map(Object.entries(c.req.query())), 'after', AFTER)
  const found = await findGalleryImages(store, hash, after, GALLERY_PAGE_IMAGES, nowMs)
  if (found === 'expired') throw new Failure('content_deleted', "Gallery doesn't exist: its time is over")
  if (!found) throw new Failure('content_not_found', 'there is no public gallery at this address')
  const { gallery, images, firstPosition, hasMore } = found
  const last = images.at(-1)
  return recordResponse(
    c,
    writeResponse(GALLERY_RECORD, {
      name: gallery.name,
      galleryUrl: galleryUrl(host.site, hash),
      imageCount: gallery.imageCount,
      createdAt: new Date(gallery.createdAt).toISOString(),
      downloadUrl: galleryDownloadUrl(host.site, hash),
      images: images.map((image, at) => recordOf(host.site, image, { gallery, position: firstPosition + at })),
      next: hasMore && last ? galleryRecordUrl(host.site, hash, last.id) : undefined,
      expiresAt: timeOf(gallery.expiresAt),
    }),
  )
}

function imageRecord(site: Site, image: Image, inGallery: InGallery | undefined): object {
  return writeResponse(IMAGE_RECORD, recordOf(site, image, inGallery))
}

/** The gallery of an image, and the image's position in it. */
interface InGallery {
  gallery: Gallery
  position: number
}

function recordOf(site: Site, image: Image, inGallery: InGallery | undefined) {
  return {
    name: nameForPeople(image),
    showUrl: showUrl(site, image),
    imageUrl: originalUrl(site, image),
    thumbUrl: thumbnailUrl(site, image),
    previewUrl: linkedPreview(site, image)?.url,
    mediaType: image.mediaType,
    bytes: image.bytes,
    width: image.width,
    height: image.height,
    nsfw: image.nsfw,
    caption: image.caption ?? undefined,
    alt: image.alt ?? undefined,
    createdAt: new Date(arrivalTimeMs(image.id)).toISOString(),
    galleryUrl: inGallery && galleryUrl(site, inGallery.gallery.hash),
    position: inGallery?.position,
    expiresAt: timeOf(expiryOf({ image, gallery: inGallery?.gallery ?? null })),
  }
}

function timeOf(expiresAt: number | null): string | undefined {
  return expiresAt === null ? undefined : expiryText(expiresAt)
}

/** Responds with JSON and its entity tag, or 304. The tag is weak, since the runtime may compress the text. */
function recordResponse(c: AppContext, record: object): Response {
  const text = JSON.stringify(record)
  const etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, ETAG_CHARACTERS)}"`
  c.header('ETag', `W/${etag}`)
  for (const [name, value] of Object.entries(compression(c.req.raw, hasSuffix(c) ? undefined : PAGE_VARY))) {
    c.header(name, value)
  }
  if (!isUnchanged(c.req.raw.headers, etag)) return c.body(text, 200, { 'Content-Type': JSON_TYPE })
  c.header('Content-Encoding', undefined)
  return c.body(null, 304)
}

function hasSuffix(c: AppContext): boolean {
  return pathAsSent(c.req.raw).endsWith(JSON_SUFFIX)
}

function withoutSuffix(parameter: string): string {
  return parameter.endsWith(JSON_SUFFIX) ? parameter.slice(0, -JSON_SUFFIX.length) : parameter
}
