import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'

const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/** Off unless asked for by name. */
const RULES = { 'target-size': { enabled: true }, 'label-content-name-mismatch': { enabled: true } }
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** What axe-core finds wrong with a page as it stands: WCAG 2.2 A and AA, and its best practices. */
export function findBarriers(page: Page): Promise<string[]> {
  return run(page, { runOnly: TAGS, rules: RULES })
}

const COLOURS = ['color-contrast', 'link-in-text-block']
const SIZES = ['target-size']

/** What it finds in the colours alone: all that another theme changes. */
export function findFaintColours(page: Page): Promise<string[]> {
  return run(page, { runOnly: { type: 'rule', values: COLOURS } })
}

/** What it finds in sizes, and in the colours of what lies on what: all that another width changes, while the same is shown. */
export function findMisplaced(page: Page): Promise<string[]> {
  return run(page, { runOnly: { type: 'rule', values: [...COLOURS, ...SIZES] } })
}

/** What it finds but in the colours: all that another direction changes. */
export function findOtherBarriers(page: Page): Promise<string[]> {
  const off = Object.fromEntries(COLOURS.map((rule) => [rule, { enabled: false }]))
  return run(page, { runOnly: TAGS, rules: { ...RULES, ...off } })
}

async function run(page: Page, options: object): Promise<string[]> {
  // Before its style has come, a page may have any colour.
  await page.waitForLoadState()
  // Evaluated from outside, which the page's Content-Security-Policy does not know of.
  if (!(await page.evaluate('typeof axe === "object"'))) await page.evaluate(AXE)
  // What passes is half the work to tell.
  const findings: unknown = await page.evaluate(`axe
    .run(document, ${JSON.stringify({ ...options, reporter: 'no-passes', preload: false })})
    .then(({ violations }) =>
      violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => id + ' ' + target + ': ' + failureSummary)),
    )`)
  if (!Array.isArray(findings)) throw new Error(`axe answered ${JSON.stringify(findings)}`)
  return findings.map(String)
}
