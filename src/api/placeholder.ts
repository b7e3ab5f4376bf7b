/** The domain in texts that are generated at build time. The domain of the request replaces it. */
export const PLACEHOLDER_DOMAIN = 'pics.invalid'

/** The origins of the links on a domain. */
export interface Origins {
  pages: string
  thumbnails: string
  originals: string
}

/** The text with the links of a domain instead of the placeholder's. */
export function onDomain({ pages, thumbnails, originals }: Origins, text: string): string {
  return text
    .replaceAll(`https://t1.${PLACEHOLDER_DOMAIN}`, thumbnails)
    .replaceAll(`https://img1.${PLACEHOLDER_DOMAIN}`, originals)
    .replaceAll(`https://${PLACEHOLDER_DOMAIN}`, pages)
}
