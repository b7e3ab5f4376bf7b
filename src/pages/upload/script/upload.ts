// The upload page with a script: many images at once, three at a time, with previews, progress and ready-made codes. What happens on
// the page are events; the reducer makes the next state and its effects of them; the page shows the state.
import { enableCopying } from '../../shell/script/copying.ts'
import { find } from '../../shell/script/elements.ts'
import { createCardList } from './cards.ts'
import { createEffects } from './effects.ts'
import { carryFiles, readCarriedFiles } from './files/carried-files.ts'
import { gatherFiles } from './files/gathering.ts'
import { enableOrdering } from './files/ordering.ts'
import { confirmHuman } from './human.ts'
import { isRetryable } from './item.ts'
import { prepareOptions, readOptions } from './options.ts'
import { areResultsSafe, prepareResults } from './results.ts'
import { prepareShared } from './shared.ts'
import { showState } from './stage.ts'
import { initialState, isAtRisk, RULES, type State, wantsGallery } from './state.ts'
import { createStore } from './store.ts'
import { createTaker } from './taking.ts'
import { prepareUnfit } from './unfit.ts'

const list = find('#files', HTMLElement)
const cards = createCardList(list, {
  remove: (id) => dispatch({ type: 'removed', id }),
  retry: (id) => dispatch({ type: 'retried', ids: [id] }),
})
const store = createStore(initialState(readOptions(false)), show, (effect) => run(effect))
const { state, dispatch } = store
const taker = createTaker(store)
const run = createEffects({ state, dispatch, focusCard: cards.focus, gathered: taker.idle })

function show(next: State): void {
  cards.show(next.items)
  showState(next)
}

/** Opens the page in another language. The chosen files come along. */
async function changeLanguage(event: Event): Promise<void> {
  const link = event.target instanceof Element ? event.target.closest('a') : null
  const { stage, items } = state()
  if (!link || stage !== 'chosen' || (event instanceof MouseEvent && (event.ctrlKey || event.metaKey))) return
  event.preventDefault()
  await carryFiles(items.map(({ file }) => file)).catch(() => undefined)
  location.assign(link.href)
}

/** Sends again what was refused before the visitor was confirmed. */
function retryUnconfirmed(): void {
  const { stage, items } = state()
  const ids = items
    .filter(({ progress }) => progress.state === 'failed' && progress.failure === 'human')
    .map(({ id }) => id)
  if (ids.length > 0 && (stage === 'sending' || stage === 'halted')) dispatch({ type: 'retried', ids })
}

function onClick(selector: string, act: () => void): void {
  find(selector, HTMLButtonElement).addEventListener('click', act)
}

prepareOptions((isWanted) => dispatch({ type: 'galleryChosen', isWanted }))
prepareResults()
enableCopying(find('.good-to-know', HTMLElement))
confirmHuman(retryUnconfirmed)
prepareUnfit(taker.files)
enableOrdering({
  list,
  isOpen: () => state().stage === 'chosen',
  onMove(element) {
    const order = [...list.children].flatMap((card) => cards.idOf(card) ?? [])
    const id = cards.idOf(element)
    if (id !== undefined) dispatch({ type: 'moved', id, order })
  },
})
find('#upload', HTMLFormElement).addEventListener('submit', (event) => {
  event.preventDefault()
  dispatch({
    type: 'started',
    options: readOptions(wantsGallery(state())),
    key: isSecureContext ? crypto.randomUUID() : undefined,
  })
})
onClick('#clear', () => dispatch({ type: 'startingOver' }))
onClick('#pause', () => dispatch({ type: 'paused' }))
onClick('#stop', () => dispatch({ type: 'cancelled' }))
onClick('#resume', () => dispatch({ type: 'resumed' }))
onClick('#retry-all', () =>
  dispatch({
    type: 'retried',
    ids: state()
      .items.filter(isRetryable)
      .map(({ id }) => id),
  }),
)
onClick('#finish', () => dispatch({ type: 'finished' }))
onClick('#another', () => dispatch({ type: 'more' }))
window.addEventListener('beforeunload', (event) => {
  if (isAtRisk(state()) || !areResultsSafe()) event.preventDefault()
})
find('#img', HTMLInputElement).multiple = true
find('#img', HTMLInputElement).required = false
show(state())
gatherFiles({ files: taker.files, address: taker.address, isOpen: () => RULES[state().stage].open === true })
document.querySelector('.languages')?.addEventListener('click', (event) => void changeLanguage(event))
void readCarriedFiles()
  .then((files) => files.length > 0 && taker.files(files))
  .catch(() => undefined)
void prepareShared(taker.files).catch(() => undefined)
