import type { Page } from 'playwright-core'
import { choose, pickedImages, resultsOf, start } from './upload-page.ts'

/**
 * Uploads images in the popup that opens, and inserts them. Returns what the popup did then: it closes itself if the page
 * confirms that they arrived, and otherwise says that they did not.
 */
export async function insertFrom(
  page: Page,
  open: () => Promise<unknown>,
  { count = 1 } = {},
): Promise<'closed' | 'refused'> {
  const opened = page.waitForEvent('popup')
  await open()
  const popup = await opened
  await popup.getByText('Pictures you upload here are added to your text on 127.0.0.1').waitFor()
  await choose(popup, await pickedImages(count))
  await start(popup)
  await resultsOf(popup)
  const closed = popup.waitForEvent('close')
  await popup.getByRole('button', { name: 'Insert into text' }).click()
  return Promise.race([
    closed.then(() => 'closed' as const),
    // In a window that closes, the wait for the text fails.
    popup
      .getByText('Can’t reach the page with your text')
      .waitFor()
      .then(
        () => 'refused' as const,
        () => 'closed' as const,
      ),
  ])
}
