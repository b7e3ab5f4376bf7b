import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** Waits until the clipboard has this text, because a click returns before its button has copied. */
export async function expectCopied(page: Page, text: string): Promise<void> {
  await expect.poll(() => clipboardOf(page)).toBe(text)
}

/** Returns the current text of the clipboard. */
export function clipboardOf(page: Page): Promise<string> {
  return page.evaluate(() => navigator.clipboard.readText())
}

/** Holds all timers of a page's scripts, so that short-lived states remain until the returned function is called. */
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

/** Returns all texts of an element from now on, however short-lived. */
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
