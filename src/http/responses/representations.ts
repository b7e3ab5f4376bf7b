import type { Image } from '../../domain/content/content.ts'
import type { Deleted } from '../../domain/content/deletion.ts'
import { expiryText, type Lifetime } from '../../domain/content/expiry.ts'
import type { ImageStatus } from '../../domain/content/image-status.ts'
import type { CreatedGallery } from '../../domain/galleries/gallery.ts'
import type { GuestLink } from '../../domain/galleries/guests.ts'
import {
  galleryUrl,
  guestUploadUrl,
  guestUrl,
  manageUrl,
  type Site,
  showUrl,
  thumbnailUrl,
} from '../../domain/ids/links.ts'
import type { Receipt } from '../../domain/uploads/store-upload.ts'
import {
  DELETE_RESPONSE,
  GALLERY_CHANGE_RESPONSE,
  GALLERY_CREATE_RESPONSE,
  GALLERY_RENAME_RESPONSE,
  GUEST_LINK_RESPONSE,
  IMAGE_EDIT_RESPONSE,
  IMAGE_STATUS_RESPONSE,
  UPLOAD_RESPONSE,
} from '../../responses.ts'
import { writeResponse } from './write-response.ts'

/** UploadResponse. Only a client that asked for a lifetime is told when it ends. */
export function uploadResponse(
  site: Site,
  { image, managementToken, optimization, expiresAt }: Receipt,
  lifetime: Lifetime | undefined,
): object {
  return writeResponse(UPLOAD_RESPONSE, {
    name: image.name,
    showUrl: showUrl(site, image),
    thUrl: thumbnailUrl(site, image),
    thumbWidth: image.thumbnailWidth,
    thumbHeight: image.thumbnailHeight,
    manageUrl: managementToken && manageUrl(site, managementToken),
    optimization,
    expiresAt: toldExpiry(expiresAt, lifetime),
  })
}

function toldExpiry(expiresAt: number | null, lifetime: Lifetime | undefined): string | undefined {
  return expiresAt !== null && lifetime?.isRequested ? expiryText(expiresAt) : undefined
}

/** GalleryCreateResponse, in the same way. */
export function galleryCreateResponse(site: Site, gallery: CreatedGallery, lifetime: Lifetime | undefined): object {
  return writeResponse(GALLERY_CREATE_RESPONSE, {
    galleryName: gallery.name,
    galleryHash: gallery.hash,
    galleryUrl: galleryUrl(site, gallery.hash),
    galleryUploadHash: gallery.uploadToken,
    manageUrl: gallery.managementToken && manageUrl(site, gallery.managementToken),
    expiresAt: toldExpiry(gallery.expiresAt, lifetime),
  })
}

/** GalleryRenameResponse. */
export function galleryRenameResponse(site: Site, gallery: { hash: string; name: string }): object {
  return writeResponse(GALLERY_RENAME_RESPONSE, {
    galleryName: gallery.name,
    galleryUrl: galleryUrl(site, gallery.hash),
  })
}

/** GalleryChangeResponse. */
export function galleryChangeResponse(site: Site, { hash }: { hash: string }): object {
  return writeResponse(GALLERY_CHANGE_RESPONSE, { galleryUrl: galleryUrl(site, hash) })
}

/** ImageEditResponse. */
export function imageEditResponse(site: Site, image: Image): object {
  const { caption, alt } = image
  return writeResponse(IMAGE_EDIT_RESPONSE, { showUrl: showUrl(site, image), caption: caption ?? '', alt: alt ?? '' })
}

/** DeleteResponse. */
export function deleteResponse({ kind }: Deleted): object {
  return writeResponse(DELETE_RESPONSE, { resourceType: kind })
}

/** GuestLinkResponse. */
export function guestLinkResponse(site: Site, { token, maxImages, expiresAtMs }: GuestLink): object {
  return writeResponse(GUEST_LINK_RESPONSE, {
    guestUrl: guestUrl(site, token),
    guestUploadUrl: guestUploadUrl(site, token),
    maxImages,
    expiresAt: expiresAtMs === undefined ? undefined : new Date(expiresAtMs).toISOString(),
  })
}

/** ImageStatusResponse. */
export function imageStatusResponse(urls: readonly string[], statuses: readonly ImageStatus[]): object {
  return writeResponse(IMAGE_STATUS_RESPONSE, {
    results: statuses.map((status, at) => ({ url: urls[at] ?? '', status })),
  })
}
