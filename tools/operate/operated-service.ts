// Calls the service for operators' commands. On this machine it uses a key of the data folder (--port N, --data DIR as
// for `npm start`), for a deployed service (--url https://host) the key in TINTYPE_OPERATOR_KEY.
import path from 'node:path'
import type { ZodType } from 'zod'
import { fail, ROOT } from '../install/installed.mjs'
import { codeOf, messageOf, reasonOf } from '../shared/command-line.ts'
import { type JsonObject, parseObject } from '../shared/json.ts'
import { readOperatorKey, withoutName } from '../shared/operator-key.ts'

/** The end of a command that was used wrongly. */
export const WRONG_USE = 2

/** The options that say which service is meant. */
export const SERVICE_OPTIONS = {
  url: { type: 'string' },
  port: { type: 'string', default: '8787' },
  data: { type: 'string', default: path.join(ROOT, '.data') },
  as: { type: 'string' },
} as const

const KEY_VARIABLE = 'TINTYPE_OPERATOR_KEY'
/** As src/limits.ts has it. */
const KEY_MIN_CHARACTERS = 32
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']
const TIMEOUT_MS = 60_000

/** The options as they were given. */
export interface ServiceOptions {
  url?: string | undefined
  port: string
  data: string
  as?: string | undefined
}

/** A service, and the key that it knows. `data` is the folder of the one on this machine. */
export interface OperatedService {
  origin: string
  key: string
  data: string | undefined
}

/** The error of an address at which no service responds. */
export class NoResponse extends Error {}

/** The error of a service that is busy, or read-only for now. */
export class NotNow extends Error {
  /** Seconds after which to try again. */
  readonly retryAfterS: number

  constructor(message: string, retryAfterS: number) {
    super(message)
    this.retryAfterS = retryAfterS
  }
}

/** Where to ask, and by which key: that of this machine goes nowhere else. Anything wrong ends the process with a sentence. */
export function readService(options: ServiceOptions): OperatedService {
  if (options.url === undefined) {
    const data = path.resolve(options.data)
    return { origin: `http://localhost:${options.port}`, key: localKey(data, options.as), data }
  }
  const origin = safeOrigin(options.url)
  if (options.as !== undefined)
    fail(`--as goes with a service on this machine: ${KEY_VARIABLE} says who you are`, WRONG_USE)
  const key = withoutName(process.env[KEY_VARIABLE]?.trim() ?? '')
  if (!key) return fail(`set ${KEY_VARIABLE} to the OPERATOR_KEY of ${origin}`, WRONG_USE)
  return { origin, key, data: undefined }
}

/** The origin of an address that a key may be sent to: nobody on the way reads it. Any other ends the process with a sentence. */
export function safeOrigin(address: string, option: string = '--url') {
  const url = safely((text) => new URL(text), address)
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && LOOPBACK.includes(url.hostname))
  if (url && isSafe) return url.origin
  return fail(
    `${option} must begin with https://, so that nobody on the way reads the key: received "${address}"`,
    WRONG_USE,
  )
}

function localKey(data: string, name: string | undefined) {
  try {
    return readOperatorKey(data, name)
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') return fail(messageOf(error))
    return fail(
      `there is no operator.key in ${data}: start the service once with this data folder, or name its own with --data`,
    )
  }
}

/**
 * Returns the service's response to an operator's request. Throws `NoResponse` if no service responds, and `NotNow` for a 503 if
 * `retries` is true. Other failures end the process with a message.
 */
export async function ask(
  { origin, key, data }: OperatedService,
  method: string,
  address: string,
  body?: object,
  { retries = false } = {},
): Promise<JsonObject> {
  const response = await fetch(origin + address, {
    method,
    // A redirect would take the key elsewhere.
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
    headers: { Authorization: `Bearer ${key}`, ...(body && { 'Content-Type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  }).catch((error) => {
    throw new NoResponse(`no response from ${origin}: is the service running? (${reasonOf(error)})`)
  })
  const json = safely(parseObject, await response.text())
  if (response.ok && json) return json
  if (retries && response.status === 503) {
    throw new NotNow(`${origin} is busy`, Number(response.headers.get('Retry-After') ?? 1))
  }
  if (response.status === 401) fail(`${origin} does not know this key: ${whereTheKeyIs(data)}${hintOf(key)}`)
  // Without an OPERATOR_KEY, the path does not exist.
  if (!json || json.error === 'unsupported_endpoint') {
    fail(`${origin} has no operator (status ${response.status}): give it an OPERATOR_KEY, or check the address`)
  }
  return fail(`${json.message} (status ${response.status})`)
}

/** Returns a response in its checked form. Another form ends the process with a sentence. */
export function parsed<Value>(schema: ZodType<Value>, response: unknown): Value {
  const { success, data, error } = schema.safeParse(response)
  if (success) return data
  const [{ path: field, message } = { path: [], message: '' }] = error.issues
  return fail(`the service runs another version, whose response is not understood: ${field.join('.')}: ${message}`)
}

function whereTheKeyIs(data: string | undefined) {
  return data === undefined
    ? `${KEY_VARIABLE} must be its OPERATOR_KEY`
    : `it is that of ${data}; name the data folder of the service with --data`
}

/** A short key may be the right one, and is refused all the same. */
function hintOf(key: string) {
  return key.length < KEY_MIN_CHARACTERS
    ? `. It must have at least ${KEY_MIN_CHARACTERS} characters: replace it there, and here`
    : ''
}

/** A line that steers no terminal: neither by control characters nor by turning the direction of what follows. */
export function plain(text: string) {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\u{fffd}')
}

export function count(number: number, noun: string) {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}

function safely<T>(parse: (text: string) => T, text: string) {
  try {
    return parse(text)
  } catch {
    return undefined
  }
}
