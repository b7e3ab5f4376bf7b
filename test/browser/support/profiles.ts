import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core'
import { inject } from 'vitest'

/** Properties that a page cannot change while it is open. */
export interface Kind {
  /**
   * With touch and a small window. One device pixel for each CSS pixel, because two take four times as long to draw.
   */
  phone: boolean
  /** Whether scripts run. */
  script: boolean
  /** The browser's Accept-Language. */
  language: string
}

/** A visitor's browser profile, with the first page of its tests. */
export interface Profile {
  context: BrowserContext
  page: Page
}

/** Only a page that hangs takes this long. */
export const HANGING_MS = 300_000
const PHONE = { hasTouch: true, isMobile: true }
/** Events that tests listen to. */
const LISTENED = ['request', 'response', 'dialog', 'popup'] as const

interface PooledProfile extends Profile {
  kind: string
  session: CDPSession
}

/**
 * Browser profiles that tests reuse. A new profile, with a page and its process, costs as much processor time as
 * opening five pages one after the other.
 */
export class Profiles {
  readonly #browser: Browser
  readonly #free: PooledProfile[] = []
  readonly #lent = new Map<BrowserContext, PooledProfile>()

  constructor(browser: Browser) {
    this.#browser = browser
  }

  /** Returns an unused profile in its initial state, except for the browser's cache of files. Return it by `clear`. */
  async lend(kind: Kind): Promise<Profile> {
    const name = JSON.stringify(kind)
    const at = this.#free.findIndex((free) => free.kind === name)
    const profile = this.#free.splice(at, at < 0 ? 0 : 1)[0] ?? { ...(await this.#open(kind)), kind: name }
    this.#lent.set(profile.context, profile)
    return profile
  }

  /** Resets a profile for the next test. */
  async clear(context: BrowserContext): Promise<void> {
    const lent = this.#lent.get(context)
    this.#lent.delete(context)
    if (!lent || lent.page.isClosed()) return context.close()
    const { page, session } = lent
    for (const event of LISTENED) page.removeAllListeners(event)
    const others = context.pages().filter((other) => other !== page)
    await Promise.all(others.map((other) => other.close()))
    const { origin } = new URL(page.url())
    // Clearing an origin leaves the storage of its windows. A page without an origin has none.
    if (origin !== 'null') await page.evaluate(() => sessionStorage.clear()).catch(() => {})
    // Before its routes are removed, because pending requests would go elsewhere.
    await page.goto('about:blank')
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    for (const left of new Set([inject('baseUrl'), origin])) {
      await session.send('Storage.clearDataForOrigin', { origin: left, storageTypes: 'all' })
    }
    this.#free.push(lent)
  }

  async #open(kind: Kind): Promise<Omit<PooledProfile, 'kind'>> {
    const context = await openContext(this.#browser, kind)
    const page = await context.newPage()
    return { context, page, session: await context.newCDPSession(page) }
  }
}

/** Creates a profile without a page. */
export async function openContext(browser: Browser, { phone, script, language }: Kind): Promise<BrowserContext> {
  const context = await browser.newContext({
    baseURL: inject('baseUrl'),
    javaScriptEnabled: script,
    locale: language,
    acceptDownloads: true,
    ...(phone ? PHONE : {}),
  })
  context.setDefaultTimeout(HANGING_MS)
  return context
}
