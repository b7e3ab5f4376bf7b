import { OPENAPI_HASH, QUICK_START_RESPONSES, REFERENCE_OPERATIONS } from '#generated/contract.ts'
import { OPENAPI_JSON_PATH, OPENAPI_YAML_PATH, REFERENCE_PATH } from '../../api/contract.ts'
import { onDomain } from '../../api/placeholder.ts'
import { ERROR_CODES, ERRORS } from '../../errors.ts'
import { errorsPage, quickStartPage, referencePage } from '../../pages/docs/docs-pages.tsx'
import type { AppContext } from '../context.ts'
import { page } from '../responses/page-response.ts'
import { text } from '../responses/text.ts'
import { staticText } from '../static-asset.ts'

const ETAG = `W/"${OPENAPI_HASH}"`

/** `GET /openapi.json`: the OpenAPI document, with the addresses of the request's domain. Any web page may read it. */
export function serveOpenApi(c: AppContext): Promise<Response> {
  return openApi(c, OPENAPI_JSON_PATH, 'application/json; charset=UTF-8')
}

/** `GET /openapi.yaml`: the same in YAML (RFC 9512). */
export function serveOpenApiYaml(c: AppContext): Promise<Response> {
  return openApi(c, OPENAPI_YAML_PATH, 'application/yaml; charset=UTF-8')
}

async function openApi(c: AppContext, path: string, type: string): Promise<Response> {
  const headers = { 'Access-Control-Allow-Origin': '*', ETag: ETAG }
  if (c.req.header('If-None-Match')?.includes(ETAG)) {
    return c.body(null, 304, { ...headers, Vary: 'Accept-Encoding' })
  }
  return text(c, onDomain(c.var.host.site, await staticText(c, path)), type, { headers })
}

/** `GET /docs`: the quick start. */
export function serveQuickStart(c: AppContext): Response {
  const { site } = c.var.host
  const { upload, gallery, rename, status, delete: deleted } = QUICK_START_RESPONSES
  const responses = {
    upload: onDomain(site, upload),
    gallery: onDomain(site, gallery),
    rename: onDomain(site, rename),
    status: onDomain(site, status),
    delete: onDomain(site, deleted),
  }
  return page(c, 200, (context) => quickStartPage({ context, origin: site.pages, responses }))
}

/** `GET /docs/reference`: the reference of all operations. */
export async function serveReference(c: AppContext): Promise<Response> {
  const reference = onDomain(c.var.host.site, await staticText(c, REFERENCE_PATH))
  return page(c, 200, (context) => referencePage({ context, reference, operations: REFERENCE_OPERATIONS }))
}

/** `GET /docs/errors`: the cause of each error and its fix; the anchors are the codes. */
export function serveErrors(c: AppContext): Response {
  const errors = ERROR_CODES.map((code) => ({ code, ...ERRORS[code] }))
  return page(c, 200, (context) => errorsPage({ context, errors }))
}
