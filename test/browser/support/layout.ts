import type { Locator, Page } from 'playwright-core'

export interface Box {
  x: number
  y: number
  width: number
  height: number
}

/** Where an element lies, from the window's corner, in CSS pixels. */
export async function boxOf(element: Locator): Promise<Box> {
  // A page that a click led to has its texts before its style.
  await element.page().waitForLoadState()
  const box = await element.boundingBox()
  if (!box) throw new Error('the element is not shown')
  return box
}

/** The places of all elements that a selector finds, in one look. */
export async function boxesOf(page: Page, selector: string): Promise<Box[]> {
  await page.waitForLoadState()
  return page.locator(selector).evaluateAll((elements) =>
    elements.map((element) => {
      const { x, y, width, height } = element.getBoundingClientRect()
      return { x, y, width, height }
    }),
  )
}

/** Does what leads to another page, and waits until that one is here with its style and its scripts. */
export async function follow(page: Page, act: () => Promise<unknown>): Promise<void> {
  const loaded = page.waitForEvent('load')
  await act()
  await loaded
}

/** All that has moved since the page was opened, user input or not: a line for each layout shift, none for a calm page. */
export async function layoutShiftsOf(page: Page): Promise<string[]> {
  await page.waitForLoadState()
  return page.evaluate(
    () =>
      new Promise<string[]>((resolve) => {
        const shifts: string[] = []
        new PerformanceObserver((list) =>
          shifts.push(...list.getEntries().map((entry) => JSON.stringify(describe(entry)))),
        ).observe({ type: 'layout-shift', buffered: true })
        function describe(entry: object) {
          const sources = 'sources' in entry && Array.isArray(entry.sources) ? entry.sources : []
          const moved = sources.map(({ node, previousRect: from, currentRect: to }) => {
            const what = node instanceof Element ? node.cloneNode(false) : node?.parentElement?.cloneNode(false)
            return `${what?.outerHTML} from ${[from.x, from.y, from.width, from.height]} to ${[to.x, to.y, to.width, to.height]}`
          })
          return { value: 'value' in entry ? entry.value : 0, moved }
        }
        // Buffered entries are handed over in a task of their own, those of the last frame after it.
        requestAnimationFrame(() => setTimeout(() => resolve(shifts), 50))
      }),
  )
}

/** Waits until all pictures of the page that have been asked for are here. */
export async function imagesLoaded(page: Page, selector = 'main img'): Promise<void> {
  await page.waitForLoadState()
  await page.waitForFunction(
    (images) =>
      [...document.querySelectorAll<HTMLImageElement>(images)]
        .filter(({ loading, offsetParent }) => loading !== 'lazy' && offsetParent !== null)
        .every(({ complete, naturalWidth }) => complete && naturalWidth > 0),
    selector,
  )
}

/** How much wider than the window the page is: nobody should have to scroll sideways. */
export async function overflowOf(page: Page): Promise<number> {
  // Before its style has come, a page may be any width.
  await page.waitForLoadState()
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
}
