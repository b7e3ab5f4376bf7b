import path from 'node:path'
import { type Image, readImage } from './files/images.ts'
import type { FormFile } from './requests/multipart.ts'
import type { UploadCommon } from './terminal/arguments.ts'
import type { Screen } from './terminal/screen.ts'
import { localTime } from './times.ts'

/** The fields that images and covers have in common (specification, "POST {base_url}/images"). */
export function commonTexts({ adult, optimize }: UploadCommon): Record<string, string> {
  return { content_type: adult ? '1' : '0', ...(optimize && { optimize_for_web: '1' }) }
}

/** The field of an image, a cover or a gallery that expires. The images of a gallery go with it. */
export function expiryTexts(expiresInS: number | undefined): Record<string, string> {
  return expiresInS === undefined ? {} : { expires_in: String(expiresInS) }
}

/** Where the host did not respond with a time. */
export const NO_EXPIRY = 'the host does not delete uploads after a time: this one stays'

/**
 * Tells when the host deletes uploads, the first of them. Returns false if it was asked to and did not promise it: hosts that do not
 * know the field ignore it.
 */
export function tellWhen(
  expiresInS: number | undefined,
  times: readonly (string | undefined)[],
  screen: Screen,
): boolean {
  if (expiresInS === undefined) return true
  const known = times.filter((time) => time !== undefined).sort((one, other) => Date.parse(one) - Date.parse(other))
  if (known.length < times.length) {
    screen.problem(`${NO_EXPIRY} (--expires-in)`)
    return false
  }
  if (known[0] !== undefined)
    screen.note(`the host deletes ${times.length > 1 ? 'the first ' : 'it '}at ${localTime(known[0])}`)
  return true
}

/** Whether private links are requested: to print them, or to record them. */
export function requestsManage({ manage, history }: UploadCommon): boolean {
  return manage || history === 'private'
}

/** An image as a form's file, under its own name or another: the folders it lies in are nobody's business. */
export async function formFile(field: string, image: Image, name = image.path): Promise<FormFile> {
  const bytes = await readImage(image)
  return { field, filename: path.basename(name), mediaType: image.mediaType, bytes }
}
