import { find } from './elements.ts'
import { fill } from './fill.ts'
import { bytes, clockTime, number, percent, plural } from './formats.ts'
import { hopeful, type Item, isDone, isUnfinished, sentShareOfAll } from './item.ts'
import type { Pause } from './pause.ts'
import { words } from './words.ts'

/**
 * The state of the page: nothing is chosen; files are chosen; a gallery is being created or finalized, and the list must not
 * change; pictures are being sent; something failed, and the user decides; there are results, and perhaps also pictures that
 * failed.
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

/** Shows the parts of the form for the stage. `inGallery` tells whether the pictures go into a gallery. */
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
  // If no picture failed, finalizing the gallery did.
  finishButton.textContent = unfinished.length === 0 ? words.retryButton : words.finishAnyway
}

/** Shows the progress of the batch. */
export function showBatch(all: readonly Item[]): void {
  const items = hopeful(all)
  const share = sentShareOfAll(items)
  const done = items.filter(isDone).length
  batchProgress.value = share
  batchPercent.textContent = percent(share)
  batchWords.textContent = fill(words.progress, { done: number(done), total: number(items.length) })
}

/** Says why nothing is sent and when it goes on, by the pause that ends first; nothing where there is none. */
export function showPause(pauses: Iterable<Pause>): void {
  const [first] = [...pauses].toSorted((a, b) => a.untilMs - b.untilMs)
  find('#paused', HTMLElement).textContent = first
    ? fill(words.paused[first.reason], { time: clockTime(first.untilMs) })
    : ''
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
