import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/** The objects of buckets, by bucket and key. */
export type FakeObjects = Map<string, Map<string, FakeObject>>

/** An object of R2. Its entity tag is the MD5 of its bytes. */
interface FakeObject {
  bytes: Buffer
  type: string
  uploaded: Date
}

interface StorageResponse {
  status: number
  headers?: Record<string, string>
  body?: Buffer | string
}

/** Storage of an account beside its API: R2 by the S3 protocol, at `/<bucket>/<key>`, and files of D1's imports and exports. */
interface FakeStorage {
  buckets: ReadonlySet<string>
  objects: FakeObjects
  transfers: Map<string, string>
}

/** Responds to a request for storage; undefined for another. Signatures are not checked. */
export function respondStorage(
  { buckets, objects, transfers }: FakeStorage,
  { method, url = '', headers }: IncomingMessage,
  bytes: Buffer,
): StorageResponse | undefined {
  const { pathname, searchParams } = new URL(url, 'http://storage')
  const [, first = '', ...rest] = pathname.split('/').map(decodeURIComponent)
  const name = rest.join('/')
  if (first === 'transfers') {
    if (method === 'GET') return { status: 200, body: transfers.get(name) ?? '' }
    transfers.set(name, bytes.toString())
    return { status: 200, headers: { ETag: `"${md5Of(bytes)}"` } }
  }
  if (!buckets.has(first)) return undefined
  const bucket = objects.get(first) ?? new Map<string, FakeObject>()
  objects.set(first, bucket)
  if (method === 'POST' && searchParams.has('delete')) {
    for (const [, key = ''] of bytes.toString().matchAll(/<Key>([^<]*)<\/Key>/g)) bucket.delete(key)
    return xml('<DeleteResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"></DeleteResult>')
  }
  if (name === '') return list(bucket, searchParams)
  const found = bucket.get(name)
  if (method === 'DELETE') {
    bucket.delete(name)
    return { status: 204 }
  }
  if (method === 'PUT') {
    if (headers['if-none-match'] === '*' && found) return xml('<Error><Code>PreconditionFailed</Code></Error>', 412)
    if (headers['content-md5'] !== createHash('md5').update(bytes).digest('base64')) {
      return xml('<Error><Code>BadDigest</Code></Error>', 400)
    }
    bucket.set(name, { bytes, type: headers['content-type'] ?? '', uploaded: new Date() })
    return { status: 200, headers: { ETag: `"${md5Of(bytes)}"` } }
  }
  if (!found) return xml('<Error><Code>NoSuchKey</Code></Error>', 404)
  return {
    status: 200,
    headers: {
      ETag: `"${md5Of(found.bytes)}"`,
      'Last-Modified': found.uploaded.toUTCString(),
      'Content-Length': String(found.bytes.length),
    },
    ...(method === 'GET' && { body: found.bytes }),
  }
}

function list(bucket: ReadonlyMap<string, FakeObject>, query: URLSearchParams): StorageResponse {
  const [after, limit] = [query.get('start-after') ?? '', Number(query.get('max-keys'))]
  const later = [...bucket].filter(([key]) => key > after).toSorted(([a], [b]) => (a < b ? -1 : 1))
  const contents = later
    .slice(0, limit)
    .map(
      ([key, { bytes, uploaded }]) =>
        `<Contents><Key>${encodeURIComponent(key)}</Key><LastModified>${uploaded.toISOString()}</LastModified><ETag>"${md5Of(bytes)}"</ETag><Size>${bytes.length}</Size></Contents>`,
    )
  return xml(
    `<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><IsTruncated>${later.length > limit}</IsTruncated>${contents.join('')}</ListBucketResult>`,
  )
}

function xml(body: string, status = 200): StorageResponse {
  return {
    status,
    headers: { 'Content-Type': 'application/xml' },
    body: `<?xml version="1.0" encoding="UTF-8"?>${body}`,
  }
}

function md5Of(bytes: Buffer): string {
  return createHash('md5').update(bytes).digest('hex')
}
