import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, inject } from 'vitest'
import { findFaintColours, findMisplaced } from './axe.ts'
import { imagesLoaded, overflowOf } from './layout.ts'
import { STATES } from './states.ts'
import { test } from './visit.ts'

const WIDTHS = [320, 820, 1280]
/** What stands between them is laid out as one of them is. */
const EDGE_WIDTHS = [320, 1280]
const COMPLAINTS = [/status of 4\d\d/]

/** `npm run tintype -- screenshots` has these tests take a picture of all they see, to be looked at. */
const TAKES_SCREENSHOTS = process.env.SCREENSHOTS !== undefined
const FOLDER = join(import.meta.dirname, '../../../generated/screenshots')

/** What is looked at with axe. */
interface AxeCheck {
  find: (page: Page) => Promise<string[]>
  /** The narrowest and the widest, unless others are given. Where the second shows the same, what cannot differ is left out. */
  widths?: readonly number[]
  /** Which states; all of them unless names are given. */
  states?: readonly string[]
  /** Dark colours too, unless false. Themes differ in their colours and in nothing else: these alone are looked at, at one width. */
  dark?: boolean
}

/** The tests that every state of every page is for everybody: at three widths in these languages, light and dark. */
export function describeForEverybody(
  languages: readonly string[],
  { find, widths = EDGE_WIDTHS, dark = true, states }: AxeCheck,
): void {
  const looked = states ? states.map((name) => requireState(name)) : STATES
  describe.skipIf(!inject('chromium')).for(languages)('for everybody, in %s', (language) => {
    test.for(looked)('$name: axe finds nothing', async ({ name, open }, { visit }) => {
      const page = await open(visit, language, { complaints: COMPLAINTS, reducedMotion: true })
      const findings: string[] = []
      let before: string | undefined
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 900 })
        expect(await overflowOf(page), `scrolls sideways at ${width}`).toBe(0)
        if (!widths.includes(width)) continue
        const shown = await shownOn(page)
        const found = await (shown === before ? findMisplaced : find)(page)
        findings.push(...found.map((finding) => `${width} ${finding}`))
        before = shown
      }
      if (dark) {
        await page.emulateMedia({ colorScheme: 'dark' })
        findings.push(...(await findFaintColours(page)).map((finding) => `dark ${finding}`))
      }
      if (TAKES_SCREENSHOTS) await takeScreenshots(page, `${name}-${language}`)
      expect(findings).toEqual([])
    })
  })
}

/** Which elements of a page are shown: a character for each. */
function shownOn(page: Page): Promise<string> {
  return page.evaluate(() =>
    Array.from(document.querySelectorAll('*'), (element) =>
      Number(element.checkVisibility({ visibilityProperty: true })),
    ).join(''),
  )
}

function requireState(name: string): (typeof STATES)[number] {
  const found = STATES.find((state) => state.name === name)
  if (!found) throw new Error(`there is no state "${name}"`)
  return found
}

async function takeScreenshots(page: Page, name: string): Promise<void> {
  mkdirSync(FOLDER, { recursive: true })
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 })
    await imagesLoaded(page)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await page.screenshot({ path: join(FOLDER, `${name}-${width}-${colorScheme}.png`), fullPage: true })
    }
  }
}
