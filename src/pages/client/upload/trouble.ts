import type { UploadTrouble } from '../../upload-words.ts'

/** What a status without success means for a picture: 414 to 417 have meanings of the service's own (specification, "Status codes"). */
export function uploadTrouble(status: number): UploadTrouble {
  switch (status) {
    case 0:
      return 'network'
    case 413:
      return 'tooLarge'
    case 414:
      return 'notAPicture'
    case 415:
    case 416:
      return 'galleryGone'
    case 422:
      return 'damaged'
    default:
      return 'server'
  }
}

/** What it means for a gallery that is created or finalized. */
export function galleryTrouble(status: number): UploadTrouble {
  return status === 422 ? 'galleryName' : uploadTrouble(status)
}
