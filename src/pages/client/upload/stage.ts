import { find } from '../elements.ts'
import { fill } from '../fill.ts'
import { bytes, clockTime, number, percent, plural } from './formats.ts'
import { type Item, isDone, isFailed, isRetryable, isUnfinished, sentShareOfAll } from './item.ts'
import type { Pause } from './pause.ts'
import { words } from './words.ts'

/**
 * The state of the page: nothing is chosen; files are chosen; a gallery is being created or finalized, and the list must not
 * change; pictures are being sent; the user paused that; something failed, and the user decides; there are results, and perhaps
 * also pictures that failed.
 */
export type Stage = 'empty' | 'chosen' | 'arranging' | 'sending' | 'paused' | 'halted' | 'done'

const form = find('#upload', HTMLFormElement)
const chosen = find('#chosen', HTMLElement)
const choose = find('#choose', HTMLElement)
const startButton = find('#start', HTMLButtonElement)
const batch = find('#batch', HTMLElement)
const batchWords = find('#batch-words', HTMLElement)
const batchPercent = find('#batch-percent', HTMLElement)
const batchProgress = find('#batch-progress', HTMLProgressElement)
const pauseButton = find('#pause', HTMLButtonElement)
const resumeButton = find('#resume', HTMLButtonElement)
const retryButton = find('#retry-all', HTMLButtonElement)
const finishButton = find('#finish', HTMLButtonElement)
const clearButton = find('#clear', HTMLButtonElement)
const failedWords = find('#failed-words', HTMLElement)

/** Whether files may be added to the list: always, but while a gallery is being created or finalized. */
export function isOpen(stage: Stage): boolean {
  return stage !== 'arranging'
}

/** Shows the parts of the form for the stage. `inGallery` tells whether the pictures go into a gallery. */
export function showStage(stage: Stage, items: readonly Item[], inGallery: boolean): void {
  const isChoosing = stage === 'empty' || stage === 'chosen'
  const isDecided = stage === 'halted' || stage === 'done'
  const unfinished = items.filter(isUnfinished)
  const retryable = items.filter(isRetryable)
  const failed = items.filter(isFailed)
  form.dataset.stage = stage
  form.hidden = stage === 'done' && unfinished.length === 0
  chosen.hidden = stage === 'empty'
  chosen.inert = stage === 'arranging'
  find('#total', HTMLElement).textContent = totalOf(items)
  find('#order-hint', HTMLElement).hidden = stage !== 'chosen' || items.length < 2

  choose.textContent = stage === 'empty' ? words.choose : words.addMore
  startButton.hidden = !isChoosing
  startButton.textContent = plural(words.start, retryable.length)
  startButton.disabled = retryable.length === 0
  clearButton.hidden = !['chosen', 'halted', 'paused'].includes(stage)
  // Until then the list has its own way to more.
  find('#another', HTMLElement).hidden = stage !== 'done'

  batch.hidden = isChoosing || isDecided
  batch.dataset.paused = String(stage === 'paused')
  pauseButton.hidden = stage !== 'arranging' && stage !== 'sending'
  resumeButton.hidden = stage !== 'paused'
  showBatch(items, stage === 'paused')

  failedWords.textContent = isDecided && failed.length > 0 ? plural(words.someFailed, failed.length) : ''
  retryButton.hidden = !isDecided || retryable.length === 0
  retryButton.textContent = retryWords(retryable, failed.filter(isRetryable))
  finishButton.hidden = stage !== 'halted' || !inGallery || !items.some(isDone)
  // If no picture failed, finalizing the gallery did.
  finishButton.textContent = unfinished.length === 0 ? words.retryButton : words.finishAnyway
}

/** Pictures that were added since have not been tried yet. */
function retryWords(retryable: readonly Item[], failed: readonly Item[]): string {
  if (retryable.length > failed.length) return plural(words.start, retryable.length)
  return retryable.length === 1 ? words.retryButton : words.retryAll
}

/** Shows the progress of the batch. */
export function showBatch(items: readonly Item[], isPaused: boolean): void {
  const share = sentShareOfAll(items)
  const done = items.filter(isDone).length
  batchProgress.value = share
  batchPercent.textContent = isPaused ? words.stopped : percent(share)
  batchWords.textContent = fill(words.progress, { done: number(done), total: number(items.length) })
}

/** Says why nothing is sent and when it goes on, by the pause that ends first; nothing where there is none. */
export function showPause(pauses: Iterable<Pause>): void {
  const [first] = [...pauses].toSorted((a, b) => a.untilMs - b.untilMs)
  find('#paused', HTMLElement).textContent = first
    ? fill(words.paused[first.reason], { time: clockTime(first.untilMs) })
    : ''
}

/** Shows whether the connection is lost. */
export function showOffline(isLost: boolean): void {
  find('#offline', HTMLElement).textContent = isLost ? words.offline : ''
}

/** The element to focus in a stage. */
export function nextStep(stage: Stage): HTMLElement {
  switch (stage) {
    case 'empty':
      return find('#img', HTMLElement)
    case 'chosen':
      return startButton
    case 'arranging':
    case 'sending':
      return pauseButton
    case 'paused':
      return resumeButton
    case 'halted':
      return [retryButton, finishButton].find(({ hidden }) => !hidden) ?? clearButton
    case 'done':
      return find('#results-heading', HTMLElement)
  }
}

function totalOf(items: readonly Item[]): string {
  const size = items.reduce((sum, { file }) => sum + file.size, 0)
  return `${plural(words.imageCount, items.length)} · ${bytes(size)}`
}
