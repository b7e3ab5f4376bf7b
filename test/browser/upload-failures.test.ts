import type { Page, Route } from 'playwright-core'
import { describe, expect, inject } from 'vitest'
import { openConnection } from './support/connection.ts'
import { jpegOf } from './support/content.ts'
import { textsOf } from './support/moments.ts'
import {
  brokenInside,
  cardOf,
  choose,
  imageNamesIn,
  pickedImages,
  resultLinks,
  resultsOf,
  start,
} from './support/upload-page.ts'
import { test } from './support/visit.ts'

const BROKEN_CONNECTION = [/net::ERR_/]
const REFUSED = [/status of 4\d\d/]

describe.skipIf(!inject('chromium'))('images that fail', () => {
  test('say why in words, and the others are ready', async ({ visit }) => {
    const page = await visit('/', { complaints: REFUSED })
    await choose(page, [await brokenInside(), ...(await pickedImages(1))])
    await start(page)
    await resultsOf(page)
    expect(await cardOf(page, 'broken-inside.png').innerText()).toContain('The picture is damaged.')
    await failedWords(page, '1 picture could not be uploaded.')
    expect((await resultLinks(page)).map((link) => link.replace(/.*_/, ''))).toEqual(['1.jpg'])
    // The service would reject the file again.
    expect(await page.getByRole('button', { name: /^Try/ }).count()).toBe(0)
  })

  test('of a check of the operator have its own sentence, and no retry', async ({ visit }) => {
    const page = await visit('/', { complaints: REFUSED })
    const denied = { status: 422, headers: { 'X-Error-Code': 'upload_denied' }, body: 'Only maps, please.' }
    await interfere(page, [1], (route) => route.fulfill(denied))
    await choose(page, await pickedImages(2))
    await start(page)
    await resultsOf(page)
    const card = await cardOf(page, '1.jpg').innerText()
    expect(card.replace(/[\u2068\u2069]/g, '')).toContain(
      'The operator did not accept this picture. Only maps, please.',
    )
    expect(await page.getByRole('button', { name: /^Try/ }).count()).toBe(0)
  })

  test('of a gallery wait for a decision: after a retry they are in it, and it is public', async ({ visit }) => {
    const page = await visit('/', { complaints: [/status of 500/] })
    await interfere(page, [1, 3], (route) => route.fulfill({ status: 500 }))
    await choose(page, await pickedImages(4))
    await page.getByLabel('Put all in one gallery').check()
    await start(page)
    await failedWords(page, '2 pictures could not be uploaded.')
    expect(await page.getByRole('region', { name: 'Ready to share' }).isVisible()).toBe(false)
    await page.locator('#retry-all').click()
    await resultsOf(page)
    // In the order of arrival (D27).
    expect(await imageNamesIn(page)).toEqual(['2.jpg', '4.jpg', '1.jpg', '3.jpg'])
  })

  test.for([
    { how: 'says so', act: (page: Page) => page.locator('#finish').click() },
    {
      how: 'takes them off the list',
      act: (page: Page) => cardOf(page, 'broken-inside.png').getByRole('button').click(),
    },
  ])('of a gallery are left out if one $how', async ({ act }, { visit }) => {
    const page = await visit('/', { complaints: REFUSED })
    await choose(page, [...(await pickedImages(2)), await brokenInside()])
    await page.getByLabel('Put all in one gallery').check()
    await start(page)
    await failedWords(page, '1 picture could not be uploaded.')
    expect(await page.getByRole('button', { name: /^Try/ }).count()).toBe(0)
    await act(page)
    await resultsOf(page)
    expect(await imageNamesIn(page)).toEqual(['1.jpg', '2.jpg'])
  })

  test('whose response was lost are retried automatically with the same key, and stored once', async ({ visit }) => {
    const page = await visit('/', { complaints: BROKEN_CONNECTION })
    const attempts = await interfere(page, [2], async (route) => {
      await route.fetch()
      await route.abort('connectionreset')
    })
    await choose(page, await pickedImages(3))
    await page.getByLabel('Put all in one gallery').check()
    await start(page)
    await resultsOf(page)
    expect(attempts).toHaveLength(4)
    expect(new Set(attempts).size).toBe(3)
    expect(await imageNamesIn(page)).toEqual(['1.jpg', '2.jpg', '3.jpg'])
  })

  test('of a network that fails in the middle wait, and continue automatically when it is back', async ({ visit }) => {
    const connection = await openConnection(inject('baseUrl'))
    try {
      const page = await visit(connection.baseUrl, { complaints: BROKEN_CONNECTION })
      const images = await pickedImages(5)
      for (const [index, image] of images.entries()) image.buffer = await jpegOf(1200, 900, index + 1)
      await choose(page, images)
      await page.getByLabel('Put all in one gallery').check()
      connection.stallAfter(2)
      await start(page)
      await expect.poll(connection.stalled).toBe(3)
      // On a loaded machine, any two of the first three arrive first.
      await expect.poll(() => namesIn(page, 'done')).toHaveLength(2)
      await connection.cut()
      await page.getByText('You’re offline. The upload resumes when you’re back online.').waitFor()
      await expect.poll(() => page.locator('.file').getByText('Waiting for connection').count()).toBe(3)
      expect(await page.locator('.file[data-state=failed]').count()).toBe(0)
      await connection.mend()
      await resultsOf(page)
      expect((await imageNamesIn(page)).toSorted()).toEqual(['1.jpg', '2.jpg', '3.jpg', '4.jpg', '5.jpg'])
    } finally {
      await connection.close()
    }
  })

  test('because of a limit, or a busy service, show the time of the retry, and continue automatically', async ({
    visit,
  }) => {
    const page = await visit('/', { complaints: [/status of (?:429|503)/] })
    const later = (status: number) => (route: Route) =>
      route.fulfill({ status, headers: { 'Retry-After': '2' }, contentType: 'text/plain', body: 'later' })
    let galleries = 0
    await page.route('**/galleries', (route) => (++galleries === 1 ? later(429)(route) : route.continue()))
    const attempts = await interfere(page, [1, 2], later(503))
    await choose(page, await pickedImages(3))
    await page.getByLabel('Put all in one gallery').check()
    const said = await textsOf(page, '#paused')
    await start(page)
    const time = String.raw`\d{1,2}:\d\d(?:\s[AP]M)?\.$`
    await resultsOf(page)
    for (const words of ['Your network has reached the upload limit.', 'The service is busy.']) {
      expect(await said()).toContainEqual(expect.stringMatching(`^${words} Uploading resumes at ${time}`))
    }
    expect(galleries).toBe(2)
    expect([attempts.length, new Set(attempts).size]).toEqual([5, 3])
    expect((await imageNamesIn(page)).toSorted()).toEqual(['1.jpg', '2.jpg', '3.jpg'])
  })

  test('because of a limit can be paused while they wait, which is no failure', async ({ visit }) => {
    const page = await visit('/', { complaints: [/status of 429/] })
    const later = { status: 429, headers: { 'Retry-After': '3600' }, body: 'later' }
    await page.route('**/images', (route) => route.fulfill(later))
    await choose(page, await pickedImages(4))
    await start(page)
    await page.locator('#paused', { hasText: 'Uploading resumes' }).waitFor()
    await page.locator('#pause').click()
    await expect.poll(() => namesIn(page, 'waiting')).toHaveLength(4)
    await expect.poll(() => page.locator('#paused').textContent()).toBe('')
    await page.unroute('**/images')
    await page.getByRole('button', { name: 'Resume' }).click()
    await resultsOf(page)
  })

  test.for([
    { code: 'internal_error', status: 500, words: 'This is a problem on our side. Please try again in a moment.' },
    { code: 'gallery_full', status: 422, words: 'The gallery is full. Publish it, then start a new one.' },
  ])('with the code $code name the cause', async ({ code, status, words }, { visit }) => {
    const page = await visit('/', { complaints: [/status of (?:422|500)/] })
    await interfere(page, [1], (route) => route.fulfill({ status, headers: { 'X-Error-Code': code }, body: 'refused' }))
    await choose(page, await pickedImages(1))
    await start(page)
    await page.getByText(words).waitFor()
    await page.locator('#retry-all').click()
    await resultsOf(page)
  })
})

/** Changes the nth uploads of a page, counted from 1. Returns the idempotency keys of all, as they arrive. */
async function interfere(page: Page, nths: readonly number[], act: (route: Route) => Promise<void>): Promise<string[]> {
  const keys: string[] = []
  await page.route('**/images', async (route) => {
    keys.push(route.request().headers()['idempotency-key'] ?? '')
    await (nths.includes(keys.length) ? act(route) : route.continue())
  })
  return keys
}

/** Waits until the page shows how many failed, and no upload is running. */
async function failedWords(page: Page, text: string): Promise<void> {
  await page.locator('#failed-words', { hasText: text }).waitFor()
}

/** Returns the names of the files in this state. */
function namesIn(page: Page, state: string): Promise<string[]> {
  return page.locator(`.file[data-state=${state}] .name`).allInnerTexts()
}
