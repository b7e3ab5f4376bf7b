import { Buffer } from 'node:buffer'
import { crc32 } from 'node:zlib'
import type { FileRange, FileStore, StoredFile } from './store.ts'

/** The bindings of files on the disk of one machine. Both are services of `npm start` that the Worker alone can reach. */
export interface DiskBindings {
  /** Reads and writes bytes: workerd's service of the folder of all files. */
  FILES_FOLDER: Fetcher
  /** Makes written bytes a file that lasts, knows its facts, lists and deletes files: tools/serve/data/service.ts. */
  FILES_SERVICE: Fetcher
}

/** The facts of a file as tools/serve/data/disk-files.ts returns them. */
interface Facts {
  key: string
  size: number
  /** In hex. */
  md5: string
  storedMs: number
}

/** Files in a folder of one machine. */
export function diskFiles({ FILES_FOLDER: folder, FILES_SERVICE: service }: DiskBindings): FileStore {
  return {
    async create(key, bytes) {
      const md5 = hexOf(await crypto.subtle.digest('MD5', bytes))
      const expected = { key, size: String(bytes.length), md5, crc32: String(crc32(bytes)) }
      const handed = crypto.randomUUID()
      const isHanded = await write(folder, handed, bytes)
      // Where workerd cannot write, the service tries to: it knows why it cannot.
      const response = isHanded
        ? await ask(service, 'create', { ...expected, handed }, { method: 'POST' })
        : await ask(service, 'create', expected, { method: 'POST', body: bytes })
      return response.status === 201
    },

    async read(key, range) {
      const [facts, body] = await Promise.allSettled([findFacts(service, key), openBody(folder, key, range)])
      if (facts.status === 'fulfilled' && body.status === 'fulfilled' && facts.value && body.value) {
        return { ...factsOf(facts.value), body: body.value }
      }
      if (body.status === 'fulfilled') await body.value?.cancel()
      for (const one of [facts, body]) if (one.status === 'rejected') throw one.reason
      return undefined
    },

    async head(key) {
      const facts = await findFacts(service, key)
      return facts && factsOf(facts)
    },

    async delete(keys) {
      await ask(service, 'delete', {}, { method: 'POST', body: JSON.stringify(keys) })
    },

    async list({ prefix = '', after = '', limit }) {
      const response = await ask(service, 'list', { prefix, after, limit: String(limit) })
      const page: { files: Facts[]; isLast: boolean } = await response.json()
      return { files: page.files.map(factsOf), isLast: page.isLast }
    },
  }
}

/** Writes bytes to a file of this name, from which one is made that lasts. Returns whether it could. */
async function write(folder: Fetcher, name: string, bytes: Uint8Array): Promise<boolean> {
  try {
    return (await folder.fetch(`http://files/incoming/${name}`, { method: 'PUT', body: bytes })).ok
  } catch {
    return false
  }
}

async function openBody(
  folder: Fetcher,
  key: string,
  range?: FileRange,
): Promise<ReadableStream<Uint8Array> | undefined> {
  const headers = range ? { Range: `bytes=${range.offset}-${range.offset + range.length - 1}` } : {}
  const { status, body } = await folder.fetch(`http://files/${key}`, { headers })
  // workerd responds to a range of all bytes with the whole file.
  if ((status === 200 || status === 206) && body) return body
  await body?.cancel()
  if (status === 404) return undefined
  throw new Error(`reading a file failed with ${status}`)
}

async function findFacts(service: Fetcher, key: string): Promise<Facts | undefined> {
  const response = await ask(service, 'facts', { key })
  return response.status === 404 ? undefined : response.json()
}

/** Returns the response of the service. Throws its reason where it failed. */
async function ask(
  service: Fetcher,
  operation: string,
  parameters: Record<string, string>,
  init: RequestInit = {},
): Promise<Response> {
  const response = await service.fetch(`http://files/${operation}?${new URLSearchParams(parameters)}`, init)
  if (response.status === 503) throw new Error(await response.text())
  return response
}

function factsOf({ key, size, md5, storedMs }: Facts): StoredFile {
  return { key, size, etag: `"${md5}"`, uploaded: new Date(storedMs), md5: new Uint8Array(Buffer.from(md5, 'hex')) }
}

function hexOf(digest: ArrayBuffer): string {
  return Buffer.from(digest).toString('hex')
}
