import * as routes from '../routes.ts'

/** Paths that contain secrets or only forms: not for search engines. */
const PRIVATE_PATHS = [
  routes.prefixOf(routes.manage),
  routes.prefixOf(routes.addImages),
  routes.report,
  routes.uploadForm,
  routes.OPERATOR_PREFIX,
]

/** `/robots.txt` (RFC 9309). Pages and images may be indexed. */
export function robotsTxt(): string {
  return `${['User-agent: *', ...PRIVATE_PATHS.map((path) => `Disallow: ${path}`), 'Allow: /'].join('\n')}\n`
}
