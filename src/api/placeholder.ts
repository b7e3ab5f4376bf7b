/** The domain in what is made ahead, for which the one that was called is put. */
export const PLACEHOLDER_DOMAIN = 'pics.invalid'

/** The origins of the links on a domain. */
export interface Origins {
  pages: string
  thumbnails: string
  originals: string
}

/** The text with the links of a domain in place of the placeholder's. */
export function placeOn({ pages, thumbnails, originals }: Origins, text: string): string {
  return text
    .replaceAll(`https://t1.${PLACEHOLDER_DOMAIN}`, thumbnails)
    .replaceAll(`https://img1.${PLACEHOLDER_DOMAIN}`, originals)
    .replaceAll(`https://${PLACEHOLDER_DOMAIN}`, pages)
}
