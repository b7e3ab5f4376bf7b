import { sharedApi } from '../../contract/support/api.ts'

/** Returns the names of the images on a gallery's page, in its order; undefined without such a page. */
export async function namesOnPage(galleryUrl: string): Promise<string[] | undefined> {
  const { status, text } = await sharedApi().follow(galleryUrl)
  if (status !== 200) return undefined
  const images = text.slice(text.indexOf('<div class="images">'))
  return [...images.matchAll(/alt="[0-9]+_([^"]+)"/g)].map(([, name = '']) => name)
}
