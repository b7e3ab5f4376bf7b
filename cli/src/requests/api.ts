import { randomUUID } from 'node:crypto'
import { STATUS_BODY_MAX_BYTES, STATUS_MAX_URLS } from '../../../src/limits.ts'
import * as routes from '../../../src/routes.ts'
import { printable } from '../printable.ts'
import { RequestFailed } from '../problems.ts'
import { type Response, send } from './http.ts'
import { type FormFile, multipartForm } from './multipart.ts'
import { waitAfter } from './rate-fields.ts'
import {
  type Gallery,
  readApiError,
  readDeleted,
  readGallery,
  readRenamed,
  readStatuses,
  readUpload,
  type Upload,
  type UrlStatus,
} from './responses.ts'
import { errorCodeOf, type Retrier } from './retrier.ts'

/** The operations of one host. Each throws `RequestFailed` with the host's own sentence, or `Stopped`. */
export interface Api {
  /** Under this Idempotency-Key, or a new one. */
  uploadImage: (texts: Texts, files: readonly FormFile[], manner?: UploadManner) => Promise<Upload>
  uploadCover: (texts: Texts, files: readonly FormFile[], manner?: UploadManner) => Promise<Upload>
  createGallery: (texts: Texts, key?: string) => Promise<Gallery>
  finalize: (gallery: Gallery) => Promise<void>
  /** At most STATUS_MAX_URLS. Keeps later requests waiting when the host says that no more are free. */
  status: (urls: readonly string[]) => Promise<UrlStatus[]>
  rename: (token: string, name: string) => Promise<{ name: string; url: string }>
  /**
   * Returns the type of the deleted resource; undefined if an earlier attempt deleted it, and its response is no longer
   * stored.
   */
  remove: (token: string) => Promise<string | undefined>
}

/** Options of an upload: `key` is its Idempotency-Key, `onSent` receives the number of bytes sent so far. */
interface UploadManner {
  key?: string
  onSent?: ((bytes: number) => void) | undefined
}

export type Texts = Readonly<Record<string, string>>

interface Body {
  contentType: string
  body: Uint8Array
}

const NOTHING: Body = { contentType: '', body: new Uint8Array() }
const TOKEN_REVOKED = 410

/** The operations of the host at `base`, tried as `retrier` has it until `signal` says stop. `uploadKey` is sent with uploads alone. */
export function apiAt(base: string, retrier: Retrier, signal: AbortSignal, uploadKey?: string): Api {
  const post = (path: string, { contentType, body }: Body, { key, onSent, onTry, isUpload }: Manner = {}) => {
    const headers = {
      Accept: 'application/json',
      'User-Agent': 'tintype-cli',
      ...(contentType && { 'Content-Type': contentType }),
      // All attempts have one key, so that a host that supports it performs the request once.
      ...(key !== undefined && { 'Idempotency-Key': key }),
      ...(isUpload && uploadKey !== undefined && { Authorization: `Bearer ${uploadKey}` }),
    }
    const url = new URL(base + path)
    return retrier.persist((tries) => {
      onTry?.(tries)
      return send({ url, headers, body, onSent }, signal)
    })
  }

  const upload = async (path: string, texts: Texts, files: readonly FormFile[], manner: UploadManner = {}) =>
    readUpload(
      requireSuccess(await post(path, multipartForm(texts, files), { key: randomUUID(), ...manner, isUpload: true }))
        .text,
    )

  return {
    uploadImage: (texts, files, manner) => upload(routes.images, texts, files, manner),
    uploadCover: (texts, files, manner) => upload(routes.covers, texts, files, manner),
    createGallery: async (texts, key = randomUUID()) => {
      const response = await post(routes.galleries, urlencoded(texts), { key, isUpload: true })
      return readGallery(requireSuccess(response).text)
    },
    finalize: async ({ hash, uploadToken }) => {
      const body = urlencoded({ gallery_upload_hash: uploadToken })
      requireSuccess(
        await post(routes.pathOf(routes.finalizeGallery, { gallery_hash: encodeURIComponent(hash) }), body),
      )
    },
    status: async (urls) => {
      const response = requireSuccess(await post(routes.imageStatus, statusBody(urls)))
      retrier.pauseFor(waitAfter(response.headers))
      return readStatuses(response.text, urls)
    },
    rename: async (token, name) =>
      readRenamed(
        requireSuccess(await post(routes.pathOf(routes.renameContent, { token }), urlencoded({ name }))).text,
      ),
    remove: async (token) => {
      let tries = 0
      const onTry = (time: number) => {
        tries = time
      }
      const response = await post(routes.pathOf(routes.deleteContent, { token }), NOTHING, { key: randomUUID(), onTry })
      if (response.status === TOKEN_REVOKED && tries > 1) return undefined
      return readDeleted(requireSuccess(response).text)
    },
  }
}

/** Options of a POST. */
interface Manner extends UploadManner {
  onTry?: (tries: number) => void
  isUpload?: boolean
}

/** Cuts URLs into requests that keep both limits of the specification: URLs and bytes. */
export function* statusBatches(urls: readonly string[]): Generator<string[]> {
  let batch: string[] = []
  for (const url of urls) {
    const grown = [...batch, url]
    if (grown.length <= STATUS_MAX_URLS && statusBody(grown).body.length <= STATUS_BODY_MAX_BYTES) {
      batch = grown
      continue
    }
    yield batch
    batch = [url]
  }
  if (batch.length > 0) yield batch
}

function statusBody(urls: readonly string[]): Body {
  return { contentType: 'application/json', body: Buffer.from(JSON.stringify({ urls })) }
}

function urlencoded(texts: Texts): Body {
  const body = Buffer.from(new URLSearchParams(texts).toString())
  return { contentType: 'application/x-www-form-urlencoded', body }
}

/** Returns a response with status 200. Throws `RequestFailed` with the host's sentence for any other. */
export function requireSuccess(response: Response, ifRedirected = 'call that with --url'): Response {
  if (response.status === 200) return response
  const { status } = response
  if (status >= 300 && status < 400) {
    throw new RequestFailed(`the host redirects to ${originOf(response.headers.location)}: ${ifRedirected}`, {
      status,
    })
  }
  const error = readApiError(response.text)
  throw new RequestFailed(printable(error?.message ?? plainSentence(response)), {
    status,
    code: errorCodeOf(response) ?? error?.code,
  })
}

/** A plain text of one line is the host's sentence (uploads and finalize); a page is not. */
function plainSentence({ status, text }: Response): string {
  const sentence = text.trim()
  return sentence && sentence.length <= 500 && !/^[<{[]|\n/.test(sentence)
    ? sentence
    : `the host responded with ${status}`
}

/** Never the path: that of a management request holds the token. */
function originOf(location: string | undefined): string {
  return location !== undefined && URL.canParse(location) ? new URL(location).origin : 'another address'
}
