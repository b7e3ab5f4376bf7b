import type { Page, Route } from 'playwright-core'
import { afterAll, describe, expect, inject } from 'vitest'
import { createHumanPass } from '../../src/domain/uploads/human-pass.ts'
import { type Service, startService } from '../contract/support/service.ts'
import { findBarriers } from './support/axe.ts'
import { boxOf, overflowOf } from './support/layout.ts'
import { choose, imageNamesIn, pickedImages, resultLinks, resultsOf, start } from './support/upload-page.ts'
import { test } from './support/visit.ts'

const SECRET = 'secret-of-turnstile'
const REFUSED = [/status of 403/]
const SENTENCE = 'Confirm above that you are human, then try again.'

/** In place of Turnstile's script, which no test can load: a button that confirms. */
const WIDGET = `window.turnstile = {
  render(container, options) {
    const button = document.createElement('button')
    button.textContent = 'I am human: ' + options.sitekey + ' ' + options.language
    button.addEventListener('click', () => options.callback('token'))
    container.append(button)
    return 'widget'
  },
  reset() {},
}`

/** Ways in which ad blockers stop Turnstile. */
const BLOCKED: readonly [string, (route: Route) => Promise<void>][] = [
  ['its script is blocked', (route) => route.abort('blockedbyclient')],
  ['its script is replaced by an empty one', (route) => route.fulfill({ contentType: 'text/javascript', body: '' })],
  [
    'its frame is blocked',
    (route) => {
      const body = `window.turnstile = { render: (_, options) => options['error-callback']('200500'), reset() {} }`
      return route.fulfill({ contentType: 'text/javascript', body })
    },
  ],
]

describe.skipIf(!inject('chromium'))('visitors who confirm that they are human', async () => {
  if (!inject('chromium')) return
  process.env.TURNSTILE_SECRET = SECRET
  const service: Service = await startService({ args: ['--turnstile-site-key', 'site-key'] })
  delete process.env.TURNSTILE_SECRET
  afterAll(() => service.stop())

  /** The exchange is Turnstile's, so it is replaced by one that sets the pass of the service. */
  async function offline(page: Page): Promise<string[]> {
    const tokens: string[] = []
    await page.route('https://challenges.cloudflare.com/**', (route) =>
      route.fulfill({ contentType: 'text/javascript', body: WIDGET }),
    )
    await page.route('**/human', async (route) => {
      tokens.push(route.request().postData() ?? '')
      const value = await createHumanPass(SECRET, 'none', Date.now())
      await page.context().addCookies([{ name: 'tintype_human', value, url: service.baseUrl, sameSite: 'Strict' }])
      await route.fulfill({ status: 204 })
    })
    await page.reload()
    return tokens
  }

  test('can upload, and what was refused before is sent again', async ({ visit }) => {
    const page = await visit(service.baseUrl, { phone: true, ownProfile: true, complaints: [...REFUSED, /net::ERR/] })
    const tokens = await offline(page)
    const widget = page.getByRole('button', { name: 'I am human: site-key en' })
    await widget.waitFor()
    expect((await boxOf(widget)).width).toBeGreaterThan(0)
    expect(await overflowOf(page)).toBe(0)
    await choose(page, await pickedImages(1))
    await start(page)
    await page.locator('.file').getByText(SENTENCE).waitFor()
    await widget.click()
    await resultsOf(page)
    expect(tokens).toEqual(['token=token'])
    expect(await resultLinks(page)).toHaveLength(1)
  })

  test.for(BLOCKED)('are told what to do: %s', async ([, block], { visit }) => {
    const complaints = [/net::ERR/, /Failed to load resource/]
    const page = await visit(service.baseUrl, { phone: true, ownProfile: true, complaints })
    await page.route('https://challenges.cloudflare.com/**', block)
    await page.reload()
    const alert = page.getByRole('alert').filter({ visible: true })
    await alert.waitFor()
    expect(await alert.textContent()).toBe(
      'The check that you are human couldn’t load. Allow challenges.cloudflare.com in your ad blocker, then reload this page.',
    )
    expect(await page.locator('#human').isVisible()).toBe(false)
    expect(await overflowOf(page)).toBe(0)
    expect(await findBarriers(page)).toEqual([])
  })

  test('get the order of a gallery that was refused before', async ({ visit }) => {
    const page = await visit(service.baseUrl, { ownProfile: true, complaints: [...REFUSED, /net::ERR/] })
    await offline(page)
    await choose(page, await pickedImages(2))
    await page.getByLabel('Put all in one gallery').check()
    await start(page)
    await page.getByText(SENTENCE).waitFor()
    await page.getByRole('button', { name: 'I am human' }).click()
    await expect.poll(async () => (await page.context().cookies()).map(({ name }) => name)).toContain('tintype_human')
    await start(page)
    await resultsOf(page)
    expect(await imageNamesIn(page)).toEqual(['1.jpg', '2.jpg'])
  })
})
