import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { describe, expect, inject } from 'vitest'
import { api } from './support/content.ts'
import { expectCopied } from './support/moments.ts'
import { choose, pickedImages, resultLinks, resultsOf, start } from './support/upload-page.ts'
import { test } from './support/visit.ts'

describe.skipIf(!inject('chromium'))('the uploads of this device', () => {
  test('are listed by the browser alone, and can be copied, filtered and deleted', async ({ visit }) => {
    const page = await visit('/', { permissions: ['clipboard-read', 'clipboard-write'] })
    const links = await upload(page, 3)
    const asked: string[] = []
    page.on('request', (request) => asked.push(`${request.method()} ${request.url()}`))
    await page.getByRole('link', { name: 'Your uploads' }).click()
    await page.waitForURL('**/uploads', { waitUntil: 'networkidle' })
    const rows = page.locator('#upload-list li')
    expect((await page.locator('#upload-list .name').allInnerTexts()).toSorted()).toEqual(['1.jpg', '2.jpg', '3.jpg'])
    // Nothing of the list is sent.
    expect(asked.filter((request) => !/^GET \S+\/(?:thumbs\/\S+|assets\/\S+|uploads)$/.test(request))).toEqual([])
    const second = rows.filter({ hasText: '2.jpg' })
    await second.getByRole('button', { name: /^Copy link/ }).click()
    await expectCopied(page, links[1] ?? '')
    expect(await second.getByRole('link', { name: '2.jpg' }).getAttribute('href')).toBe(links[1])
    await page.getByLabel('Filter by name').fill('3')
    expect(await rows.filter({ visible: true }).count()).toBe(1)
    expect(await page.locator('#found').innerText()).toBe('1 / 3')
    await page.getByRole('button', { name: 'Delete 3.jpg' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    expect(await rows.count()).toBe(3)
    await page.getByRole('button', { name: 'Delete 3.jpg' }).click()
    await page
      .getByRole('dialog', { name: 'Permanently delete 3.jpg?' })
      .getByRole('button', { name: 'Delete' })
      .click()
    await page.getByText('3.jpg deleted.').waitFor()
    expect(await rows.count()).toBe(2)
    // Keyboard users keep their place: the next row, or the heading.
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    expect(await page.evaluate(() => document.activeElement !== document.body)).toBe(true)
    const deleted = links[2] ?? ''
    expect((await api.follow(deleted, { host: new URL(deleted).host })).status).toBe(404)

    const selection = page.locator('#selection')
    await page.getByLabel('Filter by name').fill('')
    await page.getByRole('checkbox', { name: '1.jpg' }).check()
    expect(await selection.getByRole('status').innerText()).toBe('Selected: 1')
    await page.getByRole('checkbox', { name: 'Select all' }).check()
    await selection.getByRole('button', { name: 'Copy links' }).click()
    // They are in the order in which their uploads ended.
    const names = await page.locator('#upload-list .name').allInnerTexts()
    expect(names.toSorted()).toEqual(['1.jpg', '2.jpg'])
    await expectCopied(page, names.map((name) => links[Number.parseInt(name, 10) - 1]).join('\n'))
    await selection.getByRole('button', { name: 'Delete' }).click()
    const question = page.getByRole('dialog', { name: `Permanently delete ${names.join(', ')}?` })
    await question.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('2 pictures were deleted.').waitFor()
    expect([await storedOn(page), await selection.isVisible()]).toEqual([[], false])
    await page.locator('#none').getByRole('link', { name: 'Upload' }).click()
    await page.locator('#choose').waitFor()
  })

  test('are exported to a file and imported again, and forgotten on request', async ({ visit }) => {
    const page = await visit('/')
    await upload(page, 2)
    await page.goto('/uploads')
    const rows = page.locator('#upload-list li')
    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export' }).click()
    const file = await readFile(await (await downloading).path())
    await page.getByRole('button', { name: 'Clear list' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Clear list' }).click()
    await page.getByText('No uploads yet.').waitFor()
    expect([await rows.count(), await storedOn(page)]).toEqual([0, []])
    await page.getByLabel('Import').setInputFiles({ name: 'uploads.json', mimeType: 'application/json', buffer: file })
    await page.getByText('2 entries added.').waitFor()
    expect(await rows.count()).toBe(2)
    const other = { name: 'x.json', mimeType: 'application/json', buffer: Buffer.from('{}') }
    await page.getByLabel('Import').setInputFiles(other)
    await page.getByText('This file isn’t an exported list of uploads.').waitFor()
  })

  test('are no longer remembered after that is switched off', async ({ visit }) => {
    const page = await visit('/uploads')
    await page.getByLabel('Save on this device').uncheck()
    await page.goto('/')
    await upload(page, 1)
    expect(await page.locator('#remembered-words').innerText()).toContain('Save these links now')
    await page.goto('/uploads', { waitUntil: 'commit' }).catch(() => undefined)
    expect(await storedOn(page)).toEqual([])
  })

  test.for([
    ['of another service', 'https://elsewhere.example', []],
    ['that this service does not know', '', [404]],
  ] as const)('stay with an error if they have a private link %s', async ([, origin, statuses], { visit }) => {
    const page = await visit('/uploads', { complaints: [/status of 404/] })
    const responses: number[] = []
    page.on('response', (response) => {
      if (response.request().method() === 'POST') responses.push(response.status())
    })
    const manageUrl = `${origin || new URL(page.url()).origin}/manage/${'A'.repeat(43)}`
    const entry = {
      kind: 'picture',
      name: 'a.jpg',
      pageUrl: 'https://elsewhere.example/show/1/2_a.jpg',
      manageUrl,
      timeMs: 0,
    }
    const buffer = Buffer.from(JSON.stringify({ kind: 'uploads', uploads: [entry] }))
    await page.getByLabel('Import').setInputFiles({ name: 'uploads.json', mimeType: 'application/json', buffer })
    await page.getByRole('button', { name: 'Delete a.jpg' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('This service does not recognize the deletion link.').waitFor()
    expect([await page.locator('#upload-list li').count(), responses]).toEqual([1, statuses])
  })

  test('need a script, and say so without one', async ({ visit }) => {
    const page = await visit('/uploads', { script: false })
    expect(await page.getByText('This list needs JavaScript').isVisible()).toBe(true)
    expect(await page.getByRole('button').count()).toBe(0)
  })
})

/** Returns the uploads that the browser remembers. */
function storedOn(page: Page): Promise<string[]> {
  return page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('upload ')))
}

async function upload(page: Page, count: number): Promise<string[]> {
  await choose(page, await pickedImages(count))
  await start(page)
  await resultsOf(page)
  return resultLinks(page)
}
