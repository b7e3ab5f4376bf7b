import type { Page } from 'playwright-core'

/** Features of CSS, as the patterns that name them, and the unknown ones that take their place. */
const RENAMED = {
  ':has()': [/:has\(/g, ':hasnt('],
  'light-dark()': [/light-dark\(/g, 'dark-light('],
  '@media (scripting)': [/\(scripting/g, '(nonscripting'],
} as const satisfies Record<string, readonly [RegExp, string]>

/** A feature of CSS that `withoutStyle` removes. */
export type StyleFeature = keyof typeof RENAMED

/**
 * Makes a page's style sheets use an unknown name for a feature. The browser then drops what needs the feature, as a
 * browser without it does.
 */
export async function withoutStyle(page: Page, feature: StyleFeature): Promise<void> {
  const [pattern, unknown] = RENAMED[feature]
  await page.route(
    () => true,
    async (route) => {
      const type = route.request().resourceType()
      if (type !== 'document' && type !== 'stylesheet') return route.fallback()
      const response = await route.fetch()
      // The policy names the digests of the page's own style.
      const { 'content-security-policy': _, ...headers } = response.headers()
      await route.fulfill({ response, headers, body: (await response.text()).replace(pattern, unknown) })
    },
  )
}
