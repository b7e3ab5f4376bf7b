import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core'
import { inject } from 'vitest'

/** What a page cannot change while it is open. */
export interface Kind {
  /** With a finger and a small window; but one pixel for one of CSS, for two take four times as much to draw. */
  phone: boolean
  /** Whether scripts run. */
  script: boolean
  /** What the browser asks for in Accept-Language. */
  language: string
}

/** A visitor's browser profile, with the one page that its tests begin with. */
export interface Profile {
  context: BrowserContext
  page: Page
}

/** So long only a page takes that hangs. */
export const HANGING_MS = 300_000
const PHONE = { hasTouch: true, isMobile: true }
/** What tests listen to. */
const LISTENED = ['request', 'response', 'dialog', 'popup'] as const

interface PooledProfile extends Profile {
  kind: string
  session: CDPSession
}

/**
 * Browser profiles that go from test to test: a new one, with a page and the process behind it, costs as much of the processor as
 * five pages that are opened one after the other.
 */
export class Profiles {
  readonly #browser: Browser
  readonly #free: PooledProfile[] = []
  readonly #lent = new Map<BrowserContext, PooledProfile>()

  constructor(browser: Browser) {
    this.#browser = browser
  }

  /** One that nobody uses, as it was when it was new but for what the browser keeps of files: give it back to `clear`. */
  async lend(kind: Kind): Promise<Profile> {
    const name = JSON.stringify(kind)
    const at = this.#free.findIndex((free) => free.kind === name)
    const profile = this.#free.splice(at, at < 0 ? 0 : 1)[0] ?? { ...(await this.#open(kind)), kind: name }
    this.#lent.set(profile.context, profile)
    return profile
  }

  /** Makes one as good as new, for the next test. */
  async clear(context: BrowserContext): Promise<void> {
    const lent = this.#lent.get(context)
    this.#lent.delete(context)
    if (!lent || lent.page.isClosed()) return context.close()
    const { page, session } = lent
    for (const event of LISTENED) page.removeAllListeners(event)
    const others = context.pages().filter((other) => other !== page)
    await Promise.all(others.map((other) => other.close()))
    const { origin } = new URL(page.url())
    // Before its routes are gone: what still loads would go elsewhere.
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

/** A new profile without a page. */
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
