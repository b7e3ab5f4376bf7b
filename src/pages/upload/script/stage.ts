import { format } from '../../shell/formatting.ts'
import { describePause, type Pause } from '../../shell/pause.ts'
import { find } from '../../shell/script/elements.ts'
import { bytes, duration, number, percent, plural } from './formats.ts'
import { type Item, isDone, isFailed, isRetryable, isUnfinished, sentShareOfAll } from './item.ts'
import { showGalleryChoice } from './options.ts'
import { secondsLeft } from './pace.ts'
import { type Gathering, offersGallery, RULES, type Stage, type State, wantsGallery } from './state.ts'
import { words } from './words.ts'

const form = find('#upload', HTMLFormElement)
const page = find('.upload', HTMLElement)
const results = find('#results', HTMLElement)
const chosen = find('#chosen', HTMLElement)
const choose = find('#choose', HTMLElement)
const startButton = find('#start', HTMLButtonElement)
const batch = find('#batch', HTMLElement)
const batchWords = find('#batch-words', HTMLElement)
const batchPercent = find('#batch-percent', HTMLElement)
const batchLeft = find('#batch-left', HTMLElement)
const batchProgress = find('#batch-progress', HTMLProgressElement)
const pauseButton = find('#pause', HTMLButtonElement)
const stopButton = find('#stop', HTMLButtonElement)
const resumeButton = find('#resume', HTMLButtonElement)
const retryButton = find('#retry-all', HTMLButtonElement)
const finishButton = find('#finish', HTMLButtonElement)
const clearButton = find('#clear', HTMLButtonElement)
const failedWords = find('#failed-words', HTMLElement)

/** Shows the state: the parts of the form, and the texts. The list has cards of its own. */
export function showState(state: State): void {
  showStage(state)
  showGalleryChoice(offersGallery(state), wantsGallery(state))
  showBatch(state)
  setText(find('#failure', HTMLElement), state.failure ? words.errors[state.failure] : '')
  setText(find('#gathering', HTMLElement), state.gathering ? gatheringWords(state.gathering) : '')
  // The result of starting over, when its list is gone.
  const { deletedCount } = state
  setText(
    find('#told', HTMLElement),
    deletedCount === undefined ? '' : plural(words.startingOver.deleted, deletedCount),
  )
  setText(find('#paused', HTMLElement), pauseWords(state.pauses.values()))
  setText(find('#offline', HTMLElement), state.isOffline ? words.offline : '')
}

function showStage({ stage, items, options }: State): void {
  const { choosing = false, pausable = false, cancellable = false, decided = false, clearable = false } = RULES[stage]
  const unfinished = items.filter(isUnfinished)
  const retryable = items.filter(isRetryable)
  const failed = items.filter(isFailed)
  form.dataset.stage = stage
  if (stage !== 'empty') find('#earlier', HTMLElement).hidden = true
  // For the style sheet: the oldest browsers have no `:has`.
  page.dataset.begun = String(stage !== 'empty' || !results.hidden)
  form.hidden = stage === 'done' && unfinished.length === 0
  chosen.hidden = stage === 'empty'
  chosen.inert = stage === 'arranging'
  setText(find('#total', HTMLElement), totalOf(items))
  find('#order-hint', HTMLElement).hidden = stage !== 'chosen' || items.length < 2

  setText(choose, stage === 'empty' ? words.choose : words.addMore)
  startButton.hidden = !choosing
  setText(startButton, plural(words.start, retryable.length))
  startButton.disabled = retryable.length === 0
  clearButton.hidden = !clearable
  // Until then the list has its own way to more.
  find('#another', HTMLElement).hidden = stage !== 'done'

  batch.hidden = choosing || decided
  batch.dataset.paused = String(stage === 'paused')
  pauseButton.hidden = !pausable
  stopButton.hidden = !cancellable
  resumeButton.hidden = stage !== 'paused'

  setText(failedWords, decided && failed.length > 0 ? plural(words.someFailed, failed.length) : '')
  retryButton.hidden = !decided || retryable.length === 0
  setText(retryButton, retryWords(retryable, failed.filter(isRetryable)))
  finishButton.hidden = stage !== 'halted' || !options.gallery || !items.some(isDone)
  // If no image failed, finalizing the gallery did.
  setText(finishButton, unfinished.length === 0 ? words.retryButton : words.finishAnyway)
}

function showBatch({ stage, items, pace }: State): void {
  const share = sentShareOfAll(items)
  const done = items.filter(isDone).length
  batchProgress.value = share
  setText(batchPercent, stage === 'paused' ? words.stopped : percent(share))
  const seconds = secondsLeft(items, pace)
  setText(batchLeft, seconds === undefined ? '' : format(words.timeLeft, { time: duration(seconds) }))
  setText(batchWords, format(words.progress, { done: number(done), total: number(items.length) }))
}

/** Images that were added since have not been tried yet. */
function retryWords(retryable: readonly Item[], failed: readonly Item[]): string {
  if (retryable.length > failed.length) return plural(words.start, retryable.length)
  return retryable.length === 1 ? words.retryButton : words.retryAll
}

function gatheringWords(notice: Gathering): string {
  switch (notice) {
    case 'offline':
      return words.offline
    case 'network':
      return words.errors.network
    case 'fetching':
    case 'fetchFailed':
      return words.unfit[notice]
  }
}

/** Returns the reason and the end of the pause that ends first; empty if there is no pause. */
function pauseWords(pauses: Iterable<Pause>): string {
  const [first] = [...pauses].toSorted((a, b) => a.untilMs - b.untilMs)
  return first ? describePause(words.language, words.paused, first) : ''
}

/** Writes a text that has changed: screen readers would repeat an alert that is written again. */
function setText(element: HTMLElement, text: string): void {
  if (element.textContent !== text) element.textContent = text
}

/** The element to focus in a stage. */
export function nextStep(stage: Stage): HTMLElement {
  switch (stage) {
    case 'empty':
      return find('#img', HTMLElement)
    case 'chosen':
      return startButton
    case 'arranging':
      return batch
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
