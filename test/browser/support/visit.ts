import { type Browser, type BrowserContext, chromium as launcher, type Page } from 'playwright-core'
import { test as base, expect, inject } from 'vitest'

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
  /** What the console may say here, besides nothing. */
  complaints?: readonly RegExp[]
}

/** Opens pages that share one visitor's browser profile. */
export type Visit = (address: string, visitor?: Visitor) => Promise<Page>

/** So long only a page takes that hangs. */
const HANGING_MS = 300_000
const DESKTOP = { width: 1280, height: 800 }
const PHONE = { width: 390, height: 800 }

interface Fixtures {
  browser: Browser
  /** A new profile with one page at this address, a path of the service or a whole URL. */
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
  visit: async ({ browser }, use) => {
    const contexts: BrowserContext[] = []
    const complaints: string[] = []
    await use(async (address, visitor = {}) => {
      const context = await newContext(browser, visitor)
      contexts.push(context)
      const allowed = visitor.complaints ?? []
      listen(context, (complaint) => {
        if (!allowed.some((pattern) => pattern.test(complaint))) complaints.push(complaint)
      })
      const page = await context.newPage()
      await page.goto(address)
      return page
    })
    await Promise.all(contexts.map((context) => context.close()))
    expect(complaints).toEqual([])
  },
})

/** A new profile. */
export async function newContext(browser: Browser, visitor: Visitor): Promise<BrowserContext> {
  const { phone = false, window = phone ? PHONE : DESKTOP, dark = false, script = true, language = 'en' } = visitor
  const context = await browser.newContext({
    baseURL: inject('baseUrl'),
    viewport: window,
    colorScheme: dark ? 'dark' : 'light',
    javaScriptEnabled: script !== false,
    locale: language,
    reducedMotion: visitor.reducedMotion === false ? 'no-preference' : 'reduce',
    permissions: [...(visitor.permissions ?? [])],
    acceptDownloads: true,
    ...(phone ? { hasTouch: true, isMobile: true, deviceScaleFactor: 2 } : {}),
  })
  context.setDefaultTimeout(HANGING_MS)
  if (script === 'empty') {
    await context.route('**/assets/*.js', (route) => route.fulfill({ contentType: 'text/javascript', body: '' }))
  }
  return context
}

/** Hands on all that a visitor's console and network complain of. */
function listen(context: BrowserContext, complain: (complaint: string) => void): void {
  context.on('console', (message) => {
    // Violations of the Content-Security-Policy are among the errors.
    if (message.type() === 'error' || message.type() === 'warning') {
      complain(`console: ${message.text()} (${message.location().url})`)
    }
  })
  context.on('weberror', (error) => complain(`script: ${error.error().stack ?? error.error().message}`))
  context.on('requestfailed', (request) => {
    const why = request.failure()?.errorText ?? 'unknown'
    // Whoever goes to another page breaks off what still loads.
    if (why !== 'net::ERR_ABORTED') complain(`network: ${request.method()} ${request.url()} ${why}`)
  })
}
