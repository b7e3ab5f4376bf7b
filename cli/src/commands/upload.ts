import { copyAndOpen } from '../copy-and-open.ts'
import { formatUpload } from '../files/formats.ts'
import { type Found, findImages, type Image, STANDARD_INPUT } from '../files/images.ts'
import { inOrder } from '../files/in-order.ts'
import { type Journal, type JournalOptions, NO_JOURNAL, openJournal } from '../files/journal.ts'
import { readInput } from '../files/standard-input.ts'
import { createRecorder, entryOf, type Recorder } from '../history.ts'
import { printable } from '../printable.ts'
import { RequestFailed, Stopped } from '../problems.ts'
import type { Api, Texts } from '../requests/api.ts'
import { type Gallery, type Upload, withoutManageUrl } from '../requests/responses.ts'
import { isPassing } from '../requests/retrier.ts'
import { describeSavings } from '../savings.ts'
import type { ExitCode, Session } from '../session.ts'
import type { UploadInvocation } from '../terminal/arguments.ts'
import { createProgress } from '../terminal/progress.ts'
import type { Screen } from '../terminal/screen.ts'
import { commonTexts, expiryTexts, formFile, requestsManage, tellWhen } from '../upload-form.ts'

type Outcome =
  | { kind: 'uploaded'; path: string; upload: Upload }
  | { kind: 'failed'; path: string; status?: number | undefined; code?: string | undefined; message: string }
  /** On its way when the work was stopped. */
  | { kind: 'stopped'; path: string }

interface GalleryOutcome extends Gallery {
  state: 'public' | 'unfinished' | 'removed'
}

/** Uploads files and folders, into a gallery if asked, and prints the result of each. */
export async function upload(invocation: UploadInvocation, session: Session): Promise<ExitCode> {
  const { screen, signal } = session
  const api = session.apiOf(invocation.host)
  const found = await findImages(invocation.paths, () => readInput(signal))
  for (const { path, why } of found.skipped) screen.note(`skipped ${path}: ${why}`)

  if (invocation.dryRun) return list(found, invocation, screen)

  const { resume, host } = invocation
  const recorder = createRecorder(invocation.history, invocation.historyFile, screen.problem)
  const journal = resume === undefined ? NO_JOURNAL : openJournal(resume, host, journalOptions(invocation))
  const gallery = await openGallery(invocation, { api, journal, recorder, images: found.images, screen })
  const outcomes = await uploadAll(invocation, { api, gallery, journal, recorder, images: found.images, session })
  const closed = gallery && (await closeGallery(gallery, { api, journal, outcomes, session }))

  if (invocation.json) screen.result(JSON.stringify(summary(outcomes, found, closed), undefined, 2))
  else if (closed) printGallery(closed, screen)
  tellProblems(outcomes, found, screen)
  if (closed) tellGallery(closed, screen)
  if (signal.aborted) tellStopped(outcomes, found.images.length, screen)
  const allWell = outcomes.every(({ kind }) => kind === 'uploaded') && found.unfit.length === 0 && recorder.isComplete()
  const isTimed = tellExpiry(invocation, gallery, outcomes, screen)
  const isCopied = await copyAndOpenResults(invocation, outcomes, closed, session)
  return allWell && isTimed && isCopied && found.images.length > 0 && (closed?.state ?? 'public') === 'public' ? 0 : 1
}

/** Copies and opens results, if asked: of a gallery its link, and codes of its images. Returns whether both succeeded. */
function copyAndOpenResults(
  invocation: UploadInvocation,
  outcomes: readonly Outcome[],
  gallery: GalleryOutcome | undefined,
  session: Session,
): Promise<boolean> {
  const uploads = outcomes.flatMap((outcome) => (outcome.kind === 'uploaded' ? [outcome.upload] : []))
  const format = invocation.format === 'json' ? 'link' : invocation.format
  const lines = gallery && format === 'link' ? [gallery.url] : uploads.map((upload) => formatUpload(upload, format))
  const page = gallery?.url ?? uploads[0]?.showUrl
  return uploads.length === 0
    ? Promise.resolve(true)
    : copyAndOpen(invocation, { text: lines.join('\n'), page }, session)
}

/** Tells when the host deletes the uploads. Returns false if it was asked to, and did not promise it. */
function tellExpiry(
  { expiresInS }: UploadInvocation,
  gallery: Gallery | undefined,
  outcomes: readonly Outcome[],
  screen: Screen,
): boolean {
  const uploads = outcomes.flatMap((outcome) => (outcome.kind === 'uploaded' ? [outcome.upload] : []))
  if (uploads.length === 0) return true
  return tellWhen(
    expiresInS,
    (gallery ? [gallery] : uploads).map(({ expiresAt }) => expiresAt),
    screen,
  )
}

function journalOptions(invocation: UploadInvocation): JournalOptions {
  const { gallery, adult, optimize, expiresInS, manage, history, thumbnailPx } = invocation
  return {
    gallery,
    adult: adult || undefined,
    optimize: optimize || undefined,
    'expires-in': expiresInS === undefined ? undefined : `${expiresInS}s`,
    manage: manage || undefined,
    // The private links that it requests cannot be had later.
    history: history === 'private' ? history : undefined,
    thumbnail: thumbnailPx === undefined ? undefined : String(thumbnailPx),
  }
}

/** Lists the images that an upload would send. */
function list(found: Found, { json, name }: UploadInvocation, screen: Screen): ExitCode {
  const images = found.images.map(({ path, bytes, mediaType }) => ({
    file: path === STANDARD_INPUT ? name : path,
    bytes,
    media_type: mediaType,
  }))
  const failed = found.unfit.map(({ path, why }) => ({ file: path, message: why }))
  if (json) screen.result(JSON.stringify({ images, failed }, undefined, 2))
  else for (const { file, bytes } of images) screen.result(`would upload ${printable(file)} (${bytes} bytes)`)
  tellProblems([], found, screen)
  return images.length > 0 && failed.length === 0 ? 0 : 1
}

/** The steps of an upload use these. */
interface Context {
  api: Api
  journal: Journal
  recorder: Recorder
}

async function openGallery(
  invocation: UploadInvocation,
  { api, journal, recorder, images, screen }: Context & { images: readonly Image[]; screen: Screen },
): Promise<Gallery | undefined> {
  const { gallery: name } = invocation
  if (name === undefined || images.length === 0) return undefined
  const texts = {
    gallery_name: name,
    ...(requestsManage(invocation) && { include_manage_url: '1' }),
    ...expiryTexts(invocation.expiresInS),
  }
  const existing = journal.gallery()
  const gallery = existing ?? (await api.createGallery(texts, journal.galleryKey()))
  if (!existing) keep(() => journal.keepGallery(gallery), screen)
  recorder.record({ kind: 'gallery', ...gallery })
  return invocation.manage ? gallery : { ...gallery, manageUrl: undefined }
}

async function uploadAll(
  invocation: UploadInvocation,
  {
    api,
    gallery,
    journal,
    recorder,
    images,
    session,
  }: Context & { gallery: Gallery | undefined; images: Image[]; session: Session },
): Promise<Outcome[]> {
  const { screen, signal } = session
  const texts = formTexts(invocation, gallery)
  const progress = createProgress(
    screen,
    images.length,
    images.reduce((sum, { bytes }) => sum + bytes, 0),
  )
  /** Records an upload, and returns it as it is printed. */
  const finished = (
    path: string,
    { upload, isNew, image }: { upload: Upload; isNew: boolean; image: Image },
  ): Outcome => {
    if (isNew) keep(() => journal.keepUpload(image, upload), screen)
    const file = path === STANDARD_INPUT ? undefined : path
    const inGallery = gallery && { galleryUrl: gallery.url, expiresAt: gallery.expiresAt }
    recorder.record({ ...entryOf(upload), kind: 'image', file, ...inGallery })
    return { kind: 'uploaded', path, upload: invocation.manage ? upload : withoutManageUrl(upload) }
  }
  const one = async (image: Image): Promise<Outcome | 'not begun'> => {
    if (signal.aborted) return 'not begun'
    const { sent, end } = progress.begin(image.path, image.bytes)
    const before = journal.uploadOf(image)
    if (before) {
      end('was uploaded:')
      return finished(image.path, { upload: before, isNew: false, image })
    }
    const name = image.path === STANDARD_INPUT ? invocation.name : image.path
    const outcome = await uploadOne(image.path, async () => {
      const files = [await formFile('img', image, name)]
      return api.uploadImage(texts, files, { key: journal.keyFor(image), onSent: sent })
    })
    end(outcome.kind, outcome.kind === 'uploaded' ? describeSavings([outcome.upload]) : undefined)
    if (outcome.kind !== 'uploaded') return outcome
    return finished(image.path, { upload: outcome.upload, isNew: true, image })
  }
  const outcomes: Outcome[] = []
  await inOrder(images, uploadsAtATime(invocation), one, (outcome) => {
    if (outcome === 'not begun') return
    outcomes.push(outcome)
    if (outcome.kind === 'uploaded') printUpload(outcome.upload, invocation, screen)
  })
  progress.stop()
  const uploads = outcomes.flatMap((outcome) => (outcome.kind === 'uploaded' ? [outcome.upload] : []))
  const saved = uploads.length > 1 ? describeSavings(uploads) : undefined
  if (saved !== undefined) screen.note(`all ${uploads.length} files: ${saved}`)
  return outcomes
}

/** Records a finished step. A failure to write the journal is reported and does not stop the upload. */
function keep(step: () => void, screen: Screen): void {
  try {
    step()
  } catch (error) {
    if (!(error instanceof RequestFailed)) throw error
    screen.problem(error.message)
  }
}

/**
 * Returns the number of concurrent uploads. Images of a gallery are in the order in which their requests arrive, which
 * is random for concurrent requests. So they are uploaded one by one, each with all its attempts.
 */
function uploadsAtATime({ gallery, anyOrder, concurrency }: UploadInvocation): number {
  return gallery !== undefined && !anyOrder ? 1 : concurrency
}

function formTexts(invocation: UploadInvocation, gallery: Gallery | undefined): Texts {
  const { thumbnailPx } = invocation
  return {
    ...commonTexts(invocation),
    ...(thumbnailPx !== undefined && { max_th_size: String(thumbnailPx) }),
    ...(gallery && { gallery_hash: gallery.hash, gallery_upload_hash: gallery.uploadToken }),
    ...(requestsManage(invocation) && !gallery && { include_manage_url: '1' }),
    ...(!gallery && expiryTexts(invocation.expiresInS)),
  }
}

async function uploadOne(path: string, send: () => Promise<Upload>): Promise<Outcome> {
  try {
    return { kind: 'uploaded', path, upload: await send() }
  } catch (error) {
    if (error instanceof Stopped) return { kind: 'stopped', path }
    if (error instanceof RequestFailed) {
      const { status, code, message } = error
      return { kind: 'failed', path, status, code, message }
    }
    throw error
  }
}

/** Makes the gallery public. An empty one is removed by the same request. */
async function closeGallery(
  gallery: Gallery,
  { api, journal, outcomes, session }: { api: Api; journal: Journal; outcomes: readonly Outcome[]; session: Session },
): Promise<GalleryOutcome> {
  const { screen, signal } = session
  if (journal.isPublic()) return { ...gallery, state: 'public' }
  if (signal.aborted) return { ...gallery, state: 'unfinished' }
  if (journal !== NO_JOURNAL && outcomes.some(mayComeYet)) {
    screen.problem('the gallery waits for what failed: the same command continues')
    return { ...gallery, state: 'unfinished' }
  }
  try {
    await api.finalize(gallery)
    keep(() => journal.keepPublic(), screen)
    return { ...gallery, state: outcomes.some(({ kind }) => kind === 'uploaded') ? 'public' : 'removed' }
  } catch (error) {
    if (!(error instanceof RequestFailed || error instanceof Stopped)) throw error
    screen.problem(`the gallery could not be made public: ${error.message}`)
    return { ...gallery, state: 'unfinished' }
  }
}

/** Whether an image failed for a reason that passes: no response, or one that asks to come again. */
function mayComeYet(outcome: Outcome): boolean {
  return outcome.kind === 'failed' && isPassing(outcome.status, outcome.code)
}

function printUpload(upload: Upload, { format }: UploadInvocation, screen: Screen): void {
  if (format === 'json') return
  screen.result(formatUpload(upload, format))
  if (upload.manageUrl !== undefined) screen.result(`manage: ${upload.manageUrl}`)
}

function printGallery({ url, manageUrl, state }: GalleryOutcome, screen: Screen): void {
  if (state === 'removed') return
  screen.result(`gallery: ${url}`)
  if (manageUrl !== undefined) screen.result(`manage: ${manageUrl}`)
}

function summary(outcomes: readonly Outcome[], found: Found, gallery: GalleryOutcome | undefined) {
  const unfit = found.unfit.map(({ path, why }) => ({ file: path, message: why }))
  const failed = outcomes.flatMap((outcome) =>
    outcome.kind === 'failed' ? [{ file: outcome.path, status: outcome.status, message: outcome.message }] : [],
  )
  const stopped = outcomes.flatMap(({ kind, path }) => (kind === 'stopped' ? [path] : []))
  return {
    images: outcomes.flatMap((outcome) =>
      outcome.kind === 'uploaded' ? [{ file: outcome.path, ...outcome.upload.fields }] : [],
    ),
    gallery: gallery && {
      gallery_name: gallery.name,
      gallery_hash: gallery.hash,
      gallery_url: gallery.url,
      manage_url: gallery.manageUrl,
      expires_at: gallery.expiresAt,
      state: gallery.state,
    },
    failed: [...unfit, ...failed],
    skipped: found.skipped.map(({ path, why }) => ({ file: path, message: why })),
    ...(stopped.length > 0 && { stopped }),
  }
}

/** Every failure by name, together at the end where they are read. */
function tellProblems(outcomes: readonly Outcome[], { unfit, images }: Found, screen: Screen): void {
  const failed = [
    ...unfit.map(({ path, why }) => `  ${path}: ${why}`),
    ...outcomes.flatMap((outcome) => (outcome.kind === 'failed' ? [`  ${outcome.path}: ${outcome.message}`] : [])),
  ]
  if (failed.length > 0) {
    screen.problem(`${failed.length} of ${images.length + unfit.length} failed:`)
    for (const line of failed) screen.problem(line)
  } else if (images.length === 0) screen.problem('there is no picture to upload')
}

function tellGallery({ state }: GalleryOutcome, screen: Screen): void {
  if (state === 'removed') screen.problem('no picture was uploaded: the host removed the empty gallery')
  if (state === 'unfinished') {
    screen.problem('the gallery is not public: the host makes it so, or removes it if it is empty, after about a day')
  }
}

function tellStopped(outcomes: readonly Outcome[], all: number, screen: Screen): void {
  const uploaded = outcomes.filter(({ kind }) => kind === 'uploaded')
  screen.problem(`stopped: ${uploaded.length} of ${all} uploaded`)
  for (const { kind, path } of outcomes) {
    if (kind === 'uploaded') screen.problem(`  uploaded ${path}`)
    if (kind === 'stopped') screen.problem(`  cut off ${path}: it may or may not have arrived`)
  }
}
