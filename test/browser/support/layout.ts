import type { Locator, Page } from 'playwright-core'

export interface Box {
  x: number
  y: number
  width: number
  height: number
}

/** Returns the box of an element, from the window's corner, in CSS pixels. */
export async function boxOf(element: Locator): Promise<Box> {
  // After a click, a page has its texts before its style.
  await element.page().waitForLoadState()
  const box = await element.boundingBox()
  if (!box) throw new Error('the element is not shown')
  return box
}

/** Returns the boxes of all elements of a selector, measured at once. */
export async function boxesOf(page: Page, selector: string): Promise<Box[]> {
  await page.waitForLoadState()
  return page.locator(selector).evaluateAll((elements) =>
    elements.map((element) => {
      const { x, y, width, height } = element.getBoundingClientRect()
      return { x, y, width, height }
    }),
  )
}

/** Runs a function that opens another page, and waits until that page has its style and its scripts. */
export async function follow(page: Page, act: () => Promise<unknown>): Promise<void> {
  const loaded = page.waitForEvent('load')
  await act()
  await loaded
}

/** Returns all layout shifts since the page was opened, user input or not. */
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
        // Buffered entries are delivered in a task of their own, those of the last frame after it.
        requestAnimationFrame(() => setTimeout(() => resolve(shifts), 50))
      }),
  )
}

/** Waits until all requested images of the page have loaded. */
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

/** Returns how much wider than the window the page is, because readers should not have to scroll sideways. */
export async function overflowOf(page: Page): Promise<number> {
  // Before its style has loaded, a page may have any width.
  await page.waitForLoadState()
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
}
