import { Buffer } from 'node:buffer'
import { AwsV4Signer } from 'aws4fetch'
import { S3_BODY_MAX_MS, S3_CALL_MAX_MS, S3_DELETES_AT_ONCE, S3_STALL_MAX_MS, S3_XML_MAX_BYTES } from '../../limits.ts'
import { toPresent } from '../../time.ts'
import { SECOND_MS } from '../../units.ts'
import { readChunk } from './chunks.ts'
import { isLacking, NO_RESPONSE, ODD_RESPONSE, S3Error } from './s3-error.ts'
import type { S3Settings } from './s3-settings.ts'
import { escapeXml, parseXml, requireText, type XmlElement } from './s3-xml.ts'
import type { FileStore, StoredFile, StoredFileBody } from './store.ts'

/** Keys of the service itself, which are no files: they are never listed. */
export const OWN_KEYS = '.tintype/'

/** SHA-256 of no bytes. */
const EMPTY_SHA256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
const UNSIGNED = 'UNSIGNED-PAYLOAD'
/** The MD5 of a file stays with it: the entity tag is another value where the service encrypts (SSE-KMS). */
const MD5_HEADER = 'x-amz-meta-md5'
const NAMESPACE = 'http://s3.amazonaws.com/doc/2006-03-01/'

/** A request to the bucket, or to a key of it. */
interface S3Request {
  method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE'
  key?: string
  query?: Readonly<Record<string, string>>
  headers?: Readonly<Record<string, string>>
  body?: Uint8Array<ArrayBuffer>
  maxMs?: number
}

/** Files in S3, and the detected features of their service. */
export interface S3Files extends FileStore {
  /** Whether it refuses puts that are conditional on there being no such key. */
  refusesConditionalPut: () => boolean
}

/** Returns the MD5 of bytes. That of Workers is the default; Node.js has it elsewhere. */
type DigestMd5 = (bytes: Uint8Array<ArrayBuffer>) => Promise<ArrayBuffer | Uint8Array>

const digestMd5OfWorkers: DigestMd5 = (bytes) => crypto.subtle.digest('MD5', bytes)

/**
 * Files in a bucket of an S3-compatible service, by plain `fetch`. Each method makes one attempt and throws an `S3Error` if it
 * fails. The caller decides about retries.
 */
export function s3Files(settings: S3Settings, digestMd5: DigestMd5 = digestMd5OfWorkers): S3Files {
  const { folder, credentials, region } = settings
  const origin = originOf(settings)
  const isEncrypted = settings.endpoint.startsWith('https:')
  /** Features that the service was found to lack. */
  const lacks = { conditionalPut: !settings.hasConditionalPut, batchDelete: false }
  const signingKeys = new Map<string, ArrayBuffer>()

  /** Returns the response of a request that succeeded. */
  async function send({ method, key, query, headers, body, maxMs = S3_CALL_MAX_MS }: S3Request): Promise<Response> {
    const path = key === undefined ? '' : `/${encodePath(folder + key)}`
    const search = Object.entries(query ?? {}).map(([name, value]) => `${encode(name)}=${encode(value)}`)
    const url = `${origin}${path}${search.length > 0 ? `?${search.join('&')}` : ''}`
    const signed = await new AwsV4Signer({
      method,
      url,
      headers: { ...headers, 'x-amz-content-sha256': await payloadDigest(method, body) },
      ...credentials,
      service: 's3',
      region,
      cache: signingKeys,
    }).sign()
    // After it is signed: proxies in front of some services change it.
    signed.headers.set('Accept-Encoding', 'identity')
    // The signal's timer counts from the clock of this request.
    await toPresent()
    let response: Response
    try {
      response = await fetch(url, {
        method,
        headers: signed.headers,
        ...(body && { body }),
        // The signature is for this address alone.
        redirect: 'manual',
        signal: AbortSignal.timeout(maxMs),
      })
    } catch (cause) {
      throw new S3Error(method, 0, NO_RESPONSE, { cause })
    }
    if (response.ok) return response
    throw await refusalOf(method, response)
  }

  /** Over plain HTTP the bytes are signed against changes on the way. TLS protects them by itself. */
  async function payloadDigest(method: S3Request['method'], body: Uint8Array<ArrayBuffer> | undefined) {
    if (!body) return EMPTY_SHA256
    if (isEncrypted && method === 'PUT') return UNSIGNED
    return hex(await crypto.subtle.digest('SHA-256', body))
  }

  async function create(key: string, bytes: Uint8Array, { mediaType }: { mediaType: string }): Promise<boolean> {
    const body = inArrayBuffer(bytes)
    const md5 = await digestMd5(body)
    const headers = { 'Content-MD5': base64(md5), 'Content-Type': mediaType, [MD5_HEADER]: hex(md5) }
    if (!lacks.conditionalPut) {
      try {
        await discard('PUT', await send({ method: 'PUT', key, body, headers: { ...headers, 'If-None-Match': '*' } }))
        return true
      } catch (error) {
        if (error instanceof S3Error && error.status === 412) return false
        if (!isLacking(error)) throw error
        lacks.conditionalPut = true
      }
    }
    // Two puts of one key at a time would both pass. There are none: an id is reserved before its files are put.
    if (await headResponse(key)) return false
    await discard('PUT', await send({ method: 'PUT', key, body, headers }))
    return true
  }

  async function read(key: string, range?: { offset: number; length: number }): Promise<StoredFileBody | undefined> {
    const headers = range && { Range: `bytes=${range.offset}-${range.offset + range.length - 1}` }
    const response = await orAbsent(send({ method: 'GET', key, maxMs: S3_BODY_MAX_MS, ...(headers && { headers }) }))
    if (!response) return undefined
    try {
      if (!response.body) throw odd('GET', response)
      const facts = factsOf(key, response, range)
      return { ...facts, body: withoutStalls(response.body, range?.length ?? facts.size) }
    } catch (error) {
      await response.body?.cancel()
      throw error
    }
  }

  async function headResponse(key: string): Promise<Response | undefined> {
    try {
      return await send({ method: 'HEAD', key })
    } catch (error) {
      if (error instanceof S3Error && error.status === 404) return undefined
      throw error
    }
  }

  async function head(key: string): Promise<StoredFile | undefined> {
    const response = await headResponse(key)
    if (response) return factsOf(key, response)
    // The response to HEAD has no body. Only the body distinguishes a missing file from a missing bucket.
    const found = await read(key, { offset: 0, length: 1 })
    await found?.body.cancel()
    return found
  }

  async function deleteBatch(keys: readonly string[]): Promise<void> {
    const objects = keys.map((key) => `<Object><Key>${escapeXml(folder + key)}</Key></Object>`).join('')
    const body = inArrayBuffer(
      new TextEncoder().encode(`<Delete xmlns="${NAMESPACE}"><Quiet>true</Quiet>${objects}</Delete>`),
    )
    const headers = { 'Content-MD5': base64(await digestMd5(body)), 'Content-Type': 'application/xml' }
    const response = await send({ method: 'POST', query: { delete: '' }, body, headers })
    const result = await readXml('POST', response, 'DeleteResult')
    const refused = result.children
      .filter(({ name }) => name === 'Error')
      .map((error) => requireText(error, 'Code'))
      .find((code) => code !== 'NoSuchKey')
    if (refused !== undefined) throw new S3Error('POST', response.status, refused)
  }

  async function deleteEach(keys: readonly string[]): Promise<void> {
    for (let from = 0; from < keys.length; from += S3_DELETES_AT_ONCE) {
      const some = keys.slice(from, from + S3_DELETES_AT_ONCE)
      const ended = await Promise.allSettled(some.map((key) => orAbsent(send({ method: 'DELETE', key }))))
      for (const end of ended) {
        if (end.status === 'rejected') throw end.reason
        if (end.value) await discard('DELETE', end.value)
      }
    }
  }

  return {
    create,
    read,
    head,
    refusesConditionalPut: () => lacks.conditionalPut,

    async delete(keys) {
      if (keys.length === 0) return
      if (keys.length > 1 && !lacks.batchDelete) {
        try {
          return await deleteBatch(keys)
        } catch (error) {
          if (!isLacking(error)) throw error
          lacks.batchDelete = true
        }
      }
      await deleteEach(keys)
    },

    async list({ prefix = '', after, limit }) {
      const query = {
        'encoding-type': 'url',
        'list-type': '2',
        'max-keys': String(limit),
        prefix: folder + prefix,
        ...(after === undefined ? {} : { 'start-after': folder + after }),
      }
      const response = await send({ method: 'GET', query })
      const result = await readXml('GET', response, 'ListBucketResult')
      const contents = result.children.filter(({ name }) => name === 'Contents').map(listedFile)
      const isLast = requireText(result, 'IsTruncated') === 'false'
      let last = folder + (after ?? '')
      for (const { key } of contents) {
        // Otherwise a page could repeat forever, or miss files.
        if (!key.startsWith(folder + prefix) || (key <= last && key !== folder)) throw odd('GET', response)
        last = key
      }
      if (contents.length > limit || (contents.length === 0 && !isLast)) throw odd('GET', response)
      const files = contents.map((file) => ({ ...file, key: file.key.slice(folder.length) }))
      // Some programs put an empty object where others have a folder.
      return { files: files.filter(({ key }) => key !== '' && !key.startsWith(OWN_KEYS)), isLast }
    },
  }
}

function originOf({ endpoint, bucket, addressing }: S3Settings): string {
  return addressing === 'path'
    ? `${endpoint}/${bucket}`
    : `${endpoint.replace('://', `://${bucket}.`)}/`.replace(/\/+$/, '')
}

/** Workers know the length of such a stream, and send it as Content-Length. Node.js has none. */
interface Runtime {
  FixedLengthStream?: new (
    length: number,
  ) => { readable: ReadableStream<Uint8Array>; writable: WritableStream<Uint8Array> }
  Date: unknown
}

/**
 * Returns a body that fails if the service sends nothing for S3_STALL_MAX_MS. The signal of a `fetch` does not reach a body that
 * the runtime forwards by itself. A slow client is not a stall.
 */
function withoutStalls(body: ReadableStream<Uint8Array>, length: number): ReadableStream<Uint8Array> {
  const { FixedLengthStream }: Runtime = globalThis
  if (!FixedLengthStream) return body
  const { readable, writable } = new FixedLengthStream(length)
  const [reader, writer] = [body.getReader({ mode: 'byob' }), writable.getWriter()]
  const pump = async () => {
    for (;;) {
      const chunk = await orStalled(readChunk(reader))
      if (!chunk) return writer.close()
      await writer.write(chunk)
    }
  }
  pump().catch(async (error: unknown) => {
    await Promise.allSettled([reader.cancel(error), writer.abort(error)])
  })
  return readable
}

async function orStalled<Result>(reading: Promise<Result>): Promise<Result> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const stalled = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new S3Error('GET', 0, NO_RESPONSE)), S3_STALL_MAX_MS)
  })
  try {
    return await Promise.race([reading, stalled])
  } finally {
    clearTimeout(timer)
  }
}

/** Returns undefined for a response about a missing key. A missing bucket is an error. */
async function orAbsent(request: Promise<Response>): Promise<Response | undefined> {
  try {
    return await request
  } catch (error) {
    if (error instanceof S3Error && error.status === 404 && error.code === 'NoSuchKey') return undefined
    throw error
  }
}

/** Returns the facts in the headers of a response. Throws where one is missing, or where it is not the part that was asked for. */
function factsOf(key: string, response: Response, range?: { offset: number; length: number }): StoredFile {
  const { headers, status } = response
  const etag = headers.get('ETag') ?? ''
  const uploaded = new Date(headers.get('Last-Modified') ?? '')
  const length = Number(headers.get('Content-Length') ?? Number.NaN)
  let size = length
  if (range) {
    const [, first, last, all] = /^bytes ([0-9]+)-([0-9]+)\/([0-9]+)$/.exec(headers.get('Content-Range') ?? '') ?? []
    size = Number(all)
    const isWanted = Number(first) === range.offset && Number(last) === Math.min(range.offset + range.length, size) - 1
    if (status !== 206 || !isWanted) throw odd('GET', response)
  } else if (status !== 200) throw odd('GET', response)
  if (!isEntityTag(etag) || Number.isNaN(uploaded.getTime()) || !Number.isSafeInteger(size)) throw odd('GET', response)
  return { key, size, etag, uploaded, md5: md5Of(headers.get(MD5_HEADER)) }
}

/** Returns a file of a list. Its MD5 is not known: the entity tag may be another value. */
function listedFile(contents: XmlElement): StoredFile {
  const key = decodeListed(requireText(contents, 'Key'))
  const etag = requireText(contents, 'ETag')
  const size = requireText(contents, 'Size')
  const uploadedMs = Date.parse(requireText(contents, 'LastModified'))
  if (key === undefined || !isEntityTag(etag) || !/^[0-9]{1,15}$/.test(size) || Number.isNaN(uploadedMs)) {
    throw new S3Error('GET', 200, ODD_RESPONSE)
  }
  // In whole seconds, as headers have it.
  const uploaded = new Date(uploadedMs - (uploadedMs % SECOND_MS))
  return { key, size: Number(size), etag, uploaded, md5: undefined }
}

/** Returns a key that was listed with `encoding-type=url`: Amazon writes a space as `+`. */
function decodeListed(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return undefined
  }
}

function isEntityTag(text: string): boolean {
  return /^"[!#-~]+"$/.test(text)
}

function md5Of(text: string | null): Uint8Array | undefined {
  return text !== null && /^[0-9a-f]{32}$/.test(text) ? Uint8Array.from(Buffer.from(text, 'hex')) : undefined
}

/** Returns the error of a refused request, from the XML of its response if that can be read. */
async function refusalOf(method: string, response: Response): Promise<S3Error> {
  const { status, headers } = response
  const wanted = headers.get('x-amz-bucket-region') ?? undefined
  try {
    const error = parseXml(await readText(method, response))
    const region = error.children.find(({ name }) => name === 'Region')?.text ?? wanted
    return new S3Error(method, status, safeCode(requireText(error, 'Code')), { region })
  } catch {
    return new S3Error(method, status, '', { region: wanted })
  }
}

/** Codes are single words. Anything else is not logged. */
function safeCode(code: string): string {
  return /^[A-Za-z0-9._-]{1,64}$/.test(code) ? code : ODD_RESPONSE
}

async function readXml(method: string, response: Response, root: string): Promise<XmlElement> {
  const text = await readText(method, response)
  try {
    const element = parseXml(text)
    if (element.name === root) return element
    // A response that began with 200 can end in an error.
    if (element.name === 'Error') throw new S3Error(method, response.status, safeCode(requireText(element, 'Code')))
  } catch (error) {
    if (error instanceof S3Error) throw error
  }
  throw odd(method, response)
}

/** Returns the text of a response of bounded size. */
async function readText(method: string, response: Response): Promise<string> {
  const { body } = response
  if (!body) return ''
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  let text = ''
  let bytes = 0
  try {
    for await (const chunk of body) {
      bytes += chunk.byteLength
      if (bytes > S3_XML_MAX_BYTES) throw odd(method, response)
      text += decoder.decode(chunk, { stream: true })
    }
    return text + decoder.decode()
  } catch (cause) {
    throw cause instanceof S3Error ? cause : new S3Error(method, 0, NO_RESPONSE, { cause })
  }
}

/** Reads the rest of a response, so that its connection can serve another request. */
async function discard(method: string, response: Response): Promise<void> {
  await readText(method, response)
}

function odd(method: string, { status }: Response): S3Error {
  return new S3Error(method, status, ODD_RESPONSE)
}

function encodePath(path: string): string {
  return path.split('/').map(encode).join('/')
}

/** Percent-encoding as RFC 3986 has it, which services sign by. */
function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

function hex(bytes: ArrayBuffer | Uint8Array): string {
  return Buffer.from(inArrayBuffer(bytes)).toString('hex')
}

function base64(bytes: ArrayBuffer | Uint8Array): string {
  return Buffer.from(inArrayBuffer(bytes)).toString('base64')
}

/** Returns the same bytes; only those of shared memory are copied. */
function inArrayBuffer(bytes: ArrayBuffer | Uint8Array): Uint8Array<ArrayBuffer> {
  if (bytes instanceof ArrayBuffer) return new Uint8Array(bytes)
  const { buffer, byteOffset, byteLength } = bytes
  return buffer instanceof ArrayBuffer ? new Uint8Array(buffer, byteOffset, byteLength) : new Uint8Array(bytes)
}
