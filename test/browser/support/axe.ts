import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'

const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/** Rules that are off by default. */
const RULES = { 'target-size': { enabled: true }, 'label-content-name-mismatch': { enabled: true } }
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** Returns the violations of WCAG 2.2 A and AA and of best practices that axe-core finds on the current page. */
export function findBarriers(page: Page): Promise<string[]> {
  return run(page, { runOnly: TAGS, rules: RULES })
}

const COLOURS = ['color-contrast', 'link-in-text-block']
const SIZES = ['target-size']

/** Returns the violations in colours alone, which another theme affects. */
export function findFaintColours(page: Page): Promise<string[]> {
  return run(page, { runOnly: { type: 'rule', values: COLOURS } })
}

/**
 * Returns the violations in sizes, and in colours of overlapping elements, which another width affects for equal
 * content.
 */
export function findMisplaced(page: Page): Promise<string[]> {
  return run(page, { runOnly: { type: 'rule', values: [...COLOURS, ...SIZES] } })
}

/** Returns the violations except those in colours, which another text direction affects. */
export function findOtherBarriers(page: Page): Promise<string[]> {
  const off = Object.fromEntries(COLOURS.map((rule) => [rule, { enabled: false }]))
  return run(page, { runOnly: TAGS, rules: { ...RULES, ...off } })
}

async function run(page: Page, options: object): Promise<string[]> {
  // Before its style has loaded, a page may have any colour.
  await page.waitForLoadState()
  // Evaluated by the browser's protocol, which bypasses the page's Content-Security-Policy.
  if (!(await page.evaluate('typeof axe === "object"'))) await page.evaluate(AXE)
  // The passes would double the work.
  const findings: unknown = await page.evaluate(`axe
    .run(document, ${JSON.stringify({ ...options, reporter: 'no-passes', preload: false })})
    .then(({ violations }) =>
      violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => id + ' ' + target + ': ' + failureSummary)),
    )`)
  if (!Array.isArray(findings)) throw new Error(`axe returned ${JSON.stringify(findings)}`)
  return findings.map(String)
}
