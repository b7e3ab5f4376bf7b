import { sharedApi } from '../../contract/support/api.ts'

/** The names of the pictures on a gallery's page, in its order; undefined where there is no such page. */
export async function namesOnPage(galleryUrl: string): Promise<string[] | undefined> {
  const { status, text } = await sharedApi().follow(galleryUrl)
  if (status !== 200) return undefined
  const images = text.slice(text.indexOf('<div class="images">'))
  return [...images.matchAll(/alt="[0-9]+_([^"]+)"/g)].map(([, name = '']) => name)
}
