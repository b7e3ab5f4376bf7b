import { FORMATS } from 'tintype-codec/interface'
import { expiryOf } from '../../domain/content/expiry.ts'
import { downloadName, fileNameForPeople } from '../../domain/content/filename.ts'
import { previewOf } from '../../domain/content/preview.ts'
import {
  asCached,
  type Found,
  findPublicImage,
  findPublicImageAtPrimary,
  type PublicImage,
} from '../../domain/content/public-image.ts'
import { parseImagePath } from '../../domain/ids/links.ts'
import { EDGE_CACHE_CLONE_MAX_BYTES, READ_CACHE, REQUEST_STORAGE_LIMITS } from '../../limits.ts'
import { StorageUnavailable } from '../../storage/bounded-calls.ts'
import type { FileStore, StoredFile } from '../../storage/files/store.ts'
import { type FileKind, fileKey } from '../../storage/files.ts'
import type { CachedFile, ReadCache } from '../../storage/read-cache.ts'
import type { Image } from '../../storage/schema.ts'
import * as time from '../../time.ts'
import { runAfterResponse } from '../after-response.ts'
import { type ByteRange, parseByteRange } from '../cache/byte-range.ts'
import { checkConditions, ifRangeMatches } from '../cache/conditions.ts'
import { type EdgeFile, findInEdgeCache, hasEdgeCache, hasTombstone, putInEdgeCache } from '../cache/edge-cache.ts'
import { type AppContext, pathParameter } from '../context.ts'
import { fileCaching, remainingS } from '../file-caching.ts'
import { attachment } from '../responses/attachment.ts'
import { HEADERS } from '../responses/headers.ts'

const DOES_NOT_EXIST = "Picture doesn't exist"

/** The record's side of a file. */
interface RecordedFile {
  key: string
  size: number
  mediaType: string
  expiresAtMs: number | null
}

/** `GET` and `HEAD` of `/images/<dir>/<id>_<name>`: the stored file; with `?download`, browsers save it. */
export async function serveOriginal(c: AppContext): Promise<Response> {
  const { response, image } = await serveFile(c, 'images')
  if (!response.ok || c.req.query('download') === undefined) return response
  const headers = new Headers(response.headers)
  headers.set('Content-Disposition', await namedForPeople(c, image))
  return new Response(response.body, { status: response.status, headers })
}

/** A response, and the record of its image; absent for an error, and for a file from a cache. */
interface Served {
  response: Response
  image?: Image
}

/** Named as on the pages. Without a record, as where the database fails and a cache has the file, it has its stored name. */
async function namedForPeople(c: AppContext, served: Image | undefined): Promise<string> {
  const path = `${pathParameter(c, 'directory')}/${pathParameter(c, 'file')}`
  const image = served ?? (await findNamed(c, path).catch(ignoreUnavailable))
  return attachment(downloadName(nameIn(pathParameter(c, 'file'))), image && fileNameForPeople(image))
}

async function findNamed(c: AppContext, path: string): Promise<Image | undefined> {
  const found = await findPublicImage(c.var.store, path, c.var.nowMs)
  return found === 'expired' ? undefined : found?.image
}

function ignoreUnavailable(error: unknown): undefined {
  if (!(error instanceof StorageUnavailable)) throw error
}

/** The name in `<id>_<name>`. It has no characters that must be quoted in a header. */
function nameIn(file: string): string {
  return file.slice(file.indexOf('_') + 1)
}

/** `GET` and `HEAD` of `/thumbs/<dir>/<id>_<name>`: the thumbnail, a WebP whatever its extension (D30). */
export async function serveThumbnail(c: AppContext): Promise<Response> {
  return (await serveFile(c, 'thumbs')).response
}

/** `GET` and `HEAD` of `/previews/<dir>/<id>_<name>`: the preview, or the original where that is small enough (D50). */
export async function servePreview(c: AppContext): Promise<Response> {
  return (await serveFile(c, 'previews')).response
}

async function serveFile(c: AppContext, kind: FileKind): Promise<Served> {
  const path = `${pathParameter(c, 'directory')}/${pathParameter(c, 'file')}`
  // Checked before the cache is asked: its keys are URLs, and a path like ../thumbs would reach another entry.
  if (!parseImagePath(path)) return { response: notFound(c) }
  const { cache } = c.var.store
  if (cache) return serveThroughCache(c, cache, { kind, path })
  const edgeFile = { site: c.var.host.site, kind, path }
  const cached = hasEdgeCache(c) ? await findInEdgeCache(c.req.raw, edgeFile, presentMs(c)) : undefined
  if (cached) return { response: cached }

  const record = await findRecord(c, edgeFile)
  if (record === 'expired') return { response: expired(c) }
  const file = record && describe(kind, path, record)
  const response = file && (await respond(c, file))
  if (!file || !response) return { response: notFound(c) }
  const { image } = record
  if (response.status === 200 && c.req.method === 'GET') fillEdgeCache(c, edgeFile, image, file, response)
  return { response, image }
}

/** Serves from the cache of this isolate, where that is consistent. It replaces the edge cache of a data centre. */
async function serveThroughCache(
  c: AppContext,
  cache: ReadCache,
  { kind, path }: { kind: FileKind; path: string },
): Promise<Served> {
  const request = c.req.raw
  const key = fileKey(kind, path)
  const cached = cache.findFile(key, c.var.nowMs)
  if (cached) return { response: respondFromCache(request, cached, c.var.nowMs) }
  const { lastWrite } = cache
  const record = await findPublicImage(c.var.store, path, c.var.nowMs)
  if (record === 'expired') return { response: expired(c) }
  const file = record && describe(kind, path, record)
  if (!file) return { response: notFound(c) }
  const { image } = record
  if (file.size > READ_CACHE.entryMaxBytes || request.method !== 'GET' || request.headers.has('Range')) {
    return { response: (await respond(c, file)) ?? notFound(c), image }
  }
  const read = await c.var.store.files.read(file.key)
  if (!read) return { response: notFound(c) }
  const { body, ...stored } = read
  const { mediaType, expiresAtMs } = file
  const fresh = { stored, mediaType, expiresAtMs, bytes: await bytesOf(body) }
  cache.storeFile(fresh, asCached(image), lastWrite)
  return { response: respondFromCache(request, fresh, presentMs(c)), image }
}

async function bytesOf(body: ReadableStream<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await time.within(REQUEST_STORAGE_LIMITS.filesMs, new Response(body).arrayBuffer())
  if (!bytes) throw new StorageUnavailable('a file did not end in time')
  return new Uint8Array(bytes)
}

/** The response to a request for a file that is in memory. */
export function respondFromCache(
  request: Request,
  { stored, mediaType, expiresAtMs, bytes }: CachedFile,
  nowMs: number,
): Response {
  const { key, size } = stored
  const file = { key, size, mediaType, expiresAtMs }
  const sent = { request, nowMs }
  if (request.method === 'HEAD') return responseFor(sent, file, stored, null, undefined)
  const { headers } = request
  const range = parseByteRange(headers.get('Range'), size)
  const ifRange = headers.get('If-Range')
  const isWanted = range !== undefined && (ifRange === null || ifRangeMatches(ifRange, validatorsOf(stored)))
  if (!isWanted) return responseFor(sent, file, stored, bytes, undefined)
  if (range === 'unsatisfiable') return refuseRange(sent, file, stored)
  const { offset, length } = range
  return responseFor(sent, file, stored, bytes.subarray(offset, offset + length), range)
}

/**
 * Puts a file into the edge cache behind its response. The two branches of a clone go at the pace of the slower one, or hold what the
 * slower one has not taken. So only a small file is cloned, and a larger one is read once more.
 */
function fillEdgeCache(c: AppContext, edgeFile: EdgeFile, image: Image, file: RecordedFile, response: Response): void {
  if (!hasEdgeCache(c) || remainingS(file.expiresAtMs, presentMs(c), 1) === 0) return
  const clone = file.size <= EDGE_CACHE_CLONE_MAX_BYTES ? response.clone() : undefined
  runAfterResponse(c, 'fill the edge cache', async () => {
    const entry = clone ?? (await readAgain(c, file))
    if (entry) await putInEdgeCache(edgeFile, { image, expiresAt: file.expiresAtMs }, entry)
  })
}

async function readAgain(c: AppContext, file: RecordedFile): Promise<Response | undefined> {
  const stored = await c.var.store.files.read(file.key, undefined)
  return stored && new Response(stored.body, { headers: mediaHeaders(file, stored, presentMs(c)) })
}

/** Returns the record of a public file. Where the cache has its tombstone, no replica is believed. */
async function findRecord(c: AppContext, file: EdgeFile): Promise<Found<PublicImage>> {
  const { store, nowMs } = c.var
  const record = await findPublicImage(store, file.path, nowMs)
  if (!record || record === 'expired' || !record.isFromReplica || !hasEdgeCache(c)) return record
  return (await hasTombstone(file, record.image)) ? findPublicImageAtPrimary(store, file.path, nowMs) : record
}

/** Returns the record of a file; undefined for a preview of an image that has none. */
function describe(kind: FileKind, path: string, record: PublicImage): RecordedFile | undefined {
  const key = fileKey(kind, path)
  const { image } = record
  const expiresAtMs = expiryOf(record)
  if (kind === 'images') return { key, size: image.bytes, mediaType: image.mediaType, expiresAtMs }
  if (kind === 'thumbs') return { key, size: image.thumbnailBytes, mediaType: FORMATS.webp.mediaType, expiresAtMs }
  const preview = previewOf(image)
  return preview && { key: fileKey(preview.kind, path), size: preview.bytes, mediaType: preview.mediaType, expiresAtMs }
}

/** The time of the present: `Cache-Control` is written after storage has responded. */
function presentMs({ env }: AppContext): number {
  return time.nowMs(env)
}

/** Returns the response for a recorded file; undefined if it is not in storage. */
async function respond(c: AppContext, file: RecordedFile): Promise<Response | undefined> {
  const { files } = c.var.store
  const request = c.req.raw
  if (request.method === 'HEAD') {
    const stored = await files.head(file.key)
    return stored && responseFor({ request, nowMs: presentMs(c) }, file, stored, null, undefined)
  }
  const range = await wantedRange(files, request, file)
  if (range === 'unsatisfiable') {
    const stored = await files.head(file.key)
    return stored && refuseRange({ request, nowMs: presentMs(c) }, file, stored)
  }
  const stored = await files.read(file.key, range)
  return stored && responseFor({ request, nowMs: presentMs(c) }, file, stored, stored.body, range)
}

async function wantedRange(
  files: FileStore,
  request: Request,
  file: RecordedFile,
): Promise<ByteRange | 'unsatisfiable' | undefined> {
  const range = parseByteRange(request.headers.get('Range'), file.size)
  const ifRange = request.headers.get('If-Range')
  if (range === undefined || ifRange === null) return range
  const stored = await files.head(file.key)
  return stored && ifRangeMatches(ifRange, validatorsOf(stored)) ? range : undefined
}

/** A request for a file, and the time of its response. */
interface FileRequest {
  request: Request
  nowMs: number
}

function responseFor(
  { request, nowMs }: FileRequest,
  file: RecordedFile,
  stored: StoredFile,
  body: ReadableStream<Uint8Array> | Uint8Array<ArrayBuffer> | null,
  range: ByteRange | undefined,
): Response {
  const headers = mediaHeaders(file, stored, nowMs)
  const refused = checkConditions(request.headers, validatorsOf(stored))
  if (refused) {
    if (body instanceof ReadableStream) void body.cancel()
    headers.delete('Content-Length')
    return new Response(null, { status: refused, headers })
  }
  if (!range) return new Response(body, { headers })
  headers.set('Content-Length', String(range.length))
  headers.set('Content-Range', `bytes ${range.offset}-${range.offset + range.length - 1}/${file.size}`)
  return new Response(body, { status: 206, headers })
}

/** Conditions are evaluated before the range (RFC 9110, 13.2.2). */
function refuseRange({ request, nowMs }: FileRequest, file: RecordedFile, stored: StoredFile): Response {
  const headers = mediaHeaders(file, stored, nowMs)
  headers.delete('Content-Length')
  const refused = checkConditions(request.headers, validatorsOf(stored))
  if (!refused) headers.set('Content-Range', `bytes */${file.size}`)
  return new Response(null, { status: refused ?? 416, headers })
}

/** The headers of D29. Those of the kind are here because the edge cache keeps them. */
function mediaHeaders(file: RecordedFile, stored: StoredFile, nowMs: number): Headers {
  return new Headers({
    ...HEADERS.file,
    'Cache-Control': fileCaching(file.expiresAtMs, nowMs),
    'Accept-Ranges': 'bytes',
    'Content-Length': String(file.size),
    'Content-Type': file.mediaType,
    ETag: stored.etag,
    'Last-Modified': stored.uploaded.toUTCString(),
  })
}

function validatorsOf({ etag, uploaded }: StoredFile) {
  return { etag, lastModified: uploaded }
}

/**
 * Returns the response for an image that does not exist, is not public yet, or is deleted (D28): never a placeholder.
 */
function notFound(c: AppContext): Response {
  return c.text(DOES_NOT_EXIST, 404)
}

/** Returns the response for an image whose time is over (D62). */
function expired(c: AppContext): Response {
  return c.text(DOES_NOT_EXIST, 410)
}
