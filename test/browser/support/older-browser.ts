import type { Page } from 'playwright-core'

/** Functions that the oldest supported browsers lack (tools/build/browser-target.ts), by their owners. */
const YOUNGER: readonly (readonly [owner: string, name: string])[] = [
  ['URL', 'parse'],
  ['URL', 'canParse'],
  ['Map', 'groupBy'],
  ['Object', 'groupBy'],
  ['Promise', 'withResolvers'],
  ['Element.prototype', 'checkVisibility'],
  ['Element.prototype', 'ariaBusy'],
  ['Element.prototype', 'ariaLabel'],
  ['ReadableStream.prototype', 'values'],
  ['window', 'navigation'],
]

/** Removes functions from the pages that a tab opens from now on: by default the younger ones, and the loop over streams. */
export async function withoutFunctions(page: Page, removed = YOUNGER): Promise<void> {
  const lines = removed.map(([owner, name]) => `delete ${owner}.${name}`)
  await page.addInitScript(`${lines.join('\n')}\ndelete ReadableStream.prototype[Symbol.asyncIterator]`)
}

/**
 * Makes a page's style sheets use an unknown name for `:has`. The browser then drops what needs it, as a browser without it
 * does.
 */
export async function withoutHas(page: Page): Promise<void> {
  await page.route(
    () => true,
    async (route) => {
      const type = route.request().resourceType()
      if (type !== 'document' && type !== 'stylesheet') return route.fallback()
      const response = await route.fetch()
      // The policy names the digests of the page's own style.
      const { 'content-security-policy': _, ...headers } = response.headers()
      await route.fulfill({ response, headers, body: (await response.text()).replaceAll(':has(', ':hasnt(') })
    },
  )
}
