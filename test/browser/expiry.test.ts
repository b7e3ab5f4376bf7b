import { afterAll, describe, expect, inject } from 'vitest'
import { type Service, startService, temporaryData } from '../contract/support/service.ts'
import { boxOf, overflowOf } from './support/layout.ts'
import { choose, pickedImages, resultLinks, resultsOf, start } from './support/upload-page.ts'
import { test } from './support/visit.ts'

const HOUR_MS = 3_600_000
/** "Expires in 59 minutes" until an hour has passed since the upload. */
const SOON = /^Expires in (?:1 hour|\d+ minutes)$/

describe.skipIf(!inject('chromium'))('images that expire', async () => {
  if (!inject('chromium')) return
  const data = await temporaryData()
  let service: Service = await startService({ data: data.path })
  afterAll(async () => {
    await service.stop()
    await data.remove()
  })

  test('are chosen on the upload page, tell their time on every page, and are deleted then', async ({ visit }) => {
    const page = await visit(service.baseUrl, { phone: true, dark: true, complaints: [/status of 410/] })
    await choose(page, await pickedImages(1))
    if (!(await page.getByLabel('Expires').isVisible())) await page.locator('#options summary').click()
    const choice = page.getByLabel('Expires')
    expect(await choice.inputValue()).toBe('')
    await choice.selectOption({ label: '1 hour' })
    expect(await overflowOf(page)).toBe(0)
    await start(page)
    await resultsOf(page)
    expect(await page.locator('#expiry').innerText()).toMatch(SOON)
    const [link = ''] = await resultLinks(page)
    await page.goto(link)
    const fact = page.locator('dt', { hasText: 'Expires' })
    expect(await fact.locator('+ dd time').innerText()).toMatch(/^in (?:1 hour|\d+ minutes)$/)
    expect((await boxOf(fact)).width).toBeGreaterThan(0)
    expect(await overflowOf(page)).toBe(0)
    await page.goto(`${service.baseUrl}/uploads`)
    await page.getByText(/Expires in/).waitFor()

    await service.stop()
    service = await startService({ data: data.path, port: service.port, clockOffsetMs: HOUR_MS })
    const response = await page.goto(link)
    expect(response?.status()).toBe(410)
    await page.getByRole('heading', { name: 'Picture not found' }).waitFor()
    expect(await page.getByText('It was shared for a limited time').isVisible()).toBe(true)
    expect(await overflowOf(page)).toBe(0)
  })
})
