import { randomBytes } from 'node:crypto'
import { beforeEach, inject } from 'vitest'
import { type ApiResponse, type Ask, sendByContract } from './client.ts'
import { foreignSender, skip, UNDELETABLE } from './foreign.ts'
import { type Body, type Fields, multipartBody, type Part, parts } from './multipart-body.ts'

/** The operations of one service, each giving the raw answer. Every call may name the host, headers and the like. */
export interface Api {
  baseUrl: string
  send: (ask: Ask) => Promise<ApiResponse>
  get: (path: string, more?: Partial<Ask>) => Promise<ApiResponse>
  /** Fetches a link of an answer from this service: its host becomes the Host header. */
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
  /** Asks for the status of URLs, from an address never seen before unless one is given. */
  status: (urls: readonly string[], address?: string) => Promise<ApiResponse>
}

/** The operations of the service at `baseUrl`. */
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

/** The operations of the service that all contract tests share. */
export function sharedApi(): Api {
  return apiAt(inject('baseUrl'))
}

/** Whether tests may start services of their own: they may not against somebody else's. */
export function mayStartServices(): boolean {
  return inject('target') === undefined
}

/** Where the pages of the shared service really answer, for programs that know no Host header. Skips the test where nowhere. */
export function reachableOrigin(): string {
  const target = inject('target')
  if (!target) return inject('baseUrl')
  // Links are https and without a port, but on localhost (D5, D6).
  if (target.direct ? target.domains.includes('localhost') : /^https:[^:]+$/.test(target.baseUrl)) {
    return target.direct ? target.baseUrl : `https://${target.domains[0]}`
  }
  return skip('the hosts of its links cannot be reached from here')
}

/** Skips the tests of a file or block against a service that does not believe which address a request comes from. */
export function needChosenAddresses(): void {
  beforeEach(({ skip }) => {
    skip(inject('target')?.choosesAddress === false, 'it needs clients of many addresses, and this is one')
  })
}

/** Skips the running test against a service of somebody else's, where it would leave what nobody can delete. */
export function leaveContent(): void {
  if (inject('target')) skip(UNDELETABLE)
}

/** A client address that no test has used, so with a full rate-limit bucket. */
export function freshAddress(): string {
  // Of the larger prefix for documentation (RFC 9637): no two clients of a run have one network.
  const [a = '', b = '', c = ''] = randomBytes(6).toString('hex').match(/.{4}/g) ?? []
  return `3fff:${a.slice(1)}:${b}:${c}::1`.replace(/:0+(?=[0-9a-f])/g, ':')
}

function isParts(form: Fields | readonly Part[]): form is readonly Part[] {
  return Array.isArray(form)
}

function asRequest({ contentType, bytes }: Body, { headers, ...more }: Partial<Ask> = {}): Partial<Ask> {
  return { body: bytes, headers: { 'content-type': contentType, ...headers }, ...more }
}
