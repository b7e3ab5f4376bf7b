import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { syncFolder } from '../files/disk.ts'
import { safeFileName, safeFolderName, uniqueNames } from '../files/file-names.ts'
import { inOrder } from '../files/in-order.ts'
import { readUrls } from '../files/url-list.ts'
import { DOWNLOAD_MAX_IMAGES } from '../limits.ts'
import { type ListedImage, type Listing, nextPage, readListing, readSource, type Source } from '../listing.ts'
import { printable } from '../printable.ts'
import { RequestFailed, Stopped } from '../problems.ts'
import { requireSuccess } from '../requests/api.ts'
import { send } from '../requests/http.ts'
import { type Transfer, targetState, transfer } from '../requests/transfer.ts'
import type { ExitCode, Session } from '../session.ts'
import type { DownloadInvocation } from '../terminal/arguments.ts'
import { createProgress } from '../terminal/progress.ts'

/** An image of a source, with the path of its file. */
interface Job {
  image: ListedImage
  target: string
}

type Outcome =
  | { kind: 'downloaded' | 'was there'; target: string; url: string; bytes: number }
  | { kind: 'failed'; target: string; url: string; message: string }
  | { kind: 'stopped'; target: string }

/** A source that could not be read. */
interface Unread {
  link: string
  message: string
}

const NOT_FOUND = 404
const REDIRECTED = 'use a link with that address'

/** Downloads the originals of galleries and images. A failure does not stop the others. */
export async function download(invocation: DownloadInvocation, session: Session): Promise<ExitCode> {
  const { screen, signal } = session
  const sources = (await readUrls(invocation.sources, signal)).map(readSource)
  if (sources.length === 0) throw new RequestFailed('there is no link to download from')
  const { jobs, unread } = await plan(sources, invocation, session)
  for (const folder of new Set(jobs.map(({ target }) => path.dirname(target)))) await makeFolder(folder)

  const known = jobs.reduce((sum, { image }) => sum + (image.bytes ?? 0), 0)
  const progress = createProgress(screen, jobs.length, known)
  const outcomes: Outcome[] = []
  const one = async (job: Job): Promise<Outcome> => {
    if (signal.aborted) return { kind: 'stopped', target: job.target }
    const { sent, end } = progress.begin(job.target, job.image.bytes ?? 0)
    const outcome = await downloadOne(job, { overwrite: invocation.overwrite, session, onReceived: sent })
    end(outcome.kind === 'was there' ? 'was downloaded:' : outcome.kind)
    return outcome
  }
  await inOrder(jobs, invocation.concurrency, one, (outcome) => {
    outcomes.push(outcome)
    const isThere = outcome.kind === 'downloaded' || outcome.kind === 'was there'
    if (isThere && !invocation.json) screen.result(printable(outcome.target))
  })
  progress.stop()
  // The names of finished files are on the disk too.
  for (const folder of new Set(jobs.map(({ target }) => path.dirname(target)))) syncFolder(folder)
  report(outcomes, unread, { json: invocation.json, session })
  const isDone = outcomes.every(({ kind }) => kind === 'downloaded' || kind === 'was there')
  return isDone && unread.length === 0 ? 0 : 1
}

/** Reads every source, and names the files in the order of the links, so that each command names them alike. */
async function plan(
  sources: readonly Source[],
  { to }: DownloadInvocation,
  session: Session,
): Promise<{ jobs: Job[]; unread: Unread[] }> {
  const jobs: Job[] = []
  const unread: Unread[] = []
  const base = to ?? '.'
  const nameInBase = uniqueNames()
  const only = sources.length === 1
  for (const source of sources) {
    try {
      const { name, images } = await readAll(source, session)
      if (images.length === 0) unread.push({ link: source.url.href, message: 'the gallery has no pictures' })
      const isOwnFolder = source.kind === 'gallery' && !(only && to !== undefined)
      const folder = isOwnFolder ? path.join(base, nameInBase(safeFolderName(name, source.id))) : base
      const uniqueName = isOwnFolder ? uniqueNames() : nameInBase
      for (const image of images) {
        jobs.push({ image, target: path.join(folder, uniqueName(safeFileName(image.name, image.mediaType))) })
      }
    } catch (error) {
      if (!(error instanceof RequestFailed)) throw error
      unread.push({ link: source.url.href, message: error.message })
    }
  }
  return { jobs, unread }
}

/** Reads all pages of a source. */
async function readAll(source: Source, { signal, retrierOf }: Session): Promise<Omit<Listing, 'next'>> {
  const images: ListedImage[] = []
  let name = ''
  const headers = { Accept: 'application/json', 'User-Agent': 'tintype-cli' }
  for (let url: URL | undefined = source.url; url !== undefined; ) {
    const address: URL = url
    const response = await retrierOf(address.origin).persist(() => send({ url: address, headers }, signal))
    if (response.status === NOT_FOUND) throw new RequestFailed(`the host has no such ${source.kind}`)
    const page = readListing(requireSuccess(response, REDIRECTED), { ...source, url: address })
    name = page.name
    images.push(...page.images)
    if (images.length > DOWNLOAD_MAX_IMAGES) throw new RequestFailed('the host lists more images than a gallery has')
    url = nextPage(page, address)
  }
  return { name, images }
}

async function downloadOne(
  { image, target }: Job,
  { overwrite, session, onReceived }: { overwrite: boolean; session: Session; onReceived: (bytes: number) => void },
): Promise<Outcome> {
  const { signal, retrierOf } = session
  const { url } = image
  try {
    const retrier = retrierOf(new URL(url).origin)
    const facts =
      image.bytes === undefined ? await askFacts(url, session) : { bytes: image.bytes, uploadedMs: image.uploadedMs }
    const job: Transfer = { url, target, ...facts }
    const state = await targetState(job)
    if (state === 'same') return { kind: 'was there', target, url, bytes: facts.bytes }
    if (state === 'other' && !overwrite) {
      throw new RequestFailed('another file has this name: use --overwrite, or another folder with --to')
    }
    await transfer(job, { retrier, signal, onReceived })
    return { kind: 'downloaded', target, url, bytes: facts.bytes }
  } catch (error) {
    if (error instanceof Stopped) return { kind: 'stopped', target }
    if (error instanceof RequestFailed) return { kind: 'failed', target, url, message: error.message }
    throw error
  }
}

/** Asks for the size and time of a file that a page does not say. */
async function askFacts(url: string, { signal, retrierOf }: Session) {
  const address = new URL(url)
  const ask = { url: address, method: 'HEAD', headers: { 'User-Agent': 'tintype-cli' } } as const
  const response = await retrierOf(address.origin).persist(() => send(ask, signal))
  const { headers } = requireSuccess(response, REDIRECTED)
  const bytes = Number(headers['content-length'] ?? Number.NaN)
  if (!Number.isSafeInteger(bytes)) throw new RequestFailed('the host does not say the size of the file')
  const uploadedMs = Date.parse(headers['last-modified'] ?? '')
  return { bytes, uploadedMs: Number.isNaN(uploadedMs) ? undefined : uploadedMs }
}

async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true })
  } catch {
    throw new RequestFailed(`${folder}: the folder cannot be made`)
  }
}

function report(
  outcomes: readonly Outcome[],
  unread: readonly Unread[],
  { json, session: { screen, signal } }: { json: boolean; session: Session },
): void {
  const failed = outcomes.flatMap((outcome) => (outcome.kind === 'failed' ? [outcome] : []))
  const done = outcomes.flatMap((outcome) => ('bytes' in outcome ? [outcome] : []))
  if (json) {
    const files = done.map(({ kind, target, url, bytes }) => ({
      file: target,
      url,
      bytes,
      downloaded: kind === 'downloaded',
    }))
    const failures = failed.map(({ target, url, message }) => ({ file: target, url, message }))
    const links = unread.map(({ link, message }) => ({ url: link, message }))
    screen.result(JSON.stringify({ files, failed: [...links, ...failures] }, undefined, 2))
  }
  for (const { link, message } of unread) screen.problem(`${link}: ${message}`)
  if (failed.length > 0) {
    screen.problem(`${failed.length} of ${outcomes.length} failed:`)
    for (const { target, message } of failed) screen.problem(`  ${target}: ${message}`)
  }
  if (signal.aborted)
    screen.problem(`stopped: ${done.length} of ${outcomes.length} downloaded; the same command continues`)
}
