import { MIB } from 'tintype-codec/units'
import * as z from 'zod'
import { ERRORS, type ErrorCode } from '../errors.ts'
import { STATUS_RATE_BURST, STATUS_RATE_INTERVAL_MS, UPLOAD_MAX_BYTES } from '../limits.ts'
import { API_ERROR, FORM_ERROR, PROBLEM } from '../responses.ts'
import * as routes from '../routes.ts'
import { SECOND_MS } from '../units.ts'
import { CORS, ERROR, EVERY, HEADERS, type Header, type HeaderName, PRIVATE, wireName } from './headers.ts'
import { legacyNote } from './legacy-statuses.ts'
import {
  type ErrorStyle,
  OPERATIONS,
  type Operation,
  type OperationResponse,
  type Parameter,
  PREFLIGHT,
  TAGS,
} from './operations.ts'
import { PLACEHOLDER_DOMAIN } from './placeholder.ts'
import { responseSchema } from './response-schema.ts'

/** A recorded response of a running service. */
export interface Example {
  /** The operation, and what the example shows. */
  operation: string
  title: string
  status: number
  type: string
  body: unknown
}

/** Input of the document beside the tables: recorded responses. */
export interface DocumentSources {
  examples: readonly Example[]
}

type Part = Record<string, unknown>

const ApiError = responseSchema(API_ERROR)
const FormError = responseSchema(FORM_ERROR)
const Problem = responseSchema(PROBLEM)
const SERVER = `https://${PLACEHOLDER_DOMAIN}`

/** Paragraphs that apply to all operations. */
export const INTRODUCTION: readonly string[] = [
  `An image host. Upload pictures of up to ${UPLOAD_MAX_BYTES / MIB} MiB, collect them in galleries, share their pages, and delete or rename with private links. There are no accounts and no API keys.`,
  'Links in a response are on the domain of the request; `show_url` is the one to share. `api.`, `www.` and the bare domain are equivalent.',
  'Look at the status before the body: uploads and finalize explain errors in plain text, all other operations as ApiError. 414 to 417 have legacy meanings, told with each operation. Every error has a stable code in `X-Error-Code`, and in `Link` the address of its entry in the documentation of errors. With `Accept: application/problem+json` all errors are Problem Details (RFC 9457).',
  `Only the image status has a rate limit: ${STATUS_RATE_BURST} requests at once, then one every ${STATUS_RATE_INTERVAL_MS / SECOND_MS} seconds. Web pages of any origin may read every response to POST and OPTIONS.`,
  'Every response has an `X-Request-ID` from the server: include it when you report a failure. Errors and responses to POST are `Cache-Control: no-store`.',
  'Unknown fields are ignored; an empty optional field has its default value. Any other method on these paths, and POST to any other path, is 400 with an ApiError.',
]

/** The API as an OpenAPI 3.1 document. */
export function openApiDocument({ examples }: DocumentSources): Part {
  const paths: Record<string, Part> = {}
  for (const operation of OPERATIONS) {
    const own = examples.filter((example) => example.operation === operation.id)
    paths[operation.path] = { ...paths[operation.path], [operation.method]: operationPart(operation, own) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tintype',
      version: '2.0.0',
      summary: 'Image Hosting Service API v2',
      description: INTRODUCTION.join('\n\n'),
      license: { name: 'MIT', identifier: 'MIT' },
    },
    externalDocs: { description: 'Quick start', url: SERVER + routes.quickStart },
    servers: [{ url: SERVER, description: 'The domain that this document was requested from. Links are on it.' }],
    security: [],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    components: { schemas: componentSchemas(), headers: componentHeaders(), securitySchemes: SECURITY_SCHEMES },
    'x-other-requests': {
      preflight: { 204: responsePart(PREFLIGHT, []) },
      unsupported: { 400: errorPart(['unsupported_endpoint'], 'json', CORS, []) },
    },
  }
}

/** Marks what the published contract lacks (D51). */
const EXTENSION = { 'x-extension': true }

/** Headers in place of those that all errors of an operation have. */
const HEADERS_OF_STATUS: Readonly<Record<number, readonly HeaderName[]>> = { 401: ['WWW-Authenticate'], 405: ['Allow'] }

/** The ways to send the key of an uploader, where uploads need one. */
const SECURITY_SCHEMES = {
  uploadKey: { type: 'http', scheme: 'bearer', ...EXTENSION },
  uploadPassword: { type: 'http', scheme: 'basic', ...EXTENSION },
}

function operationPart(operation: Operation, examples: readonly Example[]): Part {
  const { id, tag, summary, description, parameters, body, method } = operation
  const ofMethod = method === 'post' ? [...CORS, ...PRIVATE] : []
  const responses: Record<string, Part> = {}
  for (const [status, response] of Object.entries(operation.responses)) {
    const shown = examples.filter((example) => example.status === Number(status))
    responses[status] = responsePart({ ...response, headers: [...response.headers, ...ofMethod] }, shown)
  }
  const { style, codes, headers } = operation.errors
  for (const status of [...new Set(codes.map((code) => ERRORS[code].status))].sort()) {
    const ofStatus = codes.filter((code) => ERRORS[code].status === status)
    const more: HeaderName[] = [...(HEADERS_OF_STATUS[status] ?? headers), ...ofMethod]
    if (ofStatus.some((code) => ERRORS[code].retry === 'after')) {
      more.push(ofStatus.includes('request_in_progress') ? 'Retry-After: in-progress' : 'Retry-After')
    }
    const shown = examples.filter((example) => example.status === status)
    responses[status] = errorPart(ofStatus, style, more, shown, legacyNote(ofStatus, status))
  }
  return {
    operationId: id,
    ...(operation.isExtension ? EXTENSION : {}),
    ...(codes.includes('upload_key_required') ? { security: [{}, { uploadKey: [] }, { uploadPassword: [] }] } : {}),
    tags: [tag],
    summary,
    description: description.join('\n\n'),
    ...(parameters ? { parameters: parameters.map(parameterPart) } : {}),
    ...(body
      ? {
          requestBody: {
            required: body.required,
            content: Object.fromEntries([
              ...body.types.map((type) => [type, { schema: reference(body.schema) }]),
              ...(body.extensionTypes ?? []).map((type) => [type, { ...EXTENSION, schema: reference(body.schema) }]),
            ]),
          },
        }
      : {}),
    responses,
  }
}

function parameterPart({ schema, isExtension, ...parameter }: Parameter): Part {
  const required = parameter.in === 'path' || parameter.name === 'url'
  return {
    ...parameter,
    ...(required ? { required } : {}),
    ...(isExtension ? EXTENSION : {}),
    schema: schema instanceof z.ZodType ? inline(schema) : schema,
  }
}

function responsePart(
  { description, headers, json, types = [] }: OperationResponse,
  examples: readonly Example[],
): Part {
  const content = Object.fromEntries([
    ...(json ? [['application/json', { schema: reference(json), ...exampleParts(examples, 'application/json') }]] : []),
    ...types.map((type) => [
      type,
      type.startsWith('text/') ? { schema: { type: 'string' }, ...exampleParts(examples, type) } : {},
    ]),
  ])
  return {
    description,
    headers: headerParts(headers),
    ...(Object.keys(content).length > 0 ? { content } : {}),
  }
}

/** The response for a status: the error codes that share it, each with its cause, and their body. */
function errorPart(
  codes: readonly ErrorCode[],
  style: ErrorStyle,
  headers: readonly HeaderName[],
  examples: readonly Example[],
  note = '',
): Part {
  const told = codes.map((code) => `\`${code}\`: ${ERRORS[code].cause}`)
  const text = { 'text/plain': { schema: { type: 'string' }, ...exampleParts(examples, 'text/plain') } }
  const json = {
    'application/json': { schema: reference(ApiError), ...exampleParts(examples, 'application/json') },
  }
  const described = { 'application/json': { schema: reference(FormError) } }
  // For clients that name it in Accept.
  const asProblem = { 'application/problem+json': { ...EXTENSION, schema: reference(Problem) } }
  // Other methods on the path of an upload are refused in JSON (D19).
  const both = style === 'text' && codes.includes('unsupported_endpoint')
  return {
    description: [...(note ? [note] : []), ...told].join('\n\n'),
    headers: headerParts(
      [...headers, ...ERROR],
      !(codes.includes('unsupported_endpoint') || codes.includes('method_not_allowed')),
    ),
    content: {
      ...(style === 'text' ? { ...text, ...(both ? json : {}) } : style === 'json' ? json : described),
      ...asProblem,
    },
  }
}

/** References to the headers. CORS headers that depend on the method are optional. */
function headerParts(names: readonly HeaderName[], always = true): Part {
  return Object.fromEntries(
    [...EVERY, ...names].map((name) => [
      wireName(name),
      isShared(name) && (always || !CORS.includes(name))
        ? { $ref: `#/components/headers/${componentName(name)}` }
        : headerPart(name, always),
    ]),
  )
}

function exampleParts(examples: readonly Example[], type: string): Part {
  const own = examples.filter((example) => example.type === type)
  if (own.length === 0) return {}
  return {
    examples: Object.fromEntries(
      own.map(({ title, body }) => [
        title.replace(/[^A-Za-z0-9]+/g, '-').toLowerCase(),
        { summary: title, value: body },
      ]),
    ),
  }
}

function componentHeaders(): Part {
  const names = Object.keys(HEADERS).filter((name): name is HeaderName => Object.hasOwn(HEADERS, name))
  return Object.fromEntries(names.filter(isShared).map((name) => [componentName(name), headerPart(name)]))
}

/** Whether an operation has the header, not only the preflight. */
function isShared(name: HeaderName): boolean {
  return CORS.includes(name) || !PREFLIGHT.headers.includes(name)
}

function headerPart(name: HeaderName, mayBeRequired = true): Part {
  const { description, always, schema }: Header = HEADERS[name]
  return { description, required: always && mayBeRequired, schema }
}

/** Names of components have no colons. */
function componentName(name: HeaderName): string {
  return name.replace(/: /, '.')
}

/** Every named schema. */
export function componentSchemas(): Record<string, z.core.JSONSchema.BaseSchema> {
  const { schemas } = z.toJSONSchema(z.globalRegistry, { ...SETTINGS, uri: schemaAddress })
  return Object.fromEntries(Object.entries(schemas).map(([id, { $schema: _, $id: __, ...schema }]) => [id, schema]))
}

function inline(schema: z.ZodType): Part {
  const { $schema: _, ...own } = z.toJSONSchema(schema, SETTINGS)
  return own
}

function reference(schema: z.ZodType): Part {
  const id = z.globalRegistry.get(schema)?.id
  if (id === undefined) throw new Error('a schema of a body must have an id')
  return { $ref: schemaAddress(id) }
}

function schemaAddress(id: string): string {
  return `#/components/schemas/${id}`
}

/** JSON Schema 2020-12 as requests are sent, without the bounds of JavaScript's own integers. */
const SETTINGS = {
  target: 'draft-2020-12',
  io: 'input',
  override({ jsonSchema }) {
    if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
    if (jsonSchema.format === 'binary') delete jsonSchema.contentEncoding
  },
} as const satisfies Parameters<typeof z.toJSONSchema>[1]
