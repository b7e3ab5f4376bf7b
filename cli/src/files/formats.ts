import { type CodedImage, codeOf, originalOf } from '../../../src/pages/shell/codes.ts'
import type { Upload } from '../requests/responses.ts'

/** Values of `--format`. */
export const FORMATS = ['link', 'original', 'html', 'markdown', 'bbcode', 'json'] as const

export type Format = (typeof FORMATS)[number]

/** A format of one line an image. */
type LineFormat = Exclude<Format, 'json'>

const LINES: Record<LineFormat, (image: CodedImage) => string> = {
  link: (image) => image.pageUrl,
  original: (image) => image.originalUrl,
  html: (image) => codeOf(image, 'html', 'thumbnail'),
  markdown: (image) => codeOf(image, 'markdown', 'thumbnail'),
  bbcode: (image) => codeOf(image, 'bbcode', 'thumbnail'),
}

/** Formats an upload as one line to paste, with the same codes as the image's page. */
export function formatUpload({ name, showUrl, thumbnailUrl }: Upload, format: LineFormat): string {
  return LINES[format]({
    pageUrl: showUrl,
    thumbnailUrl,
    originalUrl: originalOf(thumbnailUrl),
    // Another host of this API may name its images more freely.
    name: name.replace(/["<>&[\]]/g, ''),
  })
}
