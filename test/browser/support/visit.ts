import {
  type Browser,
  type BrowserContext,
  type ConsoleMessage,
  chromium as launcher,
  type Page,
  type Request,
  type WebError,
} from 'playwright-core'
import { test as base, expect, inject } from 'vitest'
import { HANGING_MS, type Kind, openContext, type Profile, Profiles } from './profiles.ts'

/** Which window, and whose: all that is left out is a desktop's with scripts, in English. */
export interface Visitor {
  window?: { width: number; height: number }
  /** A phone of 390 pixels with a finger, unless `window` says otherwise. */
  phone?: boolean
  dark?: boolean
  /** False: scripts do not run. `empty`: the pages' own do nothing, and the test's can look on. */
  script?: boolean | 'empty'
  /** What the browser asks for in Accept-Language. */
  language?: string
  /** Unless false: what moves takes a moment, in which a test would look at it. */
  reducedMotion?: boolean
  permissions?: readonly string[]
  /** For who leaves something behind that cannot be cleared, as a slow network or a clock: a profile that nobody else gets. */
  ownProfile?: boolean
  /** Runs as the installed app, in a profile that nobody else gets. Chromium emulates no display mode: the page's query is answered. */
  installed?: boolean
  /** What the console may say here, besides nothing. */
  complaints?: readonly RegExp[]
}

/** Opens pages that share one visitor's browser profile. */
export type Visit = (address: string, visitor?: Visitor) => Promise<Page>

const DESKTOP = { width: 1280, height: 800 }
const PHONE = { width: 390, height: 800 }

interface Fixtures {
  browser: Browser
  profiles: Profiles
  /** A page at this address, a path of the service or a whole URL, in a profile of its own: as good as new, or new. */
  visit: Visit
}

/**
 * A test in a browser. It fails, too, when the console says anything, a script throws, the Content-Security-Policy stops
 * something, or a request breaks: unless the visitor's `complaints` expect it.
 */
export const test = base.extend<Fixtures>({
  browser: [
    // biome-ignore lint/correctness/noEmptyPattern: vitest reads the fixtures that are used from the pattern
    async ({}, use) => {
      const chromium = inject('chromium')
      if (!chromium) throw new Error('there is no browser')
      const { executablePath, env } = chromium
      const browser = await launcher.launch({
        executablePath,
        env: { ...process.env, ...env },
        args: ['--disable-gpu', '--process-per-site'],
        timeout: HANGING_MS,
      })
      await use(browser)
      await browser.close()
    },
    { scope: 'worker' },
  ],
  profiles: [
    async ({ browser }, use) => {
      await use(new Profiles(browser))
    },
    { scope: 'worker' },
  ],
  visit: async ({ browser, profiles }, use) => {
    const endings: (() => Promise<void>)[] = []
    const complaints: string[] = []
    await use(async (address, visitor = {}) => {
      const { phone = false, script = true, language = 'en', installed = false } = visitor
      const { ownProfile = installed } = visitor
      const kind = { phone, script: script !== false, language }
      const { context, page } = ownProfile ? await newProfile(browser, kind) : await profiles.lend(kind)
      const allowed = visitor.complaints ?? []
      const stopListening = listen(context, (complaint) => {
        if (!allowed.some((pattern) => pattern.test(complaint))) complaints.push(complaint)
      })
      endings.push(async () => {
        await (ownProfile ? context.close() : profiles.clear(context))
        stopListening()
      })
      await become(context, page, visitor)
      if (installed) await page.addInitScript(runInstalled)
      await page.goto(address)
      return page
    })
    await Promise.all(endings.map((end) => end()))
    expect(complaints).toEqual([])
  },
})

/** Makes the page of a tab find the display mode of an installed app. */
export function runInstalled(): void {
  const { matchMedia } = window
  window.matchMedia = (query) => matchMedia.call(window, query.replace('(display-mode: minimal-ui)', 'all'))
}

async function newProfile(browser: Browser, kind: Kind): Promise<Profile> {
  const context = await openContext(browser, kind)
  return { context, page: await context.newPage() }
}

/** Gives a page all that the visitor before it may have had otherwise. */
async function become(context: BrowserContext, page: Page, visitor: Visitor): Promise<void> {
  const { phone = false, window = phone ? PHONE : DESKTOP, dark = false, reducedMotion = true } = visitor
  await Promise.all([
    page.setViewportSize(window),
    page.emulateMedia({
      media: null,
      colorScheme: dark ? 'dark' : 'light',
      forcedColors: null,
      reducedMotion: reducedMotion ? 'reduce' : 'no-preference',
    }),
    context.clearPermissions(),
  ])
  if (visitor.permissions) await context.grantPermissions([...visitor.permissions])
  if (visitor.script === 'empty') {
    // Of the page: a route of the profile waits for the answer of each service worker, and of one that ends it never comes.
    await page.route('**/assets/*.js', (route) => route.fulfill({ contentType: 'text/javascript', body: '' }))
  }
}

/** Hands on all that a visitor's console and network complain of, until the function it gives is called. */
function listen(context: BrowserContext, complain: (complaint: string) => void): () => void {
  const heard = (message: ConsoleMessage) => {
    // Violations of the Content-Security-Policy are among the errors.
    if (message.type() === 'error' || message.type() === 'warning') {
      complain(`console: ${message.text()} (${message.location().url})`)
    }
  }
  const thrown = (error: WebError) => complain(`script: ${error.error().stack ?? error.error().message}`)
  const failed = (request: Request) => {
    const why = request.failure()?.errorText ?? 'unknown'
    // Whoever goes to another page breaks off what still loads.
    if (why !== 'net::ERR_ABORTED') complain(`network: ${request.method()} ${request.url()} ${why}`)
  }
  context.on('console', heard)
  context.on('weberror', thrown)
  context.on('requestfailed', failed)
  return () => {
    context.off('console', heard)
    context.off('weberror', thrown)
    context.off('requestfailed', failed)
  }
}
