import * as routes from '../routes.ts'
import { settingsText } from './sharex.ts'

/** `/.well-known/api-catalog` (RFC 9727): a linkset (RFC 9264) that names the API at `origin` and what describes it. */
export function apiCatalog(origin: string): string {
  return settingsText({
    linkset: [
      {
        anchor: origin + routes.apiCatalog,
        item: [{ href: origin + routes.home }],
      },
      {
        anchor: origin + routes.home,
        'service-desc': [
          { href: origin + routes.openApi, type: 'application/json' },
          { href: origin + routes.openApiYaml, type: 'application/yaml' },
        ],
        'service-doc': [
          { href: origin + routes.quickStart, type: 'text/html' },
          { href: origin + routes.reference, type: 'text/html' },
          { href: origin + routes.llmsTxt, type: 'text/plain' },
        ],
      },
    ],
  })
}
