import path from 'node:path'
import type { UploadCommon } from './arguments.ts'
import { type Image, readImage } from './images.ts'
import type { FormFile } from './multipart.ts'

/** The fields that images and covers have in common (specification, "POST {base_url}/images"). */
export function commonTexts({ adult, optimize }: UploadCommon): Record<string, string> {
  return { content_type: adult ? '1' : '0', ...(optimize && { optimize_for_web: '1' }) }
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
