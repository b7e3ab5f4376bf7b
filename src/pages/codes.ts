import * as routes from '../routes.ts'

/** What the ready-made codes of a picture are made of. All URLs are absolute. */
export interface CodedPicture {
  pageUrl: string
  originalUrl: string
  thumbnailUrl: string
  /** As in UploadResponse. It is free of every character that HTML, Markdown and BBCode read as their own. */
  name: string
}

/** The languages codes are written in. */
export type CodeFormat = 'html' | 'markdown' | 'bbcode'

/** What a code shows: the thumbnail, linked to the page, or the picture in full, linked likewise. */
export type CodeSize = 'thumbnail' | 'full'

/** In the order in which they are offered. */
export const CODE_FORMATS: readonly CodeFormat[] = ['html', 'markdown', 'bbcode']

/** In the order in which they are offered. */
export const CODE_SIZES: readonly CodeSize[] = ['thumbnail', 'full']

const WRITE: Record<CodeFormat, (page: string, image: string, name: string) => string> = {
  html: (page, image, name) => `<a href="${page}"><img src="${image}" alt="${name}"></a>`,
  markdown: (page, image, name) => `[![${name}](${image})](${page})`,
  bbcode: (page, image) => `[url=${page}][img]${image}[/img][/url]`,
}

/** The code that shows a picture in a website, a text or a forum, and leads to its page. */
export function codeOf(picture: CodedPicture, format: CodeFormat, size: CodeSize): string {
  const image = size === 'thumbnail' ? picture.thumbnailUrl : picture.originalUrl
  return WRITE[format](picture.pageUrl, image, picture.name)
}

/** The original of a thumbnail: the addresses differ by host and folder alone (specification, "Image": th_url). */
export function originalOf(thumbnailUrl: string): string {
  return thumbnailUrl
    .replace(/\/\/t(?=[0-9]+\.)/, '//img')
    .replace(routes.prefixOf(routes.thumbnail), routes.prefixOf(routes.original))
}
