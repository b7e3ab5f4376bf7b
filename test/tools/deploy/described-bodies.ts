/**
 * Bodies of Cloudflare's API, as its OpenAPI description has them. Read in Cloudflare's own client, which is generated from it:
 * cloudflare/cloudflare-typescript, commit faaaf89 of 2026-08-18, `src/resources/{d1,r2,workers}`.
 */
import type { ApiRequest } from './fake-cloudflare.ts'

/**
 * A body or a part of it: a type, a list of one form, or an object whose optional members end with `?`. `OneOf` are objects that
 * their member `type` tells apart.
 */
type Shape = 'string' | 'number' | 'boolean' | 'any' | readonly [Shape] | { readonly [member: string]: Shape } | OneOf

class OneOf {
  readonly forms: Readonly<Record<string, Shape>>
  constructor(forms: Readonly<Record<string, Shape>>) {
    this.forms = forms
  }
}

const LOGS: Shape = {
  ...{ enabled: 'boolean', invocation_logs: 'boolean', 'destinations?': ['string'] },
  ...{ 'head_sampling_rate?': 'number', 'persist?': 'boolean' },
}
const TRACES: Shape = {
  ...{ 'destinations?': ['string'], 'enabled?': 'boolean', 'head_sampling_rate?': 'number' },
  ...{ 'persist?': 'boolean', 'propagation_policy?': 'string' },
}
const OBSERVABILITY: Shape = {
  ...{ enabled: 'boolean', 'head_sampling_rate?': 'number', 'logs?': LOGS, 'traces?': TRACES },
}
/** Bindings that Tintype has; the description has 36 types. */
const BINDING = new OneOf({
  assets: { name: 'string', type: 'string' },
  plain_text: { name: 'string', type: 'string', text: 'string' },
  d1: { name: 'string', type: 'string', database_id: 'string', 'id?': 'string' },
  r2_bucket: { name: 'string', type: 'string', bucket_name: 'string', 'jurisdiction?': 'string' },
  durable_object_namespace: {
    ...{ name: 'string', type: 'string', 'class_name?': 'string', 'script_name?': 'string' },
    ...{ 'dispatch_namespace?': 'string', 'environment?': 'string', 'namespace_id?': 'string' },
  },
})
const STEP: Shape = {
  ...{ 'new_classes?': ['string'], 'new_sqlite_classes?': ['string'], 'deleted_classes?': ['string'] },
  ...{ 'renamed_classes?': ['any'], 'transferred_classes?': ['any'] },
}
/** Metadata of a version and of an upload. */
const METADATA: { readonly [member: string]: Shape } = {
  ...{ 'bindings?': [BINDING], 'cache_options?': 'any', 'compatibility_date?': 'string' },
  ...{ 'compatibility_flags?': ['string'], 'exports?': 'any', 'keep_bindings?': ['string'] },
  ...{ 'package_dependencies?': ['any'], 'usage_model?': 'string' },
}

/** The bodies by method and path, without the account and the names in it. */
const BODIES: Readonly<Record<string, Shape>> = {
  'POST /d1/database': {
    ...{ name: 'string', 'jurisdiction?': 'string', 'primary_location_hint?': 'string' },
    'read_replication?': { mode: 'string' },
  },
  'POST /d1/database/*/query': { sql: 'string', 'params?': ['string'] },
  'POST /r2/buckets': { name: 'string', 'locationHint?': 'string', 'storageClass?': 'string' },
  'POST /workers/scripts/*/assets-upload-session': { manifest: 'any' },
  // Parts in Base64, each named by the hash of a file.
  'POST /workers/assets/upload': 'any',
  'PUT /workers/scripts/*': {
    ...METADATA,
    ...{ 'main_module?': 'string', 'body_part?': 'string', 'assets?': 'any', 'keep_assets?': 'boolean' },
    'annotations?': { 'workers/message?': 'string', 'workers/tag?': 'string' },
    'limits?': { 'cpu_ms?': 'number', 'subrequests?': 'number' },
    'migrations?': { 'new_tag?': 'string', 'old_tag?': 'string', 'steps?': [STEP] },
    ...{ 'observability?': OBSERVABILITY, 'logpush?': 'boolean', 'placement?': 'any' },
    ...{ 'tags?': ['string'], 'tail_consumers?': ['any'] },
  },
  'POST /workers/scripts/*/versions': {
    ...METADATA,
    main_module: 'string',
    'annotations?': { 'workers/alias?': 'string', 'workers/message?': 'string', 'workers/tag?': 'string' },
  },
  'POST /workers/scripts/*/deployments': {
    strategy: 'string',
    versions: [{ percentage: 'number', version_id: 'string' }],
    'annotations?': { 'workers/message?': 'string' },
  },
  'PATCH /workers/scripts/*/script-settings': {
    ...{ 'logpush?': 'boolean', 'observability?': OBSERVABILITY, 'tags?': ['string'], 'tail_consumers?': ['any'] },
  },
  'POST /workers/scripts/*/subdomain': { enabled: 'boolean', 'previews_enabled?': 'boolean' },
  'PUT /workers/scripts/*/schedules': [{ cron: 'string' }],
  'PUT /workers/scripts/*/secrets': { name: 'string', text: 'string', type: 'string' },
  'POST /zones/*/workers/routes': { pattern: 'string', 'script?': 'string' },
}

/**
 * Differences of wrangler from the description. Wrangler is Cloudflare's, and its calls may be older or newer than what is published.
 * `id` of a D1 binding is described as the deprecated name of `database_id`.
 */
const OF_WRANGLER = [
  'PUT /workers/scripts/*/routes: not described',
  'PUT /workers/scripts/*: bindings[].database_id is missing',
  'PUT /workers/scripts/*: code_update_strategy is not described',
  'POST /workers/scripts/*/versions: bindings[].database_id is missing',
  'POST /workers/scripts/*/versions: assets is not described',
  'POST /workers/scripts/*/versions: limits is not described',
  'POST /workers/scripts/*/versions: observability is not described',
  'POST /workers/scripts/*/deployments: code_update_strategy is not described',
]

/** Returns how requests differ from the description, except for what wrangler is known to send. */
export function undescribed(requests: readonly ApiRequest[]): string[] {
  return deviations(requests).filter((line) => !OF_WRANGLER.includes(line))
}

/** Returns how the bodies of requests differ from the description, each difference once. */
export function deviations(requests: readonly Pick<ApiRequest, 'operation' | 'body'>[]): string[] {
  const lines = requests.flatMap(({ operation, body }) => {
    if (operation.startsWith('GET ')) return []
    const name = nameOf(operation)
    const shape = BODIES[name]
    if (shape === undefined) return [`${name}: not described`]
    return differences(contentOf(body), shape, '').map((line) => `${name}: ${line}`)
  })
  return [...new Set(lines)].toSorted()
}

/** Returns an operation without the names of what it is about. */
function nameOf(operation: string): string {
  return operation
    .replace(/(\/(?:scripts|database|zones|services|environments)\/)[^/]+/g, '$1*')
    .replace(/^(\w+) \/accounts\/[^/]+/, '$1 ')
}

/** Returns the JSON of a body: where it has several parts, that of `metadata`, or the body itself. */
function contentOf(body: string): unknown {
  if (body.startsWith('--') && !body.includes('name="metadata"')) return body
  return JSON.parse(/name="metadata"\r\n\r\n(.*)\r\n/.exec(body)?.[1] ?? body)
}

function differences(value: unknown, shape: Shape, at: string): string[] {
  if (shape === 'any') return []
  if (typeof shape === 'string') return typeof value === shape ? [] : [`${at} is no ${shape}`]
  if (isList(shape)) {
    if (!Array.isArray(value)) return [`${at} is no list`]
    return value.flatMap((item) => differences(item, shape[0], `${at}[]`))
  }
  const members = new Map(Object.entries(Object(value)))
  if (shape instanceof OneOf) {
    const form = shape.forms[String(members.get('type'))]
    return form === undefined
      ? [`${at}: the type ${members.get('type')} is not described`]
      : differences(value, form, at)
  }
  const pathOf = (name: string) => (at === '' ? name : `${at}.${name}`)
  const named = Object.entries(shape).map(([name, form]) => ({
    name: name.replace('?', ''),
    form,
    isOptional: name.endsWith('?'),
  }))
  return [
    ...named.flatMap(({ name, form, isOptional }) => {
      if (members.has(name)) return differences(members.get(name), form, pathOf(name))
      return isOptional ? [] : [`${pathOf(name)} is missing`]
    }),
    ...[...members.keys()]
      .filter((name) => !named.some((one) => one.name === name))
      .map((name) => `${pathOf(name)} is not described`),
  ]
}

function isList(shape: Exclude<Shape, string>): shape is readonly [Shape] {
  return Array.isArray(shape)
}
