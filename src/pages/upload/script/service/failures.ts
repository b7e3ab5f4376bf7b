import type { UploadFailure } from '../../upload-words.ts'

/** Returns the failure of an image for a status. 414 to 417 do not have their standard meanings (specification, "Status codes"). */
export function uploadFailure(status: number): UploadFailure {
  switch (status) {
    case 0:
      return 'network'
    case 413:
      return 'tooLarge'
    case 414:
      return 'unsupportedFormat'
    case 415:
    case 416:
      return 'galleryClosed'
    case 422:
      return 'damaged'
    case 429:
      return 'limited'
    default:
      return 'server'
  }
}

/** Returns the failure of a gallery's creation for a status. */
export function galleryFailure(status: number): UploadFailure {
  return status === 422 ? 'galleryName' : uploadFailure(status)
}
