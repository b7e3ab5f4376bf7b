import type { UploadFailure } from '../../upload-words.ts'

/** What an error status means for a picture. 414 to 417 do not have their standard meanings (specification, "Status codes"). */
export function uploadFailure(status: number): UploadFailure {
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
    case 429:
      return 'limited'
    default:
      return 'server'
  }
}

/** What an error status means when a gallery is created or finalized. */
export function galleryFailure(status: number): UploadFailure {
  return status === 422 ? 'galleryName' : uploadFailure(status)
}
