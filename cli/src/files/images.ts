import type { Stats } from 'node:fs'
import { open, readdir, readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import type { MediaType } from 'tintype-codec/format'
import { UPLOAD_MAX_BYTES } from '../../../src/limits.ts'
import { SIGNATURE_BYTES } from '../limits.ts'
import { RequestFailed } from '../problems.ts'
import { mediaTypeOf } from './signature.ts'

/** A file that can be uploaded. */
export interface Image {
  path: string
  mediaType: MediaType
  bytes: number
  /** When the file was last written. */
  modifiedMs: number
  /** The content of standard input, which can be read only once. */
  content?: Uint8Array
}

/** A file that cannot be, and the sentence why. */
export interface Unfit {
  path: string
  why: string
  /** The file has no known signature. */
  foreign: boolean
}

/** The files at the paths of a command line. */
export interface Found {
  /** In the order of the paths; those of a folder by name. */
  images: Image[]
  /** Files in a folder that are no images. */
  skipped: Unfit[]
  /** Named arguments that are no images, or cannot be uploaded. */
  unfit: Unfit[]
}

/** The path of standard input. */
export const STANDARD_INPUT = '-'

// 2.jpg before 10.jpg, and in every country alike.
const NAMES = new Intl.Collator('en', { numeric: true })

/**
 * Looks at every path: a file for itself, a folder for all that lies in it at any depth, `-` for what comes on `input`. Throws
 * `Stopped` if the waiting for that was ended.
 */
export async function findImages(paths: readonly string[], input: () => Promise<Uint8Array>): Promise<Found> {
  const found: Found = { images: [], skipped: [], unfit: [] }
  for (const name of paths) {
    if (name === STANDARD_INPUT) {
      sort(judgeContent(await input()), found, found.unfit)
      continue
    }
    const stats = await findStats(name)
    if (stats?.isDirectory()) await walk(name, found)
    else sort(await judge(name, stats), found, found.unfit)
  }
  return found
}

/** One image, or why there is none. */
export async function findImage(name: string): Promise<Image | Unfit> {
  return judge(name, await findStats(name))
}

/** The bytes of an image that was found. Throws `RequestFailed` when it has become unfit since. */
export async function readImage(image: Image): Promise<Uint8Array> {
  if (image.content) return image.content
  const again = await findImage(image.path)
  if ('why' in again) throw new RequestFailed(again.why)
  try {
    return await readFile(image.path)
  } catch {
    throw new RequestFailed('the file cannot be read')
  }
}

async function walk(folder: string, found: Found): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => undefined)
  if (entries === undefined) {
    found.unfit.push({ path: folder, why: 'the folder cannot be read', foreign: false })
    return
  }
  for (const entry of entries.sort((a, b) => compareNames(a.name, b.name))) {
    const name = path.join(folder, entry.name)
    const stats = await findStats(name)
    if (entry.isDirectory()) await walk(name, found)
    // A link to a folder may lead back to where it lies.
    else if (stats?.isDirectory()) found.skipped.push({ path: name, why: 'it is a link to a folder', foreign: true })
    else sort(await judge(name, stats), found, found.skipped)
  }
}

function sort(item: Image | Unfit, found: Found, foreign: Unfit[]): void {
  if (!('why' in item)) found.images.push(item)
  else if (item.foreign) foreign.push(item)
  else found.unfit.push(item)
}

function compareNames(a: string, b: string): number {
  return NAMES.compare(a, b) || (a < b ? -1 : 1)
}

function findStats(name: string): Promise<Stats | undefined> {
  return stat(name).catch(() => undefined)
}

async function judge(name: string, stats: Stats | undefined): Promise<Image | Unfit> {
  const unfit = (why: string, foreign = false): Unfit => ({ path: name, why, foreign })
  if (stats === undefined) return unfit('there is no such file')
  if (stats.isDirectory()) return unfit('it is a folder')
  if (!stats.isFile()) return unfit('it is no file', true)
  const head = await readHead(name)
  if (head === undefined) return unfit('the file cannot be read')
  return judgeBytes(name, head, stats.size, stats.mtimeMs)
}

/** An image of these bytes, or why there is none. */
export function judgeContent(content: Uint8Array): Image | Unfit {
  const image = judgeBytes(STANDARD_INPUT, content.subarray(0, SIGNATURE_BYTES), content.length, 0)
  return 'why' in image ? image : { ...image, content }
}

function judgeBytes(path: string, head: Uint8Array, bytes: number, modifiedMs: number): Image | Unfit {
  if (bytes === 0) return { path, why: 'it is empty', foreign: true }
  const mediaType = mediaTypeOf(head)
  if (mediaType === undefined) return { path, why: 'it is no JPEG, PNG, GIF, WebP or AVIF file', foreign: true }
  if (bytes > UPLOAD_MAX_BYTES) {
    return { path, why: `a file must be at most ${UPLOAD_MAX_BYTES} bytes: this one has ${bytes}`, foreign: false }
  }
  return { path, mediaType, bytes, modifiedMs }
}

async function readHead(name: string): Promise<Uint8Array | undefined> {
  const file = await open(name).catch(() => undefined)
  try {
    const read = await file?.read(Buffer.alloc(SIGNATURE_BYTES), 0, SIGNATURE_BYTES, 0)
    return read?.buffer.subarray(0, read.bytesRead)
  } catch {
    return undefined
  } finally {
    await file?.close()
  }
}
