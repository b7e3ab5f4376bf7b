import { test as base, describe, expect, inject } from 'vitest'
import { type Connection, openConnection } from '../support/connection.ts'
import { sharedGallery } from '../support/content.ts'
import { startFirefox } from './support/firefox.ts'
import { describeFlows } from './support/flows.ts'
import type { Tab } from './support/tab.ts'

const missing = inject('missingEngines').firefox

describeFlows({ name: 'Firefox', start: startFirefox, missing })

/** Where a page is cut while it arrives: in its rows of buttons. The scroll bar, which arrives later, moves the menu of a gallery. */
const CUTS = [
  { page: 'image', cut: 'rel="next"', buttons: '.way a, .place, .menu summary' },
  { page: 'image', cut: '?download"', buttons: '.way a, .picture-actions a, .menu summary' },
  { page: 'gallery', cut: ' rel="nofollow" download', buttons: '.gallery-actions a' },
] as const

describe.skipIf(missing !== undefined)('a page that arrives in chunks, in Firefox', () => {
  const test = base.extend<{ connection: Connection; tab: Tab }>({
    // biome-ignore lint/correctness/noEmptyPattern: vitest reads the fixtures that are used from the pattern
    connection: async ({}, use) => {
      const connection = await openConnection(inject('baseUrl'))
      await use(connection)
      await connection.close()
    },
    // biome-ignore lint/correctness/noEmptyPattern: vitest reads the fixtures that are used from the pattern
    tab: async ({}, use) => {
      const tab = await startFirefox()
      await use(tab)
      await tab.close()
    },
  })

  test.for([
    [1280, 900],
    [390, 800],
  ] as const)('moves no button in a window of %d pixels', async ([width, height], { connection, tab }) => {
    const { gallery, images } = await sharedGallery()
    await tab.resize(width, height)
    for (const { page, cut, buttons } of CUTS) {
      const { pathname } = new URL((page === 'gallery' ? gallery.url : images[1]?.showUrl) ?? '')
      /** Returns the horizontal position of each button that is shown, in pixels. */
      const shown = async (): Promise<object> =>
        JSON.parse(String(await tab.evaluate(`(${positionsOf})(${JSON.stringify(buttons)})`)))
      const opened = await openHalf(tab, connection, pathname, cut)
      const before = await shown()
      connection.release()
      await opened.whole
      const after = await shown()
      expect(Object.keys(after).length).toBeGreaterThan(1)
      expect({ cut, ...after }).toMatchObject({ cut, ...before })
    }
  })

  test('shows what there is after 2 s, because the rest may never come', async ({ connection, tab }) => {
    const { images } = await sharedGallery()
    const { pathname } = new URL(images[1]?.showUrl ?? '')
    const { whole } = await openHalf(tab, connection, pathname, '?download"')
    await tab.evaluate('document.getAnimations().forEach((animation) => animation.play())')
    await expect.poll(() => tab.evaluate(IS_BODY_SHOWN)).toBe(true)
    connection.release()
    await whole
  })
})

const IS_BODY_SHOWN = `getComputedStyle(document.body).visibility === 'visible'`

/** Opens a page up to a text, and stops the timer that shows half a page. `whole` waits for the rest. */
async function openHalf(
  tab: Tab,
  connection: Connection,
  path: string,
  cut: string,
): Promise<{ whole: Promise<void> }> {
  await tab.open('about:blank')
  connection.holdPagesAt(cut)
  const whole = tab.open(connection.baseUrl + path)
  const stop = 'document.getAnimations().forEach((one) => one.pause())'
  await expect
    .poll(() =>
      tab.evaluate(`${stop} ?? (document.querySelector("#content") !== null && document.styleSheets.length > 0)`),
    )
    .toBe(true)
  // Firefox adds what it has received in steps.
  await new Promise((resolve) => setTimeout(resolve, 300))
  return { whole }
}

/** Runs in the page. */
function positionsOf(selector: string): string {
  const positions = [...document.querySelectorAll(selector)].flatMap((one, index) =>
    one.checkVisibility({ visibilityProperty: true }) ? [[index, Math.round(one.getBoundingClientRect().x)]] : [],
  )
  return JSON.stringify(Object.fromEntries(positions))
}
