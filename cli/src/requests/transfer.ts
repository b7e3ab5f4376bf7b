import { createHash } from 'node:crypto'
import { type FileHandle, open, rename, stat, utimes } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import path from 'node:path'
import { RequestFailed } from '../problems.ts'
import { exchange, type Response, readResponse } from './http.ts'
import type { Retrier } from './retrier.ts'

/** A file to download. */
export interface Transfer {
  url: string
  /** The path of the finished file. */
  target: string
  bytes: number
  /** When the image was uploaded: the time of the file. */
  uploadedMs: number | undefined
}

/** The state of the path of a finished file: free, the same image, or another file. */
type TargetState = 'free' | 'same' | 'other'

/** Compares size and time with those of the image, as rsync does. The content is not read. */
export async function targetState({ target, bytes, uploadedMs }: Transfer): Promise<TargetState> {
  const stats = await stat(target).catch(() => undefined)
  if (stats === undefined) return 'free'
  const isOfTime = uploadedMs === undefined || Math.abs(stats.mtimeMs - uploadedMs) < 1000
  return stats.isFile() && stats.size === bytes && isOfTime ? 'same' : 'other'
}

/**
 * Downloads a file into a part beside it, continuing the part of an earlier attempt, and renames it when all its bytes are on the
 * disk. The bytes at an address never change, so the name of a part contains a digest of its address. Throws `RequestFailed`
 * and `Stopped`.
 */
export async function transfer(
  { url, target, bytes, uploadedMs }: Transfer,
  { retrier, signal, onReceived }: { retrier: Retrier; signal: AbortSignal; onReceived: (bytes: number) => void },
): Promise<void> {
  const part = `${target}.${createHash('sha256').update(url).digest('hex').slice(0, 8)}.part`
  const file = await openPart(part)
  try {
    const response = await retrier.persist(() => attempt(file, { url, bytes, onReceived }, signal))
    if (response.status !== 200) throw new RequestFailed(sentenceOf(response), { status: response.status })
    await orSayWhy(part, async () => {
      await file.sync()
      if (uploadedMs !== undefined) await utimes(part, new Date(uploadedMs), new Date(uploadedMs))
    })
  } finally {
    await file.close()
  }
  await orSayWhy(target, () => rename(part, target))
}

/** Requests the bytes that are missing. Returns a response with status 200 once all are there. */
async function attempt(file: FileHandle, wanted: Wanted, signal: AbortSignal): Promise<Response> {
  const { size } = await file.stat()
  if (size === wanted.bytes) return { status: 200, headers: {}, text: '' }
  const response = await request(file, size < wanted.bytes ? size : 0, wanted, signal)
  // A part that the host cannot continue is started again.
  return response === 'cannot continue' ? requireResponse(await request(file, 0, wanted, signal)) : response
}

/** The file that is downloaded. */
interface Wanted {
  url: string
  bytes: number
  onReceived: (bytes: number) => void
}

function request(
  file: FileHandle,
  start: number,
  { url, bytes, onReceived }: Wanted,
  signal: AbortSignal,
): Promise<Response | 'cannot continue'> {
  const headers = { 'User-Agent': 'tintype-cli', ...(start > 0 && { Range: `bytes=${start}-` }) }
  const read = async (incoming: IncomingMessage) => {
    const { statusCode: status = 0, headers } = incoming
    const continues = status === 206 && continuesAt(headers['content-range'], start, bytes)
    if (status === 200 || continues) {
      await write(incoming, { file, at: continues ? start : 0, bytes, onReceived })
      return { status: 200, headers, text: '' }
    }
    const response = await readResponse(incoming)
    return start > 0 && (status === 206 || status === 416) ? 'cannot continue' : response
  }
  return exchange({ url: new URL(url), headers }, read, signal)
}

function requireResponse(response: Response | 'cannot continue'): Response {
  if (response === 'cannot continue') throw new RequestFailed('the host sent another part of the file')
  return response
}

/** Whether a Content-Range is that of the bytes from `start` on, of `bytes` in all (RFC 9110, 14.4). */
function continuesAt(field: string | undefined, start: number, bytes: number): boolean {
  return field === `bytes ${start}-${bytes - 1}/${bytes}`
}

async function write(
  incoming: IncomingMessage,
  { file, at, bytes, onReceived }: { file: FileHandle; at: number; bytes: number; onReceived: (bytes: number) => void },
): Promise<void> {
  const type = incoming.headers['content-type'] ?? ''
  if (!/^image\//i.test(type)) throw new RequestFailed(`the host sent ${type || 'no type'} instead of an image`)
  if (at === 0) await orSayWhy('the part', () => file.truncate(0))
  let position = at
  for await (const chunk of incoming) {
    if (!(chunk instanceof Uint8Array)) continue
    if (position + chunk.length > bytes)
      throw new RequestFailed(`the host sent more than the ${bytes} bytes of the file`)
    const start = position
    await orSayWhy('the part', () => file.write(chunk, 0, chunk.length, start))
    position += chunk.length
    onReceived(position)
  }
  // A host that closes the connection early is tried again.
  if (position < bytes) throw new Error(`the host sent ${position} of ${bytes} bytes`)
}

async function openPart(part: string): Promise<FileHandle> {
  try {
    return await open(part, 'r+')
  } catch {
    return orSayWhy(part, () => open(part, 'w+'))
  }
}

/** A failure of the disk is final. */
async function orSayWhy<T>(file: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    const why = code === 'ENOSPC' ? 'the disk is full' : `it cannot be written (${code ?? 'unknown'})`
    throw new RequestFailed(`${path.basename(file)}: ${why}`)
  }
}

function sentenceOf({ status, text }: Response): string {
  const sentence = text.trim()
  return sentence && sentence.length <= 200 && !/^[<{[]|\n/.test(sentence)
    ? sentence
    : `the host responded with ${status}`
}
