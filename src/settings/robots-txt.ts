import * as routes from '../routes.ts'

/** Where secrets are, or forms and no content: nothing for a search engine. */
const PRIVATE_PATHS = [routes.prefixOf(routes.manage), routes.report, routes.uploadForm, routes.OPERATOR_PREFIX]

/** `/robots.txt` (RFC 9309): pages and pictures are for everybody. */
export function robotsTxt(): string {
  return `${['User-agent: *', ...PRIVATE_PATHS.map((path) => `Disallow: ${path}`), 'Allow: /'].join('\n')}\n`
}
