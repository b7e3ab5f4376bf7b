// The upload page with a script: many pictures at once, three at a time, with previews, progress and ready-made codes.
import type { UploadFailure } from '../upload-words.ts'
import { find } from './elements.ts'
import { fill } from './fill.ts'
import { forget, isRemembering, type Remembered, remember } from './remembering.ts'
import type { CreatedGallery, Uploaded } from './upload/answers.ts'
import { watchConnection } from './upload/connection.ts'
import { fetchFile } from './upload/fetching.ts'
import { createFileCard, type FileCard } from './upload/file-card.ts'
import { announce, keepFocus } from './upload/focus.ts'
import { number, percent, plural } from './upload/formats.ts'
import { createGallery, finalizeGallery } from './upload/gallery.ts'
import { gatherFiles } from './upload/gathering.ts'
import { type Item, isDone, isFailed, isRetryable, isUnfinished, sentShareOfAll } from './upload/item.ts'
import { later } from './upload/later.ts'
import { forgetGalleryName, markGalleryName, prepareOptions, readOptions } from './upload/options.ts'
import { enableOrdering } from './upload/ordering.ts'
import type { Pause } from './upload/pause.ts'
import { identityOf } from './upload/picture-files.ts'
import { createQuarters } from './upload/quarters.ts'
import { createQueue, type Outcome } from './upload/queue.ts'
import { addResults, areResultsSafe, hasResults, prepareResults } from './upload/results.ts'
import { sendPicture } from './upload/sending.ts'
import { forgetAllShared, forgetShared, prepareShared } from './upload/shared.ts'
import { isOpen, nextStep, type Stage, showBatch, showOffline, showPause, showStage } from './upload/stage.ts'
import { askAboutSent } from './upload/starting-over.ts'
import { forgetUnfit, prepareUnfit, reportUnfit, type Unfit } from './upload/unfit.ts'
import { words } from './upload/words.ts'

const AT_A_TIME = 3

let stage: Stage = 'empty'
/** In the order of the list, in which they are sent. */
let items: Item[] = []
const cards = new Map<Item, FileCard>()
let options = readOptions()
let gallery: CreatedGallery | undefined
let stopping = new AbortController()
/** By what waits: a picture, or the gallery. */
const pauses = new Map<unknown, Pause>()
let isNewQuarter = createQuarters()
let taking = Promise.resolve()
const underWay = new Set<Promise<Outcome>>()

const judging = later(() => import('./upload/judging.ts'))
const form = find('#upload', HTMLFormElement)
const list = find('#files', HTMLElement)
/** Says what became of a list that is gone. */
const told = find('#told', HTMLElement)
const connection = watchConnection(showOffline)

/**
 * The pictures of a gallery stand in the order in which their requests arrive (D27): the queue lets the next one begin
 * when bytes of the previous one are being sent. A picture that is retried arrives later, and comes later.
 */
const queue = createQueue<Item>(AT_A_TIME, send, () => void settle())

function enter(next: Stage): void {
  stage = next
  showStage(stage, items, options.gallery !== undefined)
  keepFocus(nextStep(stage))
}

function showFailure(failure: UploadFailure | undefined): void {
  find('#failure', HTMLElement).textContent = failure ? words.errors[failure] : ''
}

/** Says what is going on where files are gathered; nothing without words. */
function tellGathering(text: string): void {
  find('#gathering', HTMLElement).textContent = text
}

/** Adds files to the list, those of one call after those of the one before. */
function take(files: readonly File[]): void {
  form.ariaBusy = 'true'
  taking = taking
    .then(() => judgeAll(files))
    .catch(() => tellGathering(words.errors.network))
    .finally(() => {
      form.ariaBusy = 'false'
    })
}

/** Adds those files to the list that can be uploaded, each only once, and tells of the others. */
async function judgeAll(files: readonly File[]): Promise<void> {
  if (!judging.isLoaded() && !navigator.onLine) tellGathering(words.offline)
  const { judge } = await judging.load()
  const known = new Set(items.map(({ file }) => identityOf(file)))
  const unfits: Unfit[] = []
  const before = items.length
  for (const file of files) {
    if (known.has(identityOf(file))) continue
    known.add(identityOf(file))
    const verdict = await judge(file)
    if (verdict.isFit) add({ file, ...verdict })
    else unfits.push({ file, ...verdict })
  }
  for (const file of files) if (!items.some((item) => item.file === file)) forgetShared(file)
  if (items.length > before) {
    announce(plural(words.imageCount, items.length))
    tellGathering('')
    told.textContent = ''
    if (stage === 'sending' || stage === 'paused') queue.add(items.slice(before))
    enter(stage === 'empty' || stage === 'done' ? 'chosen' : stage)
  }
  reportUnfit(unfits)
}

function add({ file, size, hasLocation }: Pick<Item, 'file' | 'size' | 'hasLocation'>): void {
  const key = isSecureContext ? crypto.randomUUID() : undefined
  const item: Item = { file, size, key, hasLocation, progress: { state: 'waiting' } }
  const card = createFileCard(item, { remove: () => remove(item), retry: () => retry([item]) })
  items.push(item)
  cards.set(item, card)
  list.append(card.element)
}

function remove(item: Item): void {
  const index = items.indexOf(item)
  queue.withdraw(item)
  drop(item)
  const neighbour = items[index] ?? items[index - 1]
  if (neighbour) cards.get(neighbour)?.focus()
  if (items.length === 0 && stage !== 'done') clear()
  else if (stage === 'halted' && !items.some(isUnfinished)) void finish()
  else enter(stage)
}

function drop(item: Item): void {
  forgetShared(item.file)
  cards.get(item)?.discard()
  cards.delete(item)
  items = items.filter((other) => other !== item)
}

/** Begins the upload: first creates the gallery, if there is one. */
async function start(): Promise<void> {
  if ((stage !== 'empty' && stage !== 'chosen') || !items.some(isRetryable)) return
  options = readOptions()
  begin(options.gallery ? 'arranging' : 'sending')
  if (options.gallery) {
    const key = isSecureContext ? crypto.randomUUID() : undefined
    const created = await createGallery(options.gallery.name, key, patience())
    if ('failure' in created) {
      enter('chosen')
      if (stopping.signal.aborted) return
      showFailure(created.failure)
      markGalleryName(created.failure === 'galleryName')
      return
    }
    gallery = created.gallery
    keep(gallery.manageUrl, { kind: 'gallery', name: options.gallery.name.trim(), pageUrl: gallery.url })
    enter('sending')
  }
  sendAll(items.filter(isRetryable))
}

function begin(next: Stage): void {
  showFailure(undefined)
  told.textContent = ''
  stopping = new AbortController()
  isNewQuarter = createQuarters()
  enter(next)
}

function patience() {
  return { signal: stopping.signal, onPause: pausing('gallery'), lost: connection.lost, found: connection.found }
}

/** What is told when something begins to wait for the service, and when that ends. */
function pausing(waiter: unknown): (pause: Pause | undefined) => void {
  return (pause) => {
    if (pause) pauses.set(waiter, pause)
    else pauses.delete(waiter)
    showPause(pauses.values())
  }
}

/** Retries pictures; the others may still be in progress. */
function retry(again: readonly Item[]): void {
  // What was added since is in no queue yet.
  const added = ['halted', 'done'].includes(stage) ? items.filter(({ progress }) => progress.state === 'waiting') : []
  if (stage !== 'sending') begin('sending')
  keepFocus(nextStep(stage))
  sendAll(new Set([...again, ...added]))
}

function sendAll(some: Iterable<Item>): void {
  for (const item of some) {
    item.progress = { state: 'waiting' }
    cards.get(item)?.update()
  }
  queue.add(some)
  queue.resume()
}

/** Pauses the upload. What was sent whole is waited for: its private link is in the answer. */
function pause(): void {
  queue.pause()
  stopping.abort()
  showOffline(false)
  if (stage === 'sending') enter('paused')
}

function resume(): void {
  begin('sending')
  queue.resume()
}

async function send(item: Item, begun: () => void): Promise<Outcome> {
  const sending = sendOne(item, begun)
  underWay.add(sending)
  try {
    return await sending
  } finally {
    underWay.delete(sending)
  }
}

async function sendOne(item: Item, begun: () => void): Promise<Outcome> {
  const { signal } = stopping
  const outcome = await sendPicture(item, {
    ...options,
    gallery,
    signal,
    begun,
    onPause: pausing(item),
    onProgress() {
      cards.get(item)?.update()
      showBatch(items, stage === 'paused')
      const share = sentShareOfAll(items)
      if (isNewQuarter(share)) announce(fill(words.sending, { percent: percent(share) }))
    },
  })
  const { progress } = item
  if (progress.state === 'done') {
    const { uploaded } = progress
    forgetShared(item.file)
    keep(uploaded.manageUrl, { ...uploaded, kind: 'picture' })
    const [first = uploaded] = uploadedPictures()
    if (gallery) keep(gallery.manageUrl, { ...first, kind: 'gallery', name: galleryName(), pageUrl: gallery.url })
  }
  if (progress.state === 'held') void waitForConnection()
  else if (outcome === 'over') connection.found()
  return outcome
}

async function waitForConnection(): Promise<void> {
  queue.pause()
  await connection.lost()
  if (stage === 'sending') queue.resume()
}

/** Remembers an upload with its private link, on this device, as soon as there is one. */
function keep(
  manageUrl: string | undefined,
  {
    kind,
    name,
    pageUrl,
    thumbnailUrl,
  }: Omit<Remembered, 'manageUrl' | 'timeMs' | 'thumbnailUrl'> & { thumbnailUrl?: string },
): void {
  if (manageUrl === undefined || !isRemembering()) return
  remember({ kind, name, pageUrl, thumbnailUrl, manageUrl, timeMs: Date.now() })
}

function galleryName(): string {
  return options.gallery?.name.trim() ?? ''
}

/** Called when no upload is left in progress. A gallery in which pictures failed waits for the user's decision. */
async function settle(): Promise<void> {
  // What is chosen at the last moment goes with the others.
  for (let last: typeof taking | undefined; last !== taking; ) {
    last = taking
    await last
  }
  if ((stage !== 'sending' && stage !== 'paused') || !items.every((item) => isDone(item) || isFailed(item))) return
  const failed = items.filter(isFailed)
  if (failed.length > 0) announce(plural(words.someFailed, failed.length))
  if (!items.some(isDone) || (gallery && failed.length > 0)) enter('halted')
  else await finish()
}

/** Shows the results, after finalizing the gallery, if there is one; without the pictures that failed. */
async function finish(): Promise<void> {
  if (gallery) {
    begin('arranging')
    const failure = await finalizeGallery(gallery, patience())
    if (failure) {
      if (!stopping.signal.aborted) showFailure(failure)
      return enter('halted')
    }
    for (const item of items.filter(isFailed)) drop(item)
  }
  const pictures = uploadedPictures()
  addResults({ pictures, gallery, name: galleryName() })
  for (const item of items.filter(isDone)) drop(item)
  gallery = undefined
  forgetGalleryName()
  if (items.length === 0) announce(plural(words.allDone, pictures.length))
  enter('done')
}

/** The pictures of the list that are uploaded, in its order. */
function uploadedPictures(): Uploaded[] {
  return items.flatMap(({ progress }) => (progress.state === 'done' ? [progress.uploaded] : []))
}

/** What was sent of the list: a gallery as soon as it is created, for it becomes public in a day. */
function sent() {
  const uploads = uploadedPictures()
  const links = gallery
    ? [{ pageUrl: gallery.url, manageUrl: gallery.manageUrl }]
    : uploads.map(({ pageUrl, manageUrl }) => ({ pageUrl, manageUrl }))
  return { count: uploads.length, links }
}

/** Starts over. Whoever has sent something is asked whether it is to be deleted. */
async function startOver(): Promise<void> {
  // After a pause some answers are still to come, with their private links.
  await Promise.all(underWay)
  const { count, links } = sent()
  const giveUp = () => {
    for (const { pageUrl } of links) forget(pageUrl)
    forgetUnfit()
    clear()
  }
  if (count === 0) return giveUp()
  askAboutSent(
    { count, links },
    {
      gone({ pageUrl }) {
        forget(pageUrl)
        for (const item of items) {
          if (item.progress.state === 'done' && item.progress.uploaded.pageUrl === pageUrl) drop(item)
        }
        enter(stage)
      },
      deleted() {
        giveUp()
        told.textContent = plural(words.startingOver.deleted, count)
      },
      keep() {
        queue.clear()
        for (const item of items.filter(isUnfinished)) drop(item)
        void finish()
      },
    },
  )
}

/** Empties the list. Results stay. */
function clear(): void {
  queue.clear()
  queue.resume()
  for (const item of items) drop(item)
  forgetAllShared()
  gallery = undefined
  showFailure(undefined)
  forgetGalleryName()
  announce('')
  enter(hasResults() ? 'done' : 'empty')
}

async function takeFrom(address: URL): Promise<void> {
  tellGathering(words.unfit.fetching)
  const file = await fetchFile(address)
  tellGathering(file ? '' : words.unfit.fetchFailed)
  if (file) take([file])
}

function onClick(selector: string, act: () => void): void {
  find(selector, HTMLButtonElement).addEventListener('click', act)
}

prepareOptions()
prepareResults()
prepareUnfit(take)
enableOrdering({
  list,
  isOpen: () => stage === 'chosen',
  onMove(element) {
    const places = [...list.children]
    items.sort((a, b) => placeOf(a) - placeOf(b))
    const index = places.indexOf(element)
    const [name, position, total] = [items[index]?.file.name ?? '', number(index + 1), number(items.length)]
    announce(fill(words.moved, { name, position, total }))
    function placeOf(item: Item): number {
      const card = cards.get(item)?.element
      return card ? places.indexOf(card) : places.length
    }
  },
})
form.addEventListener('submit', (event) => {
  event.preventDefault()
  void start()
})
onClick('#clear', () => void startOver())
onClick('#pause', pause)
onClick('#resume', resume)
onClick('#retry-all', () => retry(items.filter(isRetryable)))
onClick('#finish', () => void finish())
onClick('#another', () => {
  // What failed stays in the list.
  enter(items.length > 0 ? 'chosen' : 'empty')
  find('#img', HTMLInputElement).focus({ preventScroll: true })
  form.scrollIntoView({ block: 'nearest' })
})
window.addEventListener('beforeunload', (event) => {
  const isUnderWay =
    ['arranging', 'sending', 'paused'].includes(stage) || (stage === 'halted' && sent().links.length > 0)
  if (isUnderWay || !areResultsSafe()) event.preventDefault()
})
find('#img', HTMLInputElement).multiple = true
find('#img', HTMLInputElement).required = false
showStage(stage, [], false)
gatherFiles({ files: take, address: (address) => void takeFrom(address), isOpen: () => isOpen(stage) })
void prepareShared(take).catch(() => undefined)
// While one chooses, for by then there may be no connection any more.
for (const sign of ['pointerover', 'focusin', 'dragenter']) {
  form.addEventListener(sign, judging.loadEarly, { once: true })
}
