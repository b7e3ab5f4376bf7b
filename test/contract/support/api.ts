import { randomBytes } from 'node:crypto'
import { beforeEach, inject } from 'vitest'
import { type ApiResponse, type Ask, sendByContract } from './client.ts'
import { foreignSender, skip, UNDELETABLE } from './foreign.ts'
import { type Body, type Fields, multipartBody, type Part, parts } from './multipart-body.ts'

/** The operations of a service, which return raw responses. `more` sets the host, headers and other options. */
export interface Api {
  baseUrl: string
  send: (ask: Ask) => Promise<ApiResponse>
  get: (path: string, more?: Partial<Ask>) => Promise<ApiResponse>
  /** Requests a link of a response from this service. The link's host becomes the Host header. */
  follow: (link: string, more?: Partial<Ask>) => Promise<ApiResponse>
  postMultipart: (path: string, form: Fields | readonly Part[], more?: Partial<Ask>) => Promise<ApiResponse>
  postUrlencoded: (path: string, form: Readonly<Record<string, string>>, more?: Partial<Ask>) => Promise<ApiResponse>
  postJson: (path: string, value: unknown, more?: Partial<Ask>) => Promise<ApiResponse>
  uploadImage: (form: Fields | readonly Part[], more?: Partial<Ask>) => Promise<ApiResponse>
  uploadCover: (form: Fields | readonly Part[], more?: Partial<Ask>) => Promise<ApiResponse>
  createGallery: (form?: Readonly<Record<string, string>>, more?: Partial<Ask>) => Promise<ApiResponse>
  finalize: (galleryHash: string, uploadToken: string, more?: Partial<Ask>) => Promise<ApiResponse>
  rename: (managementToken: string, name: string, more?: Partial<Ask>) => Promise<ApiResponse>
  remove: (managementToken: string, more?: Partial<Ask>) => Promise<ApiResponse>
  /** Requests the status of URLs, by default from an unused address. */
  status: (urls: readonly string[], address?: string) => Promise<ApiResponse>
}

/** Returns the operations of the service at `baseUrl`. */
export function apiAt(baseUrl: string): Api {
  const target = inject('target')
  const api: Api = {
    baseUrl,
    send: target?.baseUrl === baseUrl ? foreignSender(target) : (ask) => sendByContract(baseUrl, ask),
    get: (path, more) => api.send({ method: 'GET', path, ...more }),
    follow: (link, more) => {
      const { host, pathname, search } = new URL(link)
      return api.get(pathname + search, { host, ...more })
    },
    postMultipart: (path, form, more) =>
      api.send({ path, ...asRequest(multipartBody(isParts(form) ? form : parts(form)), more) }),
    postUrlencoded: (path, form, more) => {
      const bytes = Buffer.from(new URLSearchParams(form).toString())
      return api.send({ path, ...asRequest({ contentType: 'application/x-www-form-urlencoded', bytes }, more) })
    },
    postJson: (path, value, more) => {
      const bytes = Buffer.from(JSON.stringify(value))
      return api.send({ path, ...asRequest({ contentType: 'application/json', bytes }, more) })
    },
    uploadImage: (form, more) => api.postMultipart('/images', form, more),
    uploadCover: (form, more) => api.postMultipart('/covers', form, more),
    createGallery: (form = {}, more) => api.postUrlencoded('/galleries', form, more),
    finalize: (hash, token, more) =>
      api.postUrlencoded(`/galleries/${hash}/finalize`, { gallery_upload_hash: token }, more),
    rename: (token, name, more) => api.postUrlencoded(`/management/${token}/rename`, { name }, more),
    remove: (token, more) => api.send({ path: `/management/${token}/delete`, ...more }),
    status: (urls, address = freshAddress()) =>
      api.postJson('/images/status', { urls }, { headers: { 'cf-connecting-ip': address } }),
  }
  return api
}

/** Returns the operations of the service that all contract tests share. */
export function sharedApi(): Api {
  return apiAt(inject('baseUrl'))
}

/** Returns whether tests may start services of their own, which the conformance tests of another service may not. */
export function mayStartServices(): boolean {
  return inject('target') === undefined
}

/**
 * Returns the origin at which the shared service serves pages without a Host header. Skips the test if there is none.
 */
export function reachableOrigin(): string {
  const target = inject('target')
  if (!target) return inject('baseUrl')
  // Links use https and have no port, except on localhost (D5, D6).
  if (target.direct ? target.domains.includes('localhost') : /^https:[^:]+$/.test(target.baseUrl)) {
    return target.direct ? target.baseUrl : `https://${target.domains[0]}`
  }
  return skip('the hosts of its links cannot be reached from here')
}

/** Skips the tests of a file or block against a service that ignores the sent client address. */
export function needChosenAddresses(): void {
  beforeEach(({ skip }) => {
    skip(inject('target')?.choosesAddress === false, 'it needs clients of many addresses, and this is one')
  })
}

/** Skips the running test against another service, where it would leave content that nobody can delete. */
export function leaveContent(): void {
  if (inject('target')) skip(UNDELETABLE)
}

/** Returns an unused client address, whose rate-limit bucket is full. */
export function freshAddress(): string {
  // From the larger prefix for documentation (RFC 9637). No two clients of a run share a network.
  const [a = '', b = '', c = ''] = randomBytes(6).toString('hex').match(/.{4}/g) ?? []
  return `3fff:${a.slice(1)}:${b}:${c}::1`.replace(/:0+(?=[0-9a-f])/g, ':')
}

function isParts(form: Fields | readonly Part[]): form is readonly Part[] {
  return Array.isArray(form)
}

function asRequest({ contentType, bytes }: Body, { headers, ...more }: Partial<Ask> = {}): Partial<Ask> {
  return { body: bytes, headers: { 'content-type': contentType, ...headers }, ...more }
}
