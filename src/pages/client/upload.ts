// The upload page with a script: many pictures at once, three at a time, with previews, progress and ready-made codes. What happens on
// the page are events; the reducer makes the next state and its effects of them; the page shows the state.
import { find } from './elements.ts'
import { createCardList } from './upload/cards.ts'
import { createEffects } from './upload/effects.ts'
import { gatherFiles } from './upload/gathering.ts'
import { isRetryable } from './upload/item.ts'
import { prepareOptions, readOptions } from './upload/options.ts'
import { enableOrdering } from './upload/ordering.ts'
import { areResultsSafe, prepareResults } from './upload/results.ts'
import { prepareShared } from './upload/shared.ts'
import { showState } from './upload/stage.ts'
import { initialState, isAtRisk, RULES, type State } from './upload/state.ts'
import { createStore } from './upload/store.ts'
import { createTaker } from './upload/taking.ts'
import { prepareUnfit } from './upload/unfit.ts'

const list = find('#files', HTMLElement)
const cards = createCardList(list, {
  remove: (id) => dispatch({ type: 'removed', id }),
  retry: (id) => dispatch({ type: 'retried', ids: [id] }),
})
const store = createStore(initialState(readOptions()), show, (effect) => run(effect))
const { state, dispatch } = store
const taker = createTaker(store)
const run = createEffects({ state, dispatch, focusCard: cards.focus, gathered: taker.idle })

function show(next: State): void {
  cards.show(next.items)
  showState(next)
}

function onClick(selector: string, act: () => void): void {
  find(selector, HTMLButtonElement).addEventListener('click', act)
}

prepareOptions()
prepareResults()
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
  dispatch({ type: 'started', options: readOptions(), key: isSecureContext ? crypto.randomUUID() : undefined })
})
onClick('#clear', () => dispatch({ type: 'startingOver' }))
onClick('#pause', () => dispatch({ type: 'paused' }))
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
void prepareShared(taker.files).catch(() => undefined)
