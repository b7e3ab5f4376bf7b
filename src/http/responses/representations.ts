import type { GalleryCreateResponse } from '../../api/galleries.ts'
import type { ImageStatusResponse } from '../../api/image-status.ts'
import type { DeleteResponse, GalleryRenameResponse } from '../../api/management.ts'
import type { OptimizationResult, UploadResponse } from '../../api/uploads.ts'
import type { Deleted } from '../../domain/deletion.ts'
import type { CreatedGallery } from '../../domain/gallery.ts'
import type { ImageStatus } from '../../domain/image-status.ts'
import { galleryUrl, manageUrl, type Site, showUrl, thumbnailUrl } from '../../domain/links.ts'
import type { Receipt } from '../../domain/store-upload.ts'
import type { Optimization } from '../../image/optimize.ts'

// JSON bodies in the words of the specification, with no other fields (D23). JSON leaves out what is undefined.

/** UploadResponse. */
export function uploadResponse(site: Site, { image, managementToken, optimization }: Receipt): UploadResponse {
  return {
    name: image.name,
    show_url: showUrl(site, image),
    th_url: thumbnailUrl(site, image),
    thumb_width: image.thumbnailWidth,
    thumb_height: image.thumbnailHeight,
    manage_url: managementToken && manageUrl(site, managementToken),
    optimization: optimization && optimizationResult(optimization),
  }
}

function optimizationResult(optimization: Optimization): OptimizationResult {
  return {
    requested: optimization.requested,
    applied: optimization.applied,
    converted: optimization.converted,
    reason: optimization.reason,
    source_mime: optimization.sourceMime,
    stored_mime: optimization.storedMime,
    source_bytes: optimization.sourceBytes,
    stored_bytes: optimization.storedBytes,
    source_width: optimization.sourceWidth,
    source_height: optimization.sourceHeight,
    stored_width: optimization.storedWidth,
    stored_height: optimization.storedHeight,
    original_candidate_bytes: optimization.originalCandidateBytes,
    webp_candidate_bytes: optimization.webpCandidateBytes,
  }
}

/** GalleryCreateResponse. */
export function galleryCreateResponse(site: Site, gallery: CreatedGallery): GalleryCreateResponse {
  return {
    gallery_name: gallery.name,
    gallery_hash: gallery.hash,
    gallery_url: galleryUrl(site, gallery.hash),
    gallery_upload_hash: gallery.uploadToken,
    manage_url: gallery.managementToken && manageUrl(site, gallery.managementToken),
  }
}

/** GalleryRenameResponse. */
export function galleryRenameResponse(site: Site, gallery: { hash: string; name: string }): GalleryRenameResponse {
  return {
    success: true,
    resource_type: 'gallery',
    gallery_name: gallery.name,
    gallery_url: galleryUrl(site, gallery.hash),
  }
}

/** DeleteResponse. */
export function deleteResponse(deleted: Deleted): DeleteResponse {
  return { success: true, resource_type: deleted.kind, deleted: true }
}

/** ImageStatusResponse. */
export function imageStatusResponse(urls: readonly string[], statuses: readonly ImageStatus[]): ImageStatusResponse {
  return { results: statuses.map((status, i) => ({ url: urls[i] ?? '', status })) }
}
