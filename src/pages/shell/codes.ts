import * as routes from '../../routes.ts'

/** The preview of an image (D50). */
interface PreviewImage {
  url: string
  mediaType: string
  width: number
  height: number
}

/** An image to make embed codes for. All URLs are absolute. */
export interface CodedImage {
  pageUrl: string
  originalUrl: string
  thumbnailUrl: string
  /** Absent where the image has none. */
  preview?: PreviewImage | undefined
  /** As in UploadResponse. It has no characters that are special in HTML, Markdown or BBCode. */
  name: string
}

/** The markup language of a code. */
export type CodeFormat = 'html' | 'markdown' | 'bbcode'

/** The image in a code, linked to the page: the thumbnail, the preview or the original. */
export type CodeSize = 'thumbnail' | 'preview' | 'full'

/** In the order in which they are offered. */
export const CODE_FORMATS: readonly CodeFormat[] = ['html', 'markdown', 'bbcode']

/** In the order in which they are offered. */
export const CODE_SIZES: readonly CodeSize[] = ['thumbnail', 'preview', 'full']

const WRITE: Record<CodeFormat, (page: string, image: string, name: string) => string> = {
  html: (page, image, name) => `<a href="${page}"><img src="${image}" alt="${name}"></a>`,
  markdown: (page, image, name) => `[![${name}](${image})](${page})`,
  bbcode: (page, image) => `[url=${page}][img]${image}[/img][/url]`,
}

/** The addresses that a code is made of. */
type CodeParts = Omit<CodedImage, 'preview'> & { preview?: Pick<PreviewImage, 'url'> | undefined }

/** The code that shows an image on a website, in a document or in a forum, linked to its page. */
export function codeOf(coded: CodeParts, format: CodeFormat, size: CodeSize): string {
  const { pageUrl, thumbnailUrl, preview, originalUrl, name } = coded
  const urls = { thumbnail: thumbnailUrl, preview: preview?.url ?? originalUrl, full: originalUrl }
  return WRITE[format](pageUrl, urls[size], name)
}

/** Returns the sizes that codes of these images offer: the preview only where one differs from its original. */
export function codeSizesOf(images: readonly CodedImage[]): readonly CodeSize[] {
  const hasPreview = images.some(({ preview, originalUrl }) => preview && preview.url !== originalUrl)
  return hasPreview ? CODE_SIZES : CODE_SIZES.filter((size) => size !== 'preview')
}

/** The preview of a thumbnail: the addresses differ by folder alone (D50). */
export function previewOf(thumbnailUrl: string): string {
  return thumbnailUrl.replace(routes.prefixOf(routes.thumbnail), routes.prefixOf(routes.preview))
}

/** The original of a thumbnail: the addresses differ by host and folder alone (specification, "Image": th_url). */
export function originalOf(thumbnailUrl: string): string {
  return thumbnailUrl
    .replace(/\/\/t(?=[0-9]+\.)/, '//img')
    .replace(routes.prefixOf(routes.thumbnail), routes.prefixOf(routes.original))
}
