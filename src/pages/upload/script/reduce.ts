import type { Pause } from '../../shell/pause.ts'
import type { UploadFailure } from '../upload-failure.ts'
import type { Effect, Event } from './events.ts'
import { type Item, isDone, isFailed, isRetryable, isUnfinished, type Progress, sentShareOfAll } from './item.ts'
import { paceAt } from './pace.ts'
import type { CreatedGallery, Uploaded } from './service/responses.ts'
import {
  hasUnfinished,
  isSettled,
  type Options,
  RULES,
  resultsOf,
  type Sent,
  type Stage,
  type State,
  sentOf,
  wantsGallery,
} from './state.ts'

/** The next state, and its effects. */
export interface Step {
  state: State
  effects: readonly Effect[]
}

/** Returns the state after an event, and the effects of the event. A pure function. */
export function reduce(state: State, event: Event): Step {
  switch (event.type) {
    case 'gathering':
      return step({ ...state, gathering: event.notice })
    case 'added':
      return step({ ...state, items: [...state.items, event.item] })
    case 'gathered':
      return gathered(state, event.ids)
    case 'removed':
      return removed(state, event.id)
    case 'moved':
      return moved(state, event)
    case 'galleryChosen':
      return step({ ...state, galleryChoice: event.isWanted })
    case 'started':
      return started(state, event)
    case 'galleryCreated':
      return galleryCreated(state, event.gallery)
    case 'galleryRefused':
      return galleryRefused(state, event)
    case 'progressed':
      return progressed(state, event)
    case 'retried':
      return retried(state, event.ids)
    case 'paused':
      return paused(state)
    case 'cancelled':
      return cancelled(state)
    case 'stopped':
      return stopped(state)
    case 'resumed':
      return sequence(
        state,
        (next) => begin(next, 'sending'),
        (next) => step(next, { type: 'resumeQueue' }),
      )
    case 'settled':
      return settled(state)
    case 'finished':
      return finish(state)
    case 'galleryFinalized':
      return sequence(state, (next) => drop(next, isFailed), showResults)
    case 'galleryNotFinalized':
      return enter({ ...state, failure: event.isStopped ? state.failure : event.failure }, 'halted')
    case 'startingOver':
      return step(state, { type: 'waitForResponses', followUp: 'startOver' })
    case 'startOver':
      return startOver(state)
    case 'sentDeleted':
      return sentDeleted(state, event.pageUrl)
    case 'allSentDeleted':
      return giveUp({ ...state, deletedCount: event.sent.count }, event.sent)
    case 'sentKept':
      return sequence(
        state,
        (next) => step(next, { type: 'clearQueue' }),
        (next) => drop(next, isUnfinished),
        finish,
      )
    case 'more':
      // Images that failed stay in the list.
      return sequence(
        state,
        (next) => enter(next, next.items.length > 0 ? 'chosen' : 'empty'),
        (next) => step(next, { type: 'focusChooser' }),
      )
    case 'waiting':
      return step({ ...state, pauses: withPause(state.pauses, event), pace: undefined })
    case 'connection':
      return step({ ...state, isOffline: event.isLost, pace: undefined })
    case 'reconnected':
      return state.stage === 'sending' ? step(state, { type: 'resumeQueue' }) : step(state)
  }
}

function step(state: State, ...effects: readonly Effect[]): Step {
  return { state, effects }
}

/** Takes steps one after the other. Returns the last state, and the effects of all. */
function sequence(state: State, ...takers: readonly ((state: State) => Step)[]): Step {
  return takers.reduce((last: Step, take) => {
    const next = take(last.state)
    return { state: next.state, effects: [...last.effects, ...next.effects] }
  }, step(state))
}

function enter(state: State, stage: Stage): Step {
  return step({ ...state, stage }, { type: 'keepFocus' })
}

function begin(state: State, stage: Stage): Step {
  const fresh = { ...state, failure: undefined, deletedCount: undefined, pace: undefined, quarter: 0 }
  return sequence(
    fresh,
    (next) => step(next, { type: 'renew' }),
    (next) => enter(next, stage),
  )
}

function gathered(state: State, ids: readonly number[]): Step {
  if (ids.length === 0) return step(state)
  const { stage, items } = state
  const isIdle = stage === 'empty' || stage === 'done'
  const isQueued = RULES[stage].queueing === true
  return sequence(
    { ...state, gathering: undefined, deletedCount: undefined },
    (next) => (isQueued ? step(next, { type: 'send', ids }) : step(next)),
    (next) => enter(next, isIdle ? 'chosen' : stage),
    (next) => step(next, { type: 'announce', what: 'count', count: items.length, inGallery: wantsGallery(next) }),
  )
}

function removed(state: State, id: number): Step {
  const index = state.items.findIndex((item) => item.id === id)
  return sequence(
    state,
    (next) => step(next, { type: 'withdraw', id }),
    (next) => drop(next, (item) => item.id === id),
    (next) => {
      const neighbour = next.items[index] ?? next.items[index - 1]
      return neighbour ? step(next, { type: 'focusCard', id: neighbour.id }) : step(next)
    },
    (next) => {
      if (next.items.length === 0 && next.stage !== 'done') return clear(next)
      return next.stage === 'halted' && !hasUnfinished(next) ? finish(next) : enter(next, next.stage)
    },
  )
}

function moved(state: State, { id, order }: { id: number; order: readonly number[] }): Step {
  const items = state.items.toSorted((a, b) => order.indexOf(a.id) - order.indexOf(b.id))
  const index = items.findIndex((item) => item.id === id)
  const [name, position, total] = [items[index]?.file.name ?? '', index + 1, items.length]
  return step({ ...state, items }, { type: 'announce', what: 'moved', name, position, total })
}

/** Begins the upload: first creates the gallery, if there is one. */
function started(state: State, { options, key }: { options: Options; key: string | undefined }): Step {
  if (!RULES[state.stage].choosing || !state.items.some(isRetryable)) return step(state)
  const chosen = { ...state, options }
  const { gallery } = options
  if (!gallery) return sequence(chosen, (next) => begin(next, 'sending'), sendRetryable)
  const { name, expiresIn } = gallery
  return sequence(
    chosen,
    (next) => begin(next, 'arranging'),
    (next) => step(next, { type: 'createGallery', name, expiresIn, key }),
  )
}

function galleryCreated(state: State, gallery: CreatedGallery): Step {
  return sequence(
    { ...state, gallery },
    // A pause that came too late has stopped nothing, and must not stop the images.
    (next) => step(next, ...rememberGallery(next, undefined), { type: 'renew' }),
    (next) => enter(next, 'sending'),
    sendRetryable,
  )
}

function galleryRefused(state: State, { failure, isStopped }: { failure: UploadFailure; isStopped: boolean }): Step {
  if (isStopped) return enter(state, 'chosen')
  return sequence(
    { ...state, failure },
    (next) => enter(next, 'chosen'),
    (next) => step(next, { type: 'flagGalleryName', isWrong: failure === 'galleryName' }),
  )
}

function sendRetryable(state: State): Step {
  return send(
    state,
    state.items.filter(isRetryable).map(({ id }) => id),
  )
}

function send(state: State, ids: readonly number[]): Step {
  const items = state.items.map((item) =>
    ids.includes(item.id) ? { ...item, progress: { state: 'waiting' } as const } : item,
  )
  return step({ ...state, items }, { type: 'send', ids }, { type: 'resumeQueue' })
}

function progressed(state: State, { id, progress, atMs }: Event & { type: 'progressed' }): Step {
  const items = state.items.map((item) => (item.id === id ? { ...item, progress } : item))
  const share = sentShareOfAll(items)
  const quarter = Math.floor(share * 4)
  // Often enough to announce progress. The end is announced by itself.
  const isNewQuarter = quarter > state.quarter && quarter < 4
  const pace = state.stage === 'sending' && !state.isOffline ? paceAt(atMs, items, state.pace) : undefined
  const next = { ...state, items, pace, quarter: isNewQuarter ? quarter : state.quarter }
  const announced: Effect[] = isNewQuarter ? [{ type: 'announce', what: 'progress', share }] : []
  return step(next, ...announced, ...effectsOf(next, id, progress))
}

function effectsOf(state: State, id: number, progress: Progress): Effect[] {
  switch (progress.state) {
    case 'done':
      return [...uploadedEffects(state, id, progress.uploaded), { type: 'connectionFound' }]
    case 'failed':
      return [{ type: 'connectionFound' }]
    case 'held':
      return [{ type: 'waitForConnection' }]
    case 'sending':
      return state.isOffline && progress.sent > 0 ? [{ type: 'connectionMoves' }] : []
    default:
      return []
  }
}

/** A private link is remembered as soon as there is one. */
function uploadedEffects(state: State, id: number, uploaded: Uploaded): Effect[] {
  const { title: name, pageUrl, thumbnailUrl, manageUrl, expiresAtMs } = uploaded
  const expiry = expiresAtMs === undefined ? {} : { expiresAtMs }
  const file = state.items.find((item) => item.id === id)?.file
  return [
    ...(file ? [{ type: 'forgetShared', file } as const] : []),
    ...(manageUrl === undefined
      ? []
      : [{ type: 'remember', kind: 'picture', name, pageUrl, thumbnailUrl, manageUrl, ...expiry } as const]),
    ...rememberGallery(state, resultsOf(state).images[0] ?? uploaded),
  ]
}

/** A gallery is remembered by the thumbnail of its first image. */
function rememberGallery(state: State, first: Uploaded | undefined): Effect[] {
  const { gallery } = state
  if (gallery?.manageUrl === undefined) return []
  const { url: pageUrl, manageUrl, expiresAtMs } = gallery
  const expiry = expiresAtMs === undefined ? {} : { expiresAtMs }
  const thumbnail = first ? { thumbnailUrl: first.thumbnailUrl } : {}
  return [
    { type: 'remember', kind: 'gallery', name: resultsOf(state).name, pageUrl, manageUrl, ...thumbnail, ...expiry },
  ]
}

/** Retries images; the others may still be in progress. */
function retried(state: State, ids: readonly number[]): Step {
  // Images that were added since are in no queue yet.
  const added = RULES[state.stage].decided ? state.items.filter(({ progress }) => progress.state === 'waiting') : []
  return sequence(
    state,
    (next) => (next.stage === 'sending' ? enter(next, 'sending') : begin(next, 'sending')),
    (next) => send(next, [...new Set([...ids, ...added.map(({ id }) => id)])]),
  )
}

/** Pauses the upload. Images that are being sent continue, so that nothing is sent twice. */
function paused(state: State): Step {
  if (state.stage !== 'sending') return step(state)
  return sequence(
    { ...state, isOffline: false, pace: undefined },
    (next) => step(next, { type: 'pauseQueue' }, { type: 'hold' }),
    (next) => enter(next, 'paused'),
  )
}

/** Ends the upload. Images that were sent whole are waited for: their private links are in the responses. */
function cancelled(state: State): Step {
  if (!RULES[state.stage].cancellable) return step(state)
  if (state.stage === 'arranging') return step(state, { type: 'stop' })
  return sequence(
    { ...state, isOffline: false, pace: undefined },
    (next) => step(next, { type: 'pauseQueue' }, { type: 'hold' }, { type: 'stop' }),
    (next) => enter(next, 'paused'),
    (next) => step(next, { type: 'waitForResponses', followUp: 'stopped' }),
  )
}

/** Returns to the choice of images. If something was sent, the page first asks whether to delete it. */
function stopped(state: State): Step {
  if (state.stage !== 'paused') return step(state)
  const sent = sentOf(state)
  if (sent.count > 0) return step(state, { type: 'askAboutSent', sent })
  return sequence(
    { ...state, gallery: undefined },
    (next) => step(next, ...forgetsOf(sent), { type: 'clearQueue' }, { type: 'resumeQueue' }),
    (next) => enter(next, 'chosen'),
  )
}

function forgetsOf({ links }: Sent): Effect[] {
  return links.map(({ pageUrl }) => ({ type: 'forget', pageUrl }))
}

/** A gallery in which images failed waits for the user's decision. */
function settled(state: State): Step {
  if (!RULES[state.stage].queueing || !isSettled(state)) return step(state)
  const failed = state.items.filter(isFailed).length
  const needsDecision = !state.items.some(isDone) || (state.gallery && failed > 0)
  return sequence(
    state,
    (next) => (failed > 0 ? step(next, { type: 'announce', what: 'failed', count: failed }) : step(next)),
    (next) => (needsDecision ? enter(next, 'halted') : finish(next)),
  )
}

/** Shows the results, after finalizing the gallery, if there is one; without the images that failed. */
function finish(state: State): Step {
  const { gallery } = state
  if (!gallery) return showResults(state)
  return sequence(
    state,
    (next) => begin(next, 'arranging'),
    (next) => step(next, { type: 'finalizeGallery', gallery }),
  )
}

function showResults(state: State): Step {
  const results = resultsOf(state)
  const count = results.images.length
  return sequence(
    { ...state, hasResults: true },
    (next) => step(next, { type: 'showResults', results }),
    (next) => drop(next, isDone),
    (next) => step({ ...next, gallery: undefined, galleryChoice: undefined }, { type: 'forgetGalleryName' }),
    (next) => (next.items.length === 0 ? step(next, { type: 'announce', what: 'done', count }) : step(next)),
    (next) => enter(next, 'done'),
  )
}

/** Starts over. If something was sent, the page asks whether to delete it. */
function startOver(state: State): Step {
  const sent = sentOf(state)
  return sent.count === 0 ? giveUp(state, sent) : step(state, { type: 'askAboutSent', sent })
}

function sentDeleted(state: State, pageUrl: string): Step {
  const isDeleted = ({ progress }: Item) => progress.state === 'done' && progress.uploaded.pageUrl === pageUrl
  return sequence(
    state,
    (next) => step(next, { type: 'forget', pageUrl }),
    (next) => drop(next, isDeleted),
    (next) => enter(next, next.stage),
  )
}

function giveUp(state: State, sent: Sent): Step {
  return sequence(state, (next) => step(next, ...forgetsOf(sent), { type: 'forgetUnfit' }), clear)
}

/** Empties the list. Results stay. */
function clear(state: State): Step {
  return sequence(
    { ...state, gallery: undefined, galleryChoice: undefined, failure: undefined },
    (next) => step(next, { type: 'clearQueue' }, { type: 'resumeQueue' }),
    (next) => drop(next, () => true),
    (next) =>
      step(next, { type: 'forgetAllShared' }, { type: 'forgetGalleryName' }, { type: 'announce', what: 'nothing' }),
    (next) => enter(next, next.hasResults ? 'done' : 'empty'),
  )
}

function drop(state: State, isUnwanted: (item: Item) => boolean): Step {
  const unwanted = state.items.filter(isUnwanted)
  const items = state.items.filter((item) => !unwanted.includes(item))
  return step({ ...state, items }, ...unwanted.map(({ file }) => ({ type: 'forgetShared', file }) as const))
}

function withPause(
  pauses: State['pauses'],
  { waiter, pause }: { waiter: number | 'gallery'; pause: Pause | undefined },
): State['pauses'] {
  const others = [...pauses].filter(([other]) => other !== waiter)
  return new Map(pause ? [...others, [waiter, pause]] : others)
}
