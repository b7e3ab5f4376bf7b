// Requests of `npm run deploy`, `npm run tintype` and `npm run rehearse` to Cloudflare's API.
import { setTimeout as wait } from 'node:timers/promises'

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
  /**
   * @param {string} message
   * @param {number} status HTTP status; 0 without a response
   * @param {number} [code] the API's own
   */
  constructor(message, status, code = 0) {
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

/** @typedef {{ result?: unknown, errors?: { code?: number, message?: string }[], result_info?: PageInfo }} Body */
/** @typedef {{ page?: number, per_page?: number, total_count?: number, total_pages?: number } | null} PageInfo */

/** Cloudflare's API, called with one token. */
export class AccountApi {
  /**
   * @param {{ address: string, token: string, retryMs?: number }} options `address` without a slash at its end
   */
  constructor({ address, token, retryMs = RETRY_MS }) {
    this.address = address
    /** @type {string} */
    this.#token = token
    this.retryMs = retryMs
  }

  #token

  /**
   * Returns the result of a read.
   * @template T
   * @param {string} path
   * @returns {Promise<T>}
   */
  async get(path) {
    const { result } = await this.retried(() => this.#request('GET', path))
    return /** @type {T} */ (result)
  }

  /**
   * Returns the results of all pages of a list.
   * @template T
   * @param {string} path
   * @returns {Promise<T[]>}
   */
  async list(path) {
    /** @type {T[]} */
    const all = []
    for (let page = 1; ; page++) {
      const query = `${path.includes('?') ? '&' : '?'}page=${page}&per_page=${PER_PAGE}`
      const { result, result_info: info } = await this.retried(() => this.#request('GET', path + query))
      all.push(.../** @type {T[]} */ (result ?? []))
      const pages = info?.total_pages ?? Math.ceil((info?.total_count ?? 0) / (info?.per_page || PER_PAGE))
      if (page >= pages) return all
    }
  }

  /**
   * Sends a request that changes something, once.
   * @param {string} path
   * @param {object} body
   */
  async post(path, body) {
    return (await this.#request('POST', path, body)).result
  }

  /**
   * Replaces something. It may be sent again.
   * @param {string} path
   * @param {object} body
   */
  async put(path, body) {
    return (await this.#request('PUT', path, body)).result
  }

  /**
   * Deletes something; what is missing is no error.
   * @param {string} path
   */
  async delete(path) {
    await this.#request('DELETE', path).catch((error) => {
      if (!(error instanceof AccountApiError && error.isMissing)) throw error
    })
  }

  /**
   * Calls until it succeeds, or fails for good.
   * @template T
   * @param {() => Promise<T>} call
   * @returns {Promise<T>}
   */
  async retried(call) {
    for (let attempt = 1; ; attempt++) {
      try {
        return await call()
      } catch (error) {
        if (!(error instanceof AccountApiError && error.isPassing) || attempt === ATTEMPTS) throw error
        await wait(Math.min(this.retryMs * 2 ** (attempt - 1), RETRY_MAX_MS))
      }
    }
  }

  /**
   * @param {string} method
   * @param {string} path
   * @param {object} [body]
   * @returns {Promise<Body>}
   */
  async #request(method, path, body) {
    const response = await fetch(this.address + path, {
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
    const { errors: [error] = [], ...content } = readBody(text)
    if (response.ok) return content
    const said = error?.message ? `: ${error.message}` : ''
    throw new AccountApiError(
      `Cloudflare's API responded ${response.status} to ${method} ${path}${said}`,
      response.status,
      error?.code,
    )
  }
}

/** @returns {Body} */
function readBody(/** @type {string} */ text) {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}
