import type { Page } from 'playwright-core'
import { describe, expect, inject } from 'vitest'
import { findFaintColours, findMisplaced } from './axe.ts'
import { overflowOf } from './layout.ts'
import { STATES } from './states.ts'
import { test } from './visit.ts'

const WIDTHS = [320, 820, 1280]
/** Widths between them have the layout of one of them. */
const EDGE_WIDTHS = [320, 1280]
const COMPLAINTS = [/status of 4\d\d/]

/** The checks of axe. */
interface AxeCheck {
  find: (page: Page) => Promise<string[]>
  /**
   * By default the narrowest and the widest. If the second shows the same elements, checks that cannot differ are
   * skipped.
   */
  widths?: readonly number[]
  /** The names of states, by default all. */
  states?: readonly string[]
  /** Whether to check dark colours. Themes differ only in colours, so these are checked at one width. */
  dark?: boolean
}

/**
 * Defines tests of every state of every page for accessibility: at three widths, in these languages, light and dark.
 */
export function describeForEverybody(
  languages: readonly string[],
  { find, widths = EDGE_WIDTHS, dark = true, states }: AxeCheck,
): void {
  const looked = states ? states.map((name) => requireState(name)) : STATES
  describe.skipIf(!inject('chromium')).for(languages)('for everybody, in %s', (language) => {
    test.for(looked)('$name: axe finds nothing', async ({ open }, { visit }) => {
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
      expect(findings).toEqual([])
    })
  })
}

/** Returns which elements of a page are visible: a character for each. */
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
