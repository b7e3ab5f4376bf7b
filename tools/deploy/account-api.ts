// Requests of `npm run deploy`, `npm run tintype` and `npm run rehearse` to Cloudflare's API.
import { setTimeout as wait } from 'node:timers/promises'
import { z } from 'zod'

/** The address of the API; wrangler reads the same variable. */
export const API = process.env.CLOUDFLARE_API_BASE_URL || 'https://api.cloudflare.com/client/v4'

const TIMEOUT_MS = 60_000
/** Attempts at a request that the API refused with 429 or a status from 500 on. */
const ATTEMPTS = 4
const RETRY_MS = 1000
const RETRY_MAX_MS = 30_000
const PER_PAGE = 50

/** Error codes of the API. */
const CODES = { r2Off: 10042, bucketMissing: 10006, workerMissing: 10007 }

/** The API refused a request, or did not respond. */
export class AccountApiError extends Error {
  /** HTTP status; 0 without a response. */
  readonly status: number
  /** The API's own code; 0 without one. */
  readonly code: number

  constructor(message: string, status: number, code = 0) {
    super(message)
    this.status = status
    this.code = code
  }

  get isDenied() {
    return (this.status === 401 || this.status === 403) && !this.isR2Off
  }

  get isMissing() {
    return this.status === 404 || [CODES.bucketMissing, CODES.workerMissing].includes(this.code)
  }

  get isR2Off() {
    return this.code === CODES.r2Off
  }

  /** Whether the same request may succeed later. */
  get isPassing() {
    return this.status === 0 || this.status === 429 || this.status >= 500
  }
}

const PAGE_INFO = z.object({
  per_page: z.number().nullish(),
  total_count: z.number().nullish(),
  total_pages: z.number().nullish(),
})
const BODY = z.object({
  result: z.unknown(),
  errors: z.array(z.object({ code: z.number().nullish(), message: z.string().nullish() })).nullish(),
  result_info: PAGE_INFO.nullish(),
})
type Body = z.infer<typeof BODY>

/** Cloudflare's API, called with one token. */
export class AccountApi {
  readonly #address: string
  readonly #token: string
  readonly #retryMs: number

  /** `address` has no slash at its end. */
  constructor({ address, token, retryMs = RETRY_MS }: { address: string; token: string; retryMs?: number }) {
    this.#address = address
    this.#token = token
    this.#retryMs = retryMs
  }

  /** Returns the result of a read. */
  async get<Result>(path: string, form: z.ZodType<Result>): Promise<Result> {
    const { result } = await this.retried(() => this.#request('GET', path))
    return parse(path, form, result)
  }

  /** Returns the results of all pages of a list. */
  async list<Item>(path: string, form: z.ZodType<Item>): Promise<Item[]> {
    const all: Item[] = []
    for (let page = 1; ; page++) {
      const query = `${path.includes('?') ? '&' : '?'}page=${page}&per_page=${PER_PAGE}`
      const { result, result_info: info } = await this.retried(() => this.#request('GET', path + query))
      all.push(...parse(path, z.array(form), result ?? []))
      const pages = info?.total_pages ?? Math.ceil((info?.total_count ?? 0) / (info?.per_page || PER_PAGE))
      if (page >= pages) return all
    }
  }

  /** Sends a request that changes something, once. */
  async post(path: string, body: object) {
    return (await this.#request('POST', path, body)).result
  }

  /** Replaces something. A repeated request has the same effect. */
  async put(path: string, body: object) {
    return (await this.#request('PUT', path, body)).result
  }

  /** Deletes something. It is no error if it is missing. */
  async delete(path: string) {
    await this.#request('DELETE', path).catch((error) => {
      if (!(error instanceof AccountApiError && error.isMissing)) throw error
    })
  }

  /** Calls until it succeeds, or fails for good. */
  async retried<T>(call: () => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await call()
      } catch (error) {
        if (!(error instanceof AccountApiError && error.isPassing) || attempt === ATTEMPTS) throw error
        await wait(Math.min(this.#retryMs * 2 ** (attempt - 1), RETRY_MAX_MS))
      }
    }
  }

  async #request(method: string, path: string, body?: object): Promise<Body> {
    const response = await fetch(this.#address + path, {
      method,
      // A redirect would take the token elsewhere.
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
      headers: { Authorization: `Bearer ${this.#token}`, 'Content-Type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    }).catch(() => {
      throw new AccountApiError(`Cloudflare's API does not respond (${method} ${path})`, 0)
    })
    const text = await response.text().catch(() => '')
    const content = readBody(text)
    if (response.ok) return content
    const error = content.errors?.[0]
    const said = error?.message ? `: ${error.message}` : ''
    throw new AccountApiError(
      `Cloudflare's API responded ${response.status} to ${method} ${path}${said}`,
      response.status,
      error?.code ?? undefined,
    )
  }
}

/** Returns an empty body for a text that is no JSON, or not of this API. */
function readBody(text: string): Body {
  try {
    return BODY.safeParse(JSON.parse(text)).data ?? { result: undefined }
  } catch {
    return { result: undefined }
  }
}

function parse<Result>(path: string, form: z.ZodType<Result>, result: unknown): Result {
  const parsed = form.safeParse(result)
  if (parsed.success) return parsed.data
  throw new AccountApiError(`Cloudflare's API responded to GET ${path} in an unknown form`, 400)
}
