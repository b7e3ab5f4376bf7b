import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Tab } from './tab.ts'

/** Ends a wait that hangs. It is long, because the machine may be busy. */
const HANGING_MS = 60_000
const PAUSE_MS = 60

/** Elements by their roles: the native ones, and those that say it. */
const ROLES = {
  button: 'button, [role=button], input[type=submit], summary',
  checkbox: 'input[type=checkbox]',
  dialog: 'dialog[open], [role=dialog]',
  heading: 'h1, h2, h3',
  link: 'a[href]',
  radio: 'input[type=radio]',
  region: '[role=region], section[aria-labelledby], section[aria-label]',
  textbox: 'input:not([type]), input[type=text], input[type=email], input[type=url], input[type=search], textarea',
} as const

type Role = keyof typeof ROLES

/** A person at a browser: finds what is on a page by role and name, and waits for it. */
export class Visitor {
  readonly #tab: Tab
  readonly #baseUrl: string
  readonly #screenshots: string | undefined

  /** Stores screenshots in a folder, if one is given. */
  constructor(tab: Tab, baseUrl: string, screenshots?: string) {
    this.#tab = tab
    this.#baseUrl = baseUrl
    this.#screenshots = screenshots
  }

  /** Opens a path of the service, or a whole address. */
  async open(address: string): Promise<void> {
    await this.#tab.open(new URL(address, this.#baseUrl).href)
  }

  /** Returns the value of an expression in the page, as JSON. */
  evaluate(expression: string): Promise<unknown> {
    return this.#tab.evaluate(expression)
  }

  /** Waits until an expression has this value in the page, or a value that matches. */
  async expects(expression: string, value: unknown): Promise<void> {
    await expect
      .poll(() => this.#tab.evaluate(expression).catch((error: Error) => error.message), {
        timeout: HANGING_MS,
        interval: PAUSE_MS,
        message: expression,
      })
      .toEqual(value)
  }

  /** Waits until an element with this role, whose name contains a text, is visible. */
  async sees(role: Role, name: string): Promise<void> {
    await this.#find(role, name)
  }

  /** Waits until no such element is visible. */
  async misses(role: Role, name: string): Promise<void> {
    await this.expects(`${pointOf(ROLES[role], name)} === null`, true)
  }

  /** Clicks an element with the mouse, once it is visible and nothing covers it. */
  async clicks(role: Role, name: string): Promise<void> {
    const { x, y } = await this.#find(role, name)
    await this.#tab.click(x, y)
  }

  /** Clicks the first visible element of a selector. */
  async clicksOn(selector: string): Promise<void> {
    const { x, y } = await this.#waitFor(selector, '')
    await this.#tab.click(x, y)
  }

  /** Clicks a link or a button that opens another page, and waits until that page has loaded. */
  async follows(role: Role, name: string): Promise<void> {
    await this.#tab.evaluate('window.left = true')
    await this.clicks(role, name)
    await this.expects("window.left === undefined && document.readyState === 'complete'", true)
  }

  /** Clicks a field, and types a text without capitals into it. */
  async types(name: string, text: string): Promise<void> {
    await this.clicks('textbox', name)
    for (const letter of text) await this.#tab.press(letter)
  }

  async presses(...keys: readonly string[]): Promise<void> {
    await this.#tab.press(...keys)
  }

  async choosesFiles(files: readonly string[]): Promise<void> {
    await this.expects("document.readyState === 'complete' && document.querySelector('#img') !== null", true)
    await this.#tab.setFiles('#img', files)
  }

  async resizes(width: number, height: number): Promise<void> {
    await this.#tab.resize(width, height)
  }

  /** Stores a screenshot, if a folder was given. */
  async photographs(name: string): Promise<void> {
    if (this.#screenshots === undefined) return
    // A page may be drawn a frame later.
    await new Promise((resolve) => setTimeout(resolve, 700))
    mkdirSync(this.#screenshots, { recursive: true })
    writeFileSync(join(this.#screenshots, `${name}.png`), await this.#tab.screenshot())
  }

  /** Fails if the console printed errors or warnings since the last call, other than expected ones. */
  expectsSilence(expected: readonly RegExp[] = []): void {
    const complaints = this.#tab.complaints().filter((complaint) => !expected.some((one) => one.test(complaint)))
    expect(complaints).toEqual([])
  }

  #find(role: Role, name: string): Promise<{ x: number; y: number }> {
    return this.#waitFor(ROLES[role], name)
  }

  async #waitFor(selector: string, name: string): Promise<{ x: number; y: number }> {
    const until = Date.now() + HANGING_MS
    for (;;) {
      // While another page loads, nothing can be evaluated.
      const point = await this.#tab.evaluate(pointOf(selector, name)).catch(() => null)
      if (isPoint(point)) return point
      if (Date.now() > until) throw new Error(`there is no ${selector} with the name "${name}"`)
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    }
  }
}

/** Returns an expression: a point of the first visible element of this name that nothing covers, or null. */
function pointOf(selector: string, name: string): string {
  return `(${findPoint})(${JSON.stringify(selector)}, ${JSON.stringify(name)})`
}

/** Runs in the page. */
function findPoint(selector: string, name: string): { x: number; y: number } | null {
  const nameOf = (element: Element) => {
    const ids = element.getAttribute('aria-labelledby')?.split(' ') ?? []
    const labels = 'labels' in element && element.labels instanceof NodeList ? [...element.labels] : []
    const texts = [...ids.map((id) => document.getElementById(id)), ...labels].map((label) => label?.textContent)
    return [element.getAttribute('aria-label'), ...texts, element.textContent, element.getAttribute('title')].join(' ')
  }
  const modal = document.querySelector('dialog:modal')
  for (const element of document.querySelectorAll<HTMLElement>(selector)) {
    if (modal && !modal.contains(element)) continue
    if (element.getClientRects().length === 0 || getComputedStyle(element).visibility === 'hidden') continue
    if (!nameOf(element).replaceAll(/\s+/g, ' ').includes(name)) continue
    element.scrollIntoView({ block: 'center', behavior: 'instant' })
    const [box] = element.getClientRects()
    if (!box) continue
    const point = { x: box.x + box.width / 2, y: box.y + box.height / 2 }
    const hit = document.elementFromPoint(point.x, point.y)
    const isLabel = hit instanceof Element && hit.closest('label')?.control === element
    // During a transition between pages, clicks go to the root.
    if (element.contains(hit) || isLabel) return point
  }
  return null
}

function isPoint(value: unknown): value is { x: number; y: number } {
  return typeof value === 'object' && value !== null && 'x' in value && 'y' in value
}
