import type { Page } from 'playwright-core'
import { choose, pickedImages, resultsOf, start } from './upload-page.ts'

/**
 * Uploads an image in the popup that opens, and inserts it. Waits until the popup closes itself, because the page confirms that it
 * arrived, or until it says that it did not. On a slow machine it says so until the page confirms.
 */
export async function insertFrom(page: Page, open: () => Promise<unknown>, end: 'closed' | 'refused'): Promise<void> {
  const opened = page.waitForEvent('popup')
  await open()
  const popup = await opened
  await popup.getByText('Pictures you upload here are added to your text on 127.0.0.1').waitFor()
  await choose(popup, await pickedImages(1))
  await start(popup)
  await resultsOf(popup)
  const closed = end === 'closed' ? popup.waitForEvent('close') : undefined
  await popup.getByRole('button', { name: 'Insert into text' }).click()
  await (closed ?? popup.getByText('Can’t reach the page with your text').waitFor())
}
