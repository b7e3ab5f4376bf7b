// The upload page with a script: many pictures at once, three at a time, with previews, progress and ready-made codes.
import { UPLOAD_MAX_BYTES } from '../../limits.ts'
import type { UploadFailure } from '../upload-words.ts'
import type { CreatedGallery } from './upload/answers.ts'
import { find } from './upload/elements.ts'
import { createFileCard, type FileCard } from './upload/file-card.ts'
import { fill } from './upload/fill.ts'
import { announce, keepFocus } from './upload/focus.ts'
import { percent, plural } from './upload/formats.ts'
import { createGallery, finalizeGallery } from './upload/gallery.ts'
import { gatherFiles } from './upload/gathering.ts'
import { hopeful, type Item, isDone, isUnfinished, sentShareOfAll } from './upload/item.ts'
import { forgetGalleryName, markGalleryName, offerGallery, readOptions } from './upload/options.ts'
import type { Pause } from './upload/pause.ts'
import { identityOf } from './upload/picture-files.ts'
import { createQuarters } from './upload/quarters.ts'
import { createQueue } from './upload/queue.ts'
import { clearResults, prepareResults, showResults } from './upload/results.ts'
import { sendPicture } from './upload/sending.ts'
import { nextStep, type Stage, showBatch, showPause, showStage } from './upload/stage.ts'
import { words } from './upload/words.ts'

const AT_A_TIME = 3

let stage: Stage = 'empty'
const cards = new Map<Item, FileCard>()
let options = readOptions()
let gallery: CreatedGallery | undefined
let stopping = new AbortController()
/** By what waits: a picture, or the gallery. */
const pauses = new Map<unknown, Pause>()
let isNewQuarter = createQuarters()

/**
 * The pictures of a gallery stand in the order in which their requests arrive (D27): the queue lets the next one begin
 * when bytes of the previous one are being sent. A picture that is retried arrives later, and comes later.
 */
const queue = createQueue<Item>(AT_A_TIME, send, () => void settle())

function items(): Item[] {
  return [...cards.keys()]
}

function enter(next: Stage): void {
  stage = next
  showStage(stage, items(), options.gallery !== undefined)
  keepFocus(nextStep(stage))
}

function showFailure(failure: UploadFailure | undefined): void {
  find('#failure', HTMLElement).textContent = failure ? words.errors[failure] : ''
}

function isOpen(): boolean {
  return stage === 'empty' || stage === 'chosen'
}

/** Adds files to the list, each only once. */
function take(files: readonly File[]): void {
  const known = new Set(items().map(({ file }) => identityOf(file)))
  for (const file of files) {
    if (known.has(identityOf(file))) continue
    known.add(identityOf(file))
    const item: Item = {
      file,
      key: isSecureContext ? crypto.randomUUID() : undefined,
      progress:
        file.size > UPLOAD_MAX_BYTES ? { state: 'failed', failure: 'tooLarge', permanent: true } : { state: 'waiting' },
    }
    const card = createFileCard(item, { remove: () => remove(item), retry: () => retry([item]) })
    cards.set(item, card)
    find('#files', HTMLElement).append(card.element)
  }
  if (cards.size === 0) return
  announce(plural(words.imageCount, cards.size))
  enter('chosen')
}

function remove(item: Item): void {
  const index = items().indexOf(item)
  queue.withdraw(item)
  cards.get(item)?.discard()
  cards.delete(item)
  const neighbour = items()[index] ?? items()[index - 1]
  if (neighbour) cards.get(neighbour)?.focus()
  if (cards.size === 0 && stage !== 'done') startOver()
  else if (stage === 'halted' && !items().some(isUnfinished)) void settle()
  else enter(stage)
}

/** Begins the upload: first creates the gallery, if there is one. */
async function start(): Promise<void> {
  const ready = items().filter(isUnfinished)
  if (!isOpen() || ready.length === 0) return
  options = readOptions()
  begin(options.gallery ? 'arranging' : 'sending')
  if (options.gallery) {
    const created = await createGallery(options.gallery, stopping.signal, pausing('gallery'))
    if ('failure' in created) {
      enter('chosen')
      if (stopping.signal.aborted) return
      showFailure(created.failure)
      markGalleryName(created.failure === 'galleryName')
      return
    }
    gallery = created.gallery
    enter('sending')
  }
  queue.add(ready)
}

function begin(next: Stage): void {
  showFailure(undefined)
  stopping = new AbortController()
  isNewQuarter = createQuarters()
  enter(next)
}

/** Retries pictures; the others may still be in progress. */
function retry(again: readonly Item[]): void {
  for (const item of again) {
    item.progress = { state: 'waiting' }
    cards.get(item)?.update()
  }
  if (stage !== 'sending') begin('sending')
  keepFocus(nextStep(stage))
  queue.add(again)
}

function stop(): void {
  for (const item of queue.clear()) {
    item.progress = { state: 'stopped' }
    cards.get(item)?.update()
  }
  stopping.abort()
}

async function send(item: Item, begun: () => void): Promise<void> {
  await sendPicture(item, {
    fields: options.fields,
    gallery,
    signal: stopping.signal,
    begun,
    onPause: pausing(item),
    onProgress() {
      cards.get(item)?.update()
      showBatch(items())
      const share = sentShareOfAll(hopeful(items()))
      if (isNewQuarter(share)) announce(fill(words.sending, { percent: percent(share) }))
    },
  })
}

/** What is told when something begins to wait for the service, and when that ends. */
function pausing(waiter: unknown): (pause: Pause | undefined) => void {
  return (pause) => {
    if (pause) pauses.set(waiter, pause)
    else pauses.delete(waiter)
    showPause(pauses.values())
  }
}

/** Called when no upload is left in progress. A gallery in which pictures failed waits for the user's decision. */
async function settle(): Promise<void> {
  const failed = items().filter(isUnfinished)
  const isAnyDone = items().some(isDone)
  if (failed.length > 0) announce(plural(words.someFailed, failed.length))
  if (!isAnyDone || (gallery && failed.length > 0)) enter('halted')
  else await finish()
}

/** Shows the results, after finalizing the gallery, if there is one. */
async function finish(): Promise<void> {
  if (gallery) {
    begin('arranging')
    const failure = await finalizeGallery(gallery, stopping.signal, pausing('gallery'))
    if (failure) {
      if (!stopping.signal.aborted) showFailure(failure)
      return enter('halted')
    }
    for (const item of items().filter(isUnfinished)) {
      cards.get(item)?.discard()
      cards.delete(item)
    }
  }
  const pictures = items().flatMap(({ progress }) => (progress.state === 'done' ? [progress.uploaded] : []))
  showResults({ pictures, gallery })
  if (!items().some(isUnfinished)) announce(plural(words.allDone, pictures.length))
  enter('done')
}

function startOver(): void {
  for (const card of cards.values()) card.discard()
  cards.clear()
  gallery = undefined
  showFailure(undefined)
  forgetGalleryName()
  clearResults()
  announce('')
  enter('empty')
}

function onClick(selector: string, act: () => void): void {
  find(selector, HTMLButtonElement).addEventListener('click', act)
}

prepareResults()
offerGallery()
find('#upload', HTMLFormElement).addEventListener('submit', (event) => {
  event.preventDefault()
  void start()
})
onClick('#clear', startOver)
onClick('#stop', stop)
onClick('#retry-all', () => retry(items().filter(isUnfinished)))
onClick('#finish', () => void finish())
onClick('#another', startOver)
window.addEventListener('beforeunload', (event) => {
  if (stage === 'sending' || stage === 'arranging') event.preventDefault()
})
find('#img', HTMLInputElement).multiple = true
find('#img', HTMLInputElement).required = false
showStage(stage, [], false)
gatherFiles(take, isOpen)
