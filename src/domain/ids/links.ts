import * as routes from '../../routes.ts'
import { directoryOf } from './image-id.ts'

/** The public face of a request: which domain its links are on. Origins have no trailing slash. */
export interface Site {
  pages: string
  thumbnails: string
  originals: string
}

/** The parts of an image's address. */
export interface ImageAddress {
  id: number
  name: string
}

const SHOW_PREFIX = routes.prefixOf(routes.show)
const FORGOTTEN_PATH = /^(?:0|[1-9][0-9]*)\/(0|[1-9][0-9]*)_$/
const IMAGE_PATH = /^(?:0|[1-9][0-9]*)\/(0|[1-9][0-9]*)_[a-z0-9_-]+\.(?:jpg|png|gif|webp|avif)$/

/** The links of the service on one public domain (D4 to D7): `https`, and always the first of the numbered hosts. */
export function publicSite(domain: string): Site {
  return { pages: `https://${domain}`, thumbnails: `https://t1.${domain}`, originals: `https://img1.${domain}` }
}

/** The links where one host has everything, by path: this machine (D6), and a domain that cannot have subdomains. */
export function singleHostSite(origin: string): Site {
  return { pages: origin, thumbnails: origin, originals: origin }
}

/** `<dir>/<id>_<name>`: the same in all links of an image, and the tail of its keys in storage. */
export function imagePath({ id, name }: ImageAddress): string {
  return `${directoryOf(id)}/${id}_${name}`
}

/** The public page of an image. */
export function showUrl(site: Site, image: ImageAddress): string {
  return site.pages + SHOW_PREFIX + imagePath(image)
}

/** The thumbnail of an image. */
export function thumbnailUrl(site: Site, image: ImageAddress): string {
  return site.thumbnails + routes.prefixOf(routes.thumbnail) + imagePath(image)
}

/** The preview of an image. */
export function previewUrl(site: Site, image: ImageAddress): string {
  return site.thumbnails + routes.prefixOf(routes.preview) + imagePath(image)
}

/** The stored file of an image. */
export function originalUrl(site: Site, image: ImageAddress): string {
  return site.originals + routes.prefixOf(routes.original) + imagePath(image)
}

/** The public page of a gallery. */
export function galleryUrl(site: Site, hash: string): string {
  return site.pages + routes.pathOf(routes.gallery, { gallery_hash: hash })
}

/** A page of a gallery as JSON: its images after the one with this id. */
export function galleryRecordUrl(site: Site, hash: string, afterId: number): string {
  return `${routes.jsonOf(galleryUrl(site, hash))}?after=${afterId}`
}

/** The page with the codes of a gallery. */
export function galleryCodesUrl(site: Site, hash: string): string {
  return site.pages + routes.pathOf(routes.galleryCodes, { gallery_hash: hash })
}

/** The ZIP of a gallery's images (D45). */
export function galleryDownloadUrl(site: Site, hash: string): string {
  return site.pages + routes.pathOf(routes.galleryDownload, { gallery_hash: hash })
}

/** The private page that a management token opens. */
export function manageUrl(site: Site, token: string): string {
  return site.pages + routes.pathOf(routes.manage, { token })
}

/** The page that a guest token opens. */
export function guestUrl(site: Site, token: string): string {
  return site.pages + routes.pathOf(routes.addImages, { token })
}

/** Where programs of a guest upload images. */
export function guestUploadUrl(site: Site, token: string): string {
  return site.pages + routes.pathOf(routes.guestImages, { token })
}

/** Where programs upload images. */
export function uploadUrl(site: Site): string {
  return site.pages + routes.images
}

/** Where programs learn how to embed a public page (oEmbed 1.0, "Discovery"). */
export function oembedUrl(site: Site, pageUrl: string): string {
  return `${site.pages}${routes.oembed}?url=${encodeURIComponent(pageUrl)}`
}

/** A path that has the form of an image's, `<dir>/<id>_<name>`, and the id in it, which may not exist. */
export interface ParsedImagePath {
  id: number
  path: string
}

/** Parses `<dir>/<id>_<name>`; undefined for anything else. A record belongs to the path if its `imagePath` is the same. */
export function parseImagePath(path: string): ParsedImagePath | undefined {
  const digits = IMAGE_PATH.exec(path)?.[1]
  return digits === undefined ? undefined : { id: Number(digits), path }
}

/** Parses `<dir>/<id>_`, which is left of the path of a deleted image whose name is forgotten; undefined for anything else. */
export function parseForgottenPath(path: string): ParsedImagePath | undefined {
  const digits = FORGOTTEN_PATH.exec(path)?.[1]
  return digits === undefined ? undefined : { id: Number(digits), path }
}

/** Parses a show path as a raw string (D25): URL parsers would drop dot segments and more. */
export function parseShowPath(path: string): ParsedImagePath | undefined {
  return path.startsWith(SHOW_PREFIX) ? parseImagePath(path.slice(SHOW_PREFIX.length)) : undefined
}
