import { find } from './elements.ts'
import { fill } from './fill.ts'
import { bytes, number, percent, plural } from './formats.ts'
import { hopeful, type Item, isDone, isUnfinished, sentShareOfAll } from './item.ts'
import { words } from './words.ts'

/**
 * How far the page is: nothing is chosen; something is; a gallery is being created or made public, so that the list must
 * not change; pictures are being sent; something failed and the reader decides; there are results, and beside them perhaps
 * pictures that failed.
 */
export type Stage = 'empty' | 'chosen' | 'arranging' | 'sending' | 'halted' | 'done'

const form = find('#upload', HTMLFormElement)
const chosen = find('#chosen', HTMLElement)
const choose = find('#choose', HTMLElement)
const startButton = find('#start', HTMLButtonElement)
const batch = find('#batch', HTMLElement)
const batchWords = find('#batch-words', HTMLElement)
const batchPercent = find('#batch-percent', HTMLElement)
const batchProgress = find('#batch-progress', HTMLProgressElement)
const stopButton = find('#stop', HTMLButtonElement)
const retryButton = find('#retry-all', HTMLButtonElement)
const finishButton = find('#finish', HTMLButtonElement)
const clearButton = find('#clear', HTMLButtonElement)
const failedWords = find('#failed-words', HTMLElement)

/** Shows of the form what belongs to the stage. `inGallery` says whether the pictures go into one. */
export function showStage(stage: Stage, items: readonly Item[], inGallery: boolean): void {
  const isOpen = stage === 'empty' || stage === 'chosen'
  const isDecided = stage === 'halted' || stage === 'done'
  const unfinished = items.filter(isUnfinished)
  const isAnyDone = items.some(isDone)
  form.dataset.stage = stage
  form.hidden = stage === 'done' && unfinished.length === 0
  chosen.hidden = stage === 'empty'
  chosen.inert = stage === 'arranging'
  find('#total', HTMLElement).textContent = totalOf(items)

  choose.textContent = stage === 'empty' ? words.choose : words.addMore
  startButton.hidden = !isOpen
  startButton.textContent = plural(words.start, unfinished.length)
  startButton.disabled = unfinished.length === 0
  clearButton.hidden = stage !== 'chosen' && stage !== 'halted'

  batch.hidden = stopButton.hidden = isOpen || isDecided
  showBatch(items)

  failedWords.textContent = isDecided && unfinished.length > 0 ? plural(words.someFailed, unfinished.length) : ''
  retryButton.hidden = !isDecided || unfinished.length === 0
  retryButton.textContent = unfinished.length === 1 ? words.retryButton : words.retryAll
  finishButton.hidden = stage !== 'halted' || !inGallery || !isAnyDone
  // Where no picture failed, making the gallery public did.
  finishButton.textContent = unfinished.length === 0 ? words.retryButton : words.finishAnyway
}

/** Shows how far the batch is. */
export function showBatch(all: readonly Item[]): void {
  const items = hopeful(all)
  const share = sentShareOfAll(items)
  const done = items.filter(isDone).length
  batchProgress.value = share
  batchPercent.textContent = percent(share)
  batchWords.textContent = fill(words.progress, { done: number(done), total: number(items.length) })
}

/** Where the reader goes on in a stage. */
export function nextStep(stage: Stage): HTMLElement {
  switch (stage) {
    case 'empty':
      return find('#img', HTMLElement)
    case 'chosen':
      return startButton
    case 'arranging':
    case 'sending':
      return stopButton
    case 'halted':
      return [retryButton, finishButton].find(({ hidden }) => !hidden) ?? clearButton
    case 'done':
      return find('#results-heading', HTMLElement)
  }
}

function totalOf(all: readonly Item[]): string {
  const items = hopeful(all)
  const size = items.reduce((sum, { file }) => sum + file.size, 0)
  return `${plural(words.imageCount, items.length)} · ${bytes(size)}`
}
