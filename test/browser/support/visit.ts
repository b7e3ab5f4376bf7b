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

/** The window and its user, by default a desktop with scripts, in English. */
export interface Visitor {
  window?: { width: number; height: number }
  /** A phone of 390 pixels with touch, unless `window` says otherwise. */
  phone?: boolean
  dark?: boolean
  /** With `false`, no scripts run. With `empty`, those of the page do nothing, but those of the test run, and the one of all pages. */
  script?: boolean | 'empty'
  /** The browser's Accept-Language. */
  language?: string
  /** Whether to prefer less motion (by default), because animations take a moment. */
  reducedMotion?: boolean
  permissions?: readonly string[]
  /**
   * For tests that leave behind what cannot be cleared, such as a slow network or a clock: a profile that no other test
   * gets.
   */
  ownProfile?: boolean
  /**
   * Runs as the installed app, in a profile that no other test gets. Chromium cannot emulate the display mode, so the
   * page's query is replaced.
   */
  installed?: boolean
  /** Messages that the console may print; by default none. */
  complaints?: readonly RegExp[]
}

/** Opens pages that share one visitor's browser profile. */
export type Visit = (address: string, visitor?: Visitor) => Promise<Page>

/** A public domain whose name leads to this machine, with the port of a service: a page there has no secure context. */
export const PLAIN_HTTP_HOST = 'three.example'

const DESKTOP = { width: 1280, height: 800 }
const PHONE = { width: 390, height: 800 }

interface Fixtures {
  browser: Browser
  profiles: Profiles
  /** Opens a page at this address, a path of the service or a whole URL, in a clean profile. */
  visit: Visit
}

/**
 * A test in a browser. It also fails if the console prints anything, a script throws, the Content-Security-Policy
 * blocks something, or a request fails, unless the visitor's `complaints` match it.
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
        args: ['--disable-gpu', '--process-per-site', `--host-resolver-rules=MAP ${PLAIN_HTTP_HOST} 127.0.0.1`],
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

/** Makes the page of a tab detect the display mode of an installed app. */
function runInstalled(): void {
  const { matchMedia } = window
  window.matchMedia = (query) => matchMedia.call(window, query.replace('(display-mode: minimal-ui)', 'all'))
}

async function newProfile(browser: Browser, kind: Kind): Promise<Profile> {
  const context = await openContext(browser, kind)
  return { context, page: await context.newPage() }
}

/** Applies the visitor's settings to a page, all of which an earlier visitor may have changed. */
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
    // A route of the page, because a route of the profile waits for the response of each service worker, and one that ends
    // never responds.
    await page.route(/\/assets\/(?!layout)[^/]*\.js$/, (route) =>
      route.fulfill({ contentType: 'text/javascript', body: '' }),
    )
  }
}

/** Reports all messages of a visitor's console and network, until the returned function is called. */
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
    // Navigating away aborts pending requests.
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
