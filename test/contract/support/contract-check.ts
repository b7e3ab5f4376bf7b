import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { OPENAPI_JSON_PATH } from '../../../src/api/contract.ts'
import { readStaticText } from '../../support/static-assets.ts'
import type { ApiResponse, Ask } from './client.ts'
import { readSentFields } from './sent-fields.ts'

/** The parts of the document that the checks below read. The linter checks the rest. */
interface Schema {
  type?: string
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: unknown
  $ref?: string
}
interface Content {
  [mediaType: string]: { schema?: Schema }
}
interface ResponseObject {
  headers: Record<string, { $ref?: string; required?: boolean; schema?: Schema }>
  content?: Content
}
type Responses = Record<string, ResponseObject>
interface OperationObject {
  parameters?: { name: string; in: string; required?: boolean; schema: Schema }[]
  requestBody?: { required: boolean; content: Content }
  responses: Responses
}
interface OpenApi {
  paths: Record<string, Record<string, OperationObject>>
  components: { schemas: Record<string, Schema>; headers: Record<string, { required?: boolean; schema?: Schema }> }
  'x-other-requests': { preflight: Responses; unsupported: Responses }
}

const API: OpenApi = JSON.parse(readStaticText(OPENAPI_JSON_PATH))
const PATHS = Object.entries(API.paths).map(([template, methods]) => ({
  template,
  methods,
  pattern: new RegExp(`^${template.replaceAll('.', '\\.').replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
}))

/** Headers that HTTP itself adds, which are no part of a contract. */
const TRANSPORT = [
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'date',
  'keep-alive',
  'transfer-encoding',
]
/** Headers that protect users of browsers, which other clients ignore. headers.test.ts tests them. */
const PROTECTIVE = [
  'content-security-policy',
  'cross-origin-resource-policy',
  'referrer-policy',
  'strict-transport-security',
]
/** Pages with forms, and paths for the operator, are not in the document. */
const NO_API = /^\/(?:upload|share|report|operator\/.*|manage\/.*|add\/.*)$/

const requests = validators(API.components.schemas)
// Objects of responses have documented properties only, although clients must expect more.
const responseSchemas = validators(closed(API.components.schemas))

/** Throws if the OpenAPI document does not describe this response, or this request that was accepted. */
export function checkAgainstContract(ask: Ask, received: ApiResponse): void {
  const method = (ask.method ?? 'POST').toLowerCase()
  const path = ask.path.split('?')[0] ?? ''
  const complain = (what: string): never => {
    throw new Error(
      `not in the OpenAPI document: ${method.toUpperCase()} ${ask.path} had the status ${received.status}: ${what}`,
    )
  }
  if (!received.headers['x-request-id']) complain('without X-Request-ID')
  if (received.headers['x-content-type-options'] !== 'nosniff') complain('without nosniff (D44)')
  if (received.status >= 400 && received.headers['cache-control'] !== 'no-store')
    complain('an error without no-store (D44)')
  const matched = PATHS.find(({ pattern }) => pattern.test(path))
  const operation = matched?.methods[method]
  const responses = operation?.responses ?? otherResponses(method, path, matched?.methods, received)
  if (!responses || isPage(method, received)) return
  const response = responses[received.status] ?? complain(`this status is none of ${Object.keys(responses).join(', ')}`)
  checkHeaders(response, received, complain)
  checkBody(response, received, method, complain)
  if (!operation || received.status >= 400 || ask.beyondContract !== undefined) return
  checkParameters(operation, ask, matched?.pattern.exec(path)?.groups ?? {}, complain)
  checkSentBody(operation, ask, complain)
}

/** Returns the documented responses to a request that is no operation. */
function otherResponses(
  method: string,
  path: string,
  methods: Record<string, OperationObject> | undefined,
  received: ApiResponse,
): Responses | undefined {
  const { preflight, unsupported } = API['x-other-requests']
  if (method === 'options') return received.status === 204 ? preflight : unsupported
  if (method === 'head' && methods?.get) return methods.get.responses
  if (methods?.post && received.status === 405) return { 405: methods.post.responses[405] ?? { headers: {} } }
  if (methods?.post && method !== 'post' && received.status !== 404) return unsupported
  if (method === 'get' || method === 'head' || NO_API.test(path)) return undefined
  return unsupported
}

/** On a host without this operation, GET returns a page. */
function isPage(method: string, received: ApiResponse): boolean {
  return ['get', 'head'].includes(method) && /^text\/html/.test(received.headers['content-type'] ?? '')
}

type Complain = (what: string) => never

function checkHeaders(response: ResponseObject, received: ApiResponse, complain: Complain): void {
  const documented = new Map(
    Object.entries(response.headers).map(([name, header]) => [name.toLowerCase(), resolve(header)]),
  )
  for (const [name, value] of Object.entries(received.headers)) {
    const header = documented.get(name)
    if (!header) {
      if (![...TRANSPORT, ...PROTECTIVE].includes(name)) complain(`the header ${name} is not documented`)
    } else if (header.schema) {
      check(responseSchemas.inline(header.schema), coerce(header.schema, String(value)), `the header ${name}`, complain)
    }
  }
  for (const [name, header] of documented) {
    if (header.required && received.headers[name] === undefined) complain(`the header ${name} is missing`)
  }
}

function checkBody({ content }: ResponseObject, received: ApiResponse, method: string, complain: Complain): void {
  if (method === 'head' || (!content && received.bytes.length === 0)) return
  if (received.bytes.length === 0) complain('the body is missing')
  const [type = '', ...parameters] = (received.headers['content-type'] ?? '').split(/;\s*/)
  const documented =
    content?.[type] ?? complain(`a body of ${type || 'no type'} is none of ${Object.keys(content ?? {})}`)
  const textual = /^text\/|\/json$/.test(type)
  if (textual !== (parameters[0] === 'charset=UTF-8')) complain(`the charset is wrong: ${parameters[0]}`)
  if (!documented.schema) return
  const value: unknown = /[/+]json$/.test(type) ? JSON.parse(received.text) : received.text
  check(responseSchemas.schema(documented.schema), value, 'the body', complain)
}

function checkParameters(
  { parameters = [] }: OperationObject,
  ask: Ask,
  inPath: Record<string, string>,
  complain: Complain,
): void {
  const query = Object.fromEntries(new URLSearchParams(ask.path.split('?')[1] ?? ''))
  const headers = Object.fromEntries(
    Object.entries(ask.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]),
  )
  const known = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name)
  const sent = { path: inPath, query, header: headers }
  for (const { name, in: location, required, schema } of parameters) {
    const value =
      location === 'header' ? headers[name.toLowerCase()] : location === 'path' ? sent.path[name] : sent.query[name]
    if (value === undefined && required) complain(`${name} was not sent, and is required`)
    if (value) check(requests.inline(schema), coerce(schema, value), name, complain)
  }
  const unknown = Object.keys(query).filter((name) => !known.includes(name))
  if (known.length > 0 && unknown.length > 0) complain(`the query's ${unknown.join(', ')} is not documented`)
}

function checkSentBody({ requestBody }: OperationObject, ask: Ask, complain: Complain): void {
  if (!requestBody) return
  const contentType = Object.entries(ask.headers ?? {}).find(([name]) => name.toLowerCase() === 'content-type')?.[1]
  const { body } = ask
  // A body that was sent in chunks is consumed.
  if (body !== undefined && typeof body !== 'string' && !(body instanceof Uint8Array)) return
  if (!body?.length) {
    if (requestBody.required) complain('no body was sent, and one is required')
    return
  }
  const type = contentType?.split(';')[0]?.trim().toLowerCase() ?? ''
  const documented = requestBody.content[type] ?? complain(`a body of ${type || 'no type'} was taken`)
  if (!documented.schema) return
  const schema = deref(documented.schema)
  const fields = readSentFields(type, contentType ?? '', Buffer.from(body))
  const values = Object.entries(fields)
    // Sent empty, an optional field has its default.
    .filter(([name, value]) => value !== '' || schema.required?.includes(name))
    .map(([name, value]) => [name, typeof value === 'string' ? coerce(schema.properties?.[name] ?? {}, value) : value])
  check(requests.schema(documented.schema), Object.fromEntries(values), 'the request', complain)
}

function check(validate: ValidateFunction, value: unknown, what: string, complain: Complain): void {
  if (!validate(value)) {
    complain(
      `${what} is not as documented: ${validate.errors?.map(({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`).join('; ')}`,
    )
  }
}

/** Converts a text on the wire to the type of its schema. */
function coerce({ type }: Schema, text: string): unknown {
  return type === 'integer' && /^(?:0|[1-9][0-9]*)$/.test(text) ? Number(text) : text
}

function deref(schema: Schema): Schema {
  return schema.$ref ? (API.components.schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {}) : schema
}

function resolve(header: ResponseObject['headers'][string]) {
  return header.$ref ? (API.components.headers[header.$ref.split('/').at(-1) ?? ''] ?? {}) : header
}

/** Returns validators of the document's schemas. Each is compiled once. */
function validators(schemas: Record<string, Schema>) {
  const ajv = new Ajv2020({ allErrors: true, strict: false })
  ajv.addFormat('binary', true)
  ajv.addFormat('int64', true)
  ajv.addFormat('date-time', /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z$/)
  ajv.addFormat('uri', (text) => URL.canParse(text))
  ajv.addFormat('uuid', /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
  ajv.addSchema({ components: { schemas } }, 'api')
  const compiled = new Map<string, ValidateFunction>()
  const compile = (schema: Schema) => {
    const key = JSON.stringify(schema)
    const validate = compiled.get(key) ?? ajv.compile(schema)
    compiled.set(key, validate)
    return validate
  }
  return {
    inline: compile,
    schema: (schema: Schema) => compile(schema.$ref ? { $ref: `api${schema.$ref}` } : schema),
  }
}

function closed(schemas: Record<string, Schema>): Record<string, Schema> {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [
      name,
      schema.type === 'object' ? { ...schema, additionalProperties: false } : schema,
    ]),
  )
}
