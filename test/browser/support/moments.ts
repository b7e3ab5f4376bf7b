import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** Waits until the clipboard holds this: a click is over before its button has copied. */
export async function expectCopied(page: Page, text: string): Promise<void> {
  await expect.poll(() => clipboardOf(page)).toBe(text)
}

/** What the clipboard holds at this moment. */
export function clipboardOf(page: Page): Promise<string> {
  return page.evaluate(() => navigator.clipboard.readText())
}

/** Lets no timer of a page's scripts end, so that what is shown for a moment stays until the function is called. */
export async function holdTimers(page: Page): Promise<() => Promise<void>> {
  const held = await page.evaluateHandle(() => {
    const { setTimeout } = window
    const calls: (() => void)[] = []
    Object.assign(window, { setTimeout: (call: () => void) => calls.push(call) })
    return {
      release() {
        Object.assign(window, { setTimeout })
        for (const call of calls) call()
      },
    }
  })
  return () => held.evaluate(({ release }) => release())
}

/** All texts that an element of a page has from now on, however short a time. */
export async function textsOf(page: Page, selector: string): Promise<() => Promise<string[]>> {
  const texts = await page.locator(selector).evaluateHandle((element) => {
    const all: string[] = []
    new MutationObserver(() => all.push(element.textContent ?? '')).observe(element, {
      childList: true,
      characterData: true,
      subtree: true,
    })
    return all
  })
  return () => texts.jsonValue()
}
