import { format } from '../../shell/formatting.ts'
import type { Pause } from '../../shell/pause.ts'
import { find } from '../../shell/script/elements.ts'
import type { Effect, Event } from './events.ts'
import { announce, keepFocus } from './focus.ts'
import { number, percent, plural } from './formats.ts'
import { flagGalleryName, forgetGalleryName, galleryLabel } from './options.ts'
import { createQueue, type Outcome } from './queue.ts'
import { forget, isRemembering, remember } from './remembering.ts'
import { addResults } from './results.ts'
import { sendImage } from './sending.ts'
import { watchConnection } from './service/connection.ts'
import { createGallery, finalizeGallery } from './service/gallery.ts'
import { forgetAllShared, forgetShared } from './shared.ts'
import { nextStep } from './stage.ts'
import { askAboutSent } from './starting-over.ts'
import type { State } from './state.ts'
import { forgetUnfit } from './unfit.ts'
import { words } from './words.ts'

const AT_A_TIME = 3

/** The parts of the page that effects use. */
interface Page {
  state: () => State
  dispatch: (event: Event) => void
  focusCard: (id: number) => void
  /** Resolves when all gathered files are in the list. */
  gathered: () => Promise<void>
}

/** Returns a function that runs effects. Their ends are events. */
export function createEffects({ state, dispatch, focusCard, gathered }: Page): (effect: Effect) => void {
  const connection = watchConnection((isLost) => dispatch({ type: 'connection', isLost }))
  const underWay = new Set<Promise<Outcome>>()
  let stopping = new AbortController()
  let holding = new AbortController()

  /**
   * The images of a gallery are in the order in which their requests arrive (D27). So the queue begins the next image when
   * bytes of the previous one are being sent. A retried image arrives later, and comes later.
   */
  const queue = createQueue<number>(AT_A_TIME, send, () => void gathered().then(() => dispatch({ type: 'settled' })))

  async function send(id: number, begun: () => void): Promise<Outcome> {
    const sending = sendItem(id, begun)
    underWay.add(sending)
    try {
      return await sending
    } finally {
      underWay.delete(sending)
    }
  }

  async function sendItem(id: number, begun: () => void): Promise<Outcome> {
    const { items, options, gallery } = state()
    const item = items.find((other) => other.id === id)
    if (!item) return 'over'
    return sendImage(item, {
      ...options,
      gallery,
      signal: stopping.signal,
      held: holding.signal,
      begun,
      onPause: (pause) => dispatch({ type: 'waiting', waiter: id, pause }),
      onProgress: (progress) => dispatch({ type: 'progressed', id, progress, atMs: performance.now() }),
    })
  }

  function galleryRequest() {
    return {
      signal: stopping.signal,
      onPause: (pause: Pause | undefined) => dispatch({ type: 'waiting', waiter: 'gallery', pause }),
      lost: connection.lost,
      found: connection.found,
    }
  }

  async function create({ name, expiresIn, key }: Effect & { type: 'createGallery' }): Promise<void> {
    const { signal } = stopping
    const created = await createGallery({ name, expiresIn }, key, galleryRequest())
    if ('gallery' in created) dispatch({ type: 'galleryCreated', gallery: created.gallery })
    else dispatch({ type: 'galleryRefused', failure: created.failure, isStopped: signal.aborted })
  }

  async function finalize({ gallery }: Effect & { type: 'finalizeGallery' }): Promise<void> {
    const { signal } = stopping
    const failure = await finalizeGallery(gallery, galleryRequest())
    if (failure) dispatch({ type: 'galleryNotFinalized', failure, isStopped: signal.aborted })
    else dispatch({ type: 'galleryFinalized' })
  }

  async function waitForConnection(): Promise<void> {
    queue.pause()
    await connection.lost()
    dispatch({ type: 'reconnected' })
  }

  return (effect) => {
    switch (effect.type) {
      case 'announce':
        return announce(announcementOf(effect))
      case 'keepFocus':
        return keepFocus(nextStep(state().stage))
      case 'focusCard':
        return focusCard(effect.id)
      case 'focusChooser':
        find('#img', HTMLInputElement).focus({ preventScroll: true })
        return find('#upload', HTMLFormElement).scrollIntoView({ block: 'nearest' })
      case 'renew':
        // Requests that a pause has left alone can still be stopped.
        if (stopping.signal.aborted) stopping = new AbortController()
        if (holding.signal.aborted) holding = new AbortController()
        return
      case 'hold':
        return holding.abort()
      case 'stop':
        return stopping.abort()
      case 'createGallery':
        return void create(effect)
      case 'finalizeGallery':
        return void finalize(effect)
      case 'send':
        queue.add(effect.ids)
        return
      case 'withdraw':
        queue.withdraw(effect.id)
        return
      case 'pauseQueue':
        return queue.pause()
      case 'resumeQueue':
        return queue.resume()
      case 'clearQueue':
        return queue.clear()
      case 'waitForConnection':
        return void waitForConnection()
      case 'connectionFound':
        return connection.found()
      case 'connectionMoves':
        return connection.moves()
      case 'waitForResponses':
        // After a pause some responses are still to come, with their private links.
        return void Promise.all(underWay).then(() => dispatch({ type: effect.followUp }))
      case 'remember':
        return keep(effect)
      case 'forget':
        return forget(effect.pageUrl)
      case 'forgetShared':
        return forgetShared(effect.file)
      case 'forgetAllShared':
        return forgetAllShared()
      case 'forgetUnfit':
        return forgetUnfit()
      case 'flagGalleryName':
        return flagGalleryName(effect.isWrong)
      case 'forgetGalleryName':
        return forgetGalleryName()
      case 'askAboutSent':
        return askAboutSent(effect.sent, {
          deletedOne: ({ pageUrl }) => dispatch({ type: 'sentDeleted', pageUrl }),
          deleted: () => dispatch({ type: 'allSentDeleted', sent: effect.sent }),
          keep: () => dispatch({ type: 'sentKept' }),
        })
      case 'showResults':
        return addResults(effect.results)
    }
  }
}

function keep({ kind, name, pageUrl, thumbnailUrl, manageUrl, expiresAtMs }: Effect & { type: 'remember' }): void {
  if (isRemembering()) remember({ kind, name, pageUrl, thumbnailUrl, manageUrl, timeMs: Date.now(), expiresAtMs })
}

function announcementOf(announcement: Effect & { type: 'announce' }): string {
  switch (announcement.what) {
    case 'count':
      return `${plural(words.imageCount, announcement.count)}${announcement.inGallery ? `, ${galleryLabel()}` : ''}`
    case 'failed':
      return plural(words.someFailed, announcement.count)
    case 'done':
      return plural(words.allDone, announcement.count)
    case 'progress':
      return format(words.sending, { percent: percent(announcement.share) })
    case 'moved': {
      const { name, position, total } = announcement
      return format(words.moved, { name, position: number(position), total: number(total) })
    }
    case 'nothing':
      return ''
  }
}
