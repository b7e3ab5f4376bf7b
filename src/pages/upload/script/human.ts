// Turnstile's widget, where the operator has visitors confirm that they are human. It is loaded from Cloudflare.
import * as routes from '../../../routes.ts'
import { TURNSTILE_ORIGIN } from '../../../turnstile.ts'
import { find } from '../../shell/script/elements.ts'

/** The part of Turnstile's interface that the page uses. */
interface Turnstile {
  render: (
    container: HTMLElement,
    options: {
      sitekey: string
      language: string
      theme: string
      size: 'flexible' | 'compact'
      'refresh-expired': 'manual'
      callback: (token: string) => void
      'error-callback': (code: string) => void
    },
  ) => string
  reset: (widget: string) => void
}

declare global {
  interface Window {
    turnstile?: Turnstile
  }
}

const SCRIPT = `${TURNSTILE_ORIGIN}/turnstile/v0/api.js?render=explicit`
/** Ten minutes before the pass ends (HUMAN_PASS_LIFETIME_MS). */
const RENEW_MS = 50 * 60_000
const RETRY_MS = 5000
/** The frame of the widget did not load. https://developers.cloudflare.com/turnstile/troubleshooting/client-side-errors/error-codes/ */
const FRAME_BLOCKED = '200500'
/** https://developers.cloudflare.com/turnstile/get-started/client-side-rendering/widget-configurations/ */
const FLEXIBLE_MIN_PX = 300

/**
 * Shows the widget where the page asks for it. A confirmed visitor gets a pass, which is renewed before it ends. `confirmed` is
 * called with each pass. Where the script or its frame is blocked, the page says so.
 */
export function confirmHuman(confirmed: () => void): void {
  const container = document.querySelector('#human')
  if (!(container instanceof HTMLElement)) return
  const script = document.createElement('script')
  script.src = SCRIPT
  script.addEventListener('load', () => show(container, confirmed))
  script.addEventListener('error', () => tellBlocked(container))
  document.head.append(script)
}

function show(container: HTMLElement, confirmed: () => void): void {
  const { turnstile } = window
  // Some blockers load an empty script instead.
  if (!turnstile) {
    tellBlocked(container)
    return
  }
  const widget = turnstile.render(container, {
    sitekey: container.dataset.siteKey ?? '',
    language: turnstileLanguage(),
    theme: document.documentElement.dataset.theme ?? 'auto',
    size: container.clientWidth < FLEXIBLE_MIN_PX ? 'compact' : 'flexible',
    // The page renews it: an expired token was exchanged before.
    'refresh-expired': 'manual',
    callback: (token) => void pass(token),
    'error-callback': (code) => {
      if (code === FRAME_BLOCKED) tellBlocked(container)
    },
  })

  async function pass(token: string): Promise<void> {
    const isConfirmed = await exchange(token)
    setTimeout(() => turnstile?.reset(widget), isConfirmed ? RENEW_MS : RETRY_MS)
    if (isConfirmed) confirmed()
  }
}

/** Says what to do in place of the widget. */
function tellBlocked(container: HTMLElement): void {
  container.hidden = true
  find('#human-blocked', HTMLElement).hidden = false
}

/** https://developers.cloudflare.com/turnstile/reference/supported-languages/ */
function turnstileLanguage(): string {
  const { lang } = document.documentElement
  return lang === 'zh-Hant' ? 'zh-tw' : lang
}

/** Exchanges a token for a pass. Returns whether the service gave one. */
async function exchange(token: string): Promise<boolean> {
  try {
    const response = await fetch(routes.human, { method: 'POST', body: new URLSearchParams({ token }) })
    return response.ok
  } catch {
    return false
  }
}
