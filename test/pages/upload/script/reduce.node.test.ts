import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Effect, Event } from '../../../../src/pages/upload/script/events.ts'
import type { Item, Progress } from '../../../../src/pages/upload/script/item.ts'
import { secondsLeft } from '../../../../src/pages/upload/script/pace.ts'
import { reduce } from '../../../../src/pages/upload/script/reduce.ts'
import type { CreatedGallery, Uploaded } from '../../../../src/pages/upload/script/service/responses.ts'
import {
  initialState,
  isAtRisk,
  type Options,
  offersGallery,
  RULES,
  type State,
  wantsGallery,
} from '../../../../src/pages/upload/script/state.ts'
import { parametersOf } from '../../../support/property.ts'

const SINGLE: Options = { fields: {}, stripped: true, gallery: undefined }
const IN_GALLERY: Options = { ...SINGLE, gallery: { expiresIn: '', name: ' Sea ' } }
const GALLERY: CreatedGallery = { hash: 'g', url: '/gallery/g', uploadToken: 'u', manageUrl: '/manage/g' }

function itemOf(id: number, progress: Progress = { state: 'waiting' }): Item {
  const file = new File([new Uint8Array(100)], `${id}.jpg`)
  return { id, file, size: { width: 1, height: 1 }, key: `key ${id}`, mayHaveLocation: false, progress }
}

function uploadedOf(id: number): Uploaded {
  const [pageUrl, thumbnailUrl, manageUrl] = [`/show/${id}`, `/thumbs/${id}`, `/manage/${id}`]
  const size = { thumbWidth: 1, thumbHeight: 1 }
  return { name: 'a.jpg', title: `${id}.jpg`, pageUrl, thumbnailUrl, manageUrl, ...size, optimization: undefined }
}

const progressed = (id: number, progress: Progress, atMs = 0): Event => ({ type: 'progressed', id, progress, atMs })
const done = (id: number): Event => progressed(id, { state: 'done', uploaded: uploadedOf(id) })
const failed = (id: number): Event => progressed(id, { state: 'failed', failure: 'server' })
const chosen = (...ids: number[]): Event[] => [
  ...ids.map((id): Event => ({ type: 'added', item: itemOf(id) })),
  { type: 'gathered', ids },
]
const start = (options: Options): Event => ({ type: 'started', options, key: 'key' })

/** Returns the last state and its effects, after events that began with an empty page. */
function stateAfter(...events: readonly Event[]): { state: State; effects: readonly Effect[] } {
  const empty: { state: State; effects: readonly Effect[] } = { state: initialState(SINGLE), effects: [] }
  return events.reduce(({ state }, event) => reduce(state, event), empty)
}

/** The ids and progress of the list. */
function listOf({ items }: State): [number, Progress['state']][] {
  return items.map(({ id, progress }) => [id, progress.state])
}

describe('choosing', () => {
  test('files are announced, and make an old notice go', () => {
    const { state, effects } = stateAfter({ type: 'gathering', notice: 'network' }, ...chosen(1, 2))
    expect([state.stage, state.gathering, listOf(state)]).toEqual([
      'chosen',
      undefined,
      [
        [1, 'waiting'],
        [2, 'waiting'],
      ],
    ])
    expect(effects).toEqual([{ type: 'keepFocus' }, { type: 'announce', what: 'count', count: 2, inGallery: false }])
  })

  test('offers one gallery from two images on, suggests it from five on, and does as the user says', () => {
    const choices: (readonly Event[])[] = [
      [],
      [{ type: 'galleryChosen', isWanted: true }],
      [{ type: 'galleryChosen', isWanted: false }],
    ]
    const rows = [1, 2, 4, 5].map((count) => {
      const ids = Array.from({ length: count }, (_, index) => index + 1)
      return choices.map((events) => {
        const { state } = stateAfter(...chosen(...ids), ...events)
        return offersGallery(state) ? wantsGallery(state) : undefined
      })
    })
    expect(rows).toEqual([
      [undefined, undefined, undefined],
      [false, true, false],
      [false, true, false],
      [true, true, false],
    ])
    expect(stateAfter(...chosen(1, 2, 3, 4, 5)).effects).toContainEqual({
      type: 'announce',
      what: 'count',
      count: 5,
      inGallery: true,
    })
    // The next images are another matter.
    const over = stateAfter(...chosen(1, 2), { type: 'galleryChosen', isWanted: true }, { type: 'startOver' })
    expect(over.state.galleryChoice).toBeUndefined()
    const sent = stateAfter(
      ...chosen(1, 2),
      { type: 'galleryChosen', isWanted: true },
      start(SINGLE),
      done(1),
      done(2),
      {
        type: 'settled',
      },
    )
    expect([sent.state.stage, sent.state.galleryChoice]).toEqual(['done', undefined])
  })

  test('nothing happens when no file was fit', () => {
    expect(stateAfter({ type: 'gathered', ids: [] })).toEqual({ state: initialState(SINGLE), effects: [] })
  })

  test('a removed file passes the focus to its neighbour; the last one ends the list', () => {
    const first = stateAfter(...chosen(1, 2), { type: 'removed', id: 2 })
    expect(first.effects).toContainEqual({ type: 'focusCard', id: 1 })
    const last = reduce(first.state, { type: 'removed', id: 1 })
    expect([last.state.stage, last.state.items]).toEqual(['empty', []])
    expect(last.effects).toContainEqual({ type: 'forgetAllShared' })
  })

  test('a moved file is announced in its new position', () => {
    const { state, effects } = stateAfter(...chosen(1, 2, 3), { type: 'moved', id: 3, order: [3, 1, 2] })
    expect(listOf(state).map(([id]) => id)).toEqual([3, 1, 2])
    expect(effects).toEqual([{ type: 'announce', what: 'moved', name: '3.jpg', position: 1, total: 3 }])
  })
})

describe('sending', () => {
  test('begins with all images, and not without any', () => {
    const { state, effects } = stateAfter(...chosen(1, 2), start(SINGLE))
    expect(state.stage).toBe('sending')
    expect(effects).toEqual([
      { type: 'renew' },
      { type: 'keepFocus' },
      { type: 'send', ids: [1, 2] },
      { type: 'resumeQueue' },
    ])
    expect(stateAfter(start(SINGLE)).effects).toEqual([])
    expect(reduce(state, start(SINGLE))).toEqual({ state, effects: [] })
  })

  test('waits for the gallery, which is remembered as soon as it is created', () => {
    const asked = stateAfter(...chosen(1), start(IN_GALLERY))
    expect(asked.state.stage).toBe('arranging')
    expect(asked.effects).toContainEqual({ type: 'createGallery', name: ' Sea ', expiresIn: '', key: 'key' })
    expect(isAtRisk(asked.state)).toBe(true)
    const { state, effects } = reduce(asked.state, { type: 'galleryCreated', gallery: GALLERY })
    expect([state.stage, state.gallery]).toEqual(['sending', GALLERY])
    const remember = { type: 'remember', kind: 'gallery', name: 'Sea', pageUrl: GALLERY.url, manageUrl: '/manage/g' }
    expect(effects).toEqual([
      remember,
      { type: 'renew' },
      { type: 'keepFocus' },
      { type: 'send', ids: [1] },
      { type: 'resumeQueue' },
    ])
    const uploaded = reduce(state, done(1))
    expect(uploaded.effects).toContainEqual({ ...remember, thumbnailUrl: '/thumbs/1' })
  })

  test.each([
    { isStopped: false, failure: 'galleryName', shown: 'galleryName', marked: [true] },
    { isStopped: false, failure: 'server', shown: 'server', marked: [false] },
    { isStopped: true, failure: 'network', shown: undefined, marked: [] },
  ] as const)('returns to the choice without a gallery: $failure, stopped $isStopped', (row) => {
    const { failure, isStopped } = row
    const { state, effects } = stateAfter(...chosen(1), start(IN_GALLERY), {
      type: 'galleryRefused',
      failure,
      isStopped,
    })
    expect([state.stage, state.failure]).toEqual(['chosen', row.shown])
    const invalidNames = effects.flatMap((effect) => (effect.type === 'flagGalleryName' ? [effect.isWrong] : []))
    expect(invalidNames).toEqual(row.marked)
  })

  test('progress is announced once a quarter, and not at the end', () => {
    let { state } = stateAfter(...chosen(1), start(SINGLE))
    const announced: number[] = []
    for (const sent of [0, 0.1, 0.25, 0.26, 0.3, 0.8, 0.5, 0.99, 1]) {
      const next = reduce(state, progressed(1, { state: 'sending', sent }))
      state = next.state
      announced.push(...next.effects.flatMap((effect) => ('share' in effect ? [effect.share] : [])))
    }
    expect(announced).toEqual([0.25, 0.8])
  })

  test('an uploaded image is remembered, and its shared copy forgotten', () => {
    const { state } = stateAfter(...chosen(1, 2), start(SINGLE))
    const { effects } = reduce(state, done(1))
    expect(effects).toContainEqual({ type: 'forgetShared', file: state.items[0]?.file })
    expect(effects).toContainEqual({
      type: 'remember',
      kind: 'picture',
      name: '1.jpg',
      pageUrl: '/show/1',
      thumbnailUrl: '/thumbs/1',
      manageUrl: '/manage/1',
    })
  })

  test('what is added is queued: at once, and after a pause when the user continues', () => {
    const { effects } = stateAfter(...chosen(1), start(SINGLE), ...chosen(2))
    expect(effects).toContainEqual({ type: 'send', ids: [2] })
    const paused = stateAfter(...chosen(1), start(SINGLE), { type: 'paused' }, ...chosen(2))
    expect(paused.state.stage).toBe('paused')
    expect(paused.effects).toContainEqual({ type: 'send', ids: [2] })
    expect(paused.effects).not.toContainEqual({ type: 'resumeQueue' })
    expect(reduce(paused.state, { type: 'resumed' }).effects).toContainEqual({ type: 'resumeQueue' })
  })

  test('a pause lets images that are being sent continue; after a lost connection the others continue only without it', () => {
    const sending = stateAfter(...chosen(1), start(SINGLE), { type: 'connection', isLost: true })
    const { state, effects } = reduce(sending.state, { type: 'paused' })
    expect([state.stage, state.isOffline]).toEqual(['paused', false])
    expect(effects).toEqual([{ type: 'pauseQueue' }, { type: 'hold' }, { type: 'keepFocus' }])
    // If these were the last ones, all is done.
    const ended = reduce(reduce(state, done(1)).state, { type: 'settled' })
    expect(ended.state.stage).toBe('done')
    expect(reduce(sending.state, { type: 'reconnected' }).effects).toEqual([{ type: 'resumeQueue' }])
    expect(reduce(state, { type: 'reconnected' }).effects).toEqual([])
  })
})

describe('cancelling', () => {
  test('ends what is being sent, and returns to the choice if nothing was sent', () => {
    const asked = stateAfter(...chosen(1, 2), start(SINGLE), { type: 'cancelled' })
    expect(asked.effects).toEqual([
      { type: 'pauseQueue' },
      { type: 'hold' },
      { type: 'stop' },
      { type: 'keepFocus' },
      { type: 'waitForResponses', followUp: 'stopped' },
    ])
    const { state, effects } = reduce(asked.state, { type: 'stopped' })
    expect([state.stage, state.items.length]).toEqual(['chosen', 2])
    expect(effects).toEqual([{ type: 'clearQueue' }, { type: 'resumeQueue' }, { type: 'keepFocus' }])
  })

  test('forgets a gallery without images, and asks about images that were sent', () => {
    const inGallery = [
      ...chosen(1, 2),
      start(IN_GALLERY),
      { type: 'galleryCreated', gallery: GALLERY } as const,
      { type: 'cancelled' } as const,
    ]
    const empty = stateAfter(...inGallery, { type: 'stopped' })
    expect([empty.state.stage, empty.state.gallery]).toEqual(['chosen', undefined])
    expect(empty.effects).toContainEqual({ type: 'forget', pageUrl: GALLERY.url })
    const links = [{ pageUrl: GALLERY.url, manageUrl: GALLERY.manageUrl }]
    const sent = stateAfter(...inGallery, done(1), { type: 'stopped' })
    expect([sent.state.stage, sent.effects]).toEqual(['paused', [{ type: 'askAboutSent', sent: { count: 1, links } }]])
  })

  test('of a gallery that is being created or finalized ends that request', () => {
    const { state, effects } = stateAfter(...chosen(1), start(IN_GALLERY), { type: 'cancelled' })
    expect([state.stage, effects]).toEqual(['arranging', [{ type: 'stop' }]])
  })

  test('does nothing where the last response has ended the upload', () => {
    const { state } = stateAfter(...chosen(1), start(SINGLE), { type: 'cancelled' }, done(1), { type: 'settled' })
    expect([state.stage, reduce(state, { type: 'stopped' })]).toEqual(['done', { state, effects: [] }])
  })
})

describe('the pace', () => {
  const sending = (sent: number, atMs: number) => progressed(1, { state: 'sending', sent }, atMs)
  const secondsAfter = (...events: readonly Event[]) => {
    const { items, pace } = stateAfter(...chosen(1, 2), start(SINGLE), ...events).state
    return secondsLeft(items, pace)
  }

  test('tells the time that is left after three seconds, of those images that are still to be sent', () => {
    expect(secondsAfter(sending(0, 1000), sending(0.5, 3000))).toBeUndefined()
    expect(secondsAfter(sending(0, 1000), sending(0.5, 6000))).toBe(15)
    expect(
      secondsAfter(sending(0, 1000), sending(0.5, 6000), progressed(2, { state: 'failed', failure: 'server' }, 6000)),
    ).toBe(5)
    expect(
      secondsAfter(sending(0, 1000), sending(1, 6000), progressed(2, { state: 'processing' }, 6000)),
    ).toBeUndefined()
  })

  test('restarts after a pause, and is unknown while bytes are lost', () => {
    const resumed = [{ type: 'paused' }, { type: 'resumed' }] as const
    expect(secondsAfter(sending(0, 0), sending(0.5, 4000), ...resumed, sending(0.5, 60_000))).toBeUndefined()
    expect(secondsAfter(sending(0, 0), sending(0.5, 4000), ...resumed, sending(0.5, 60_000), sending(1, 65_000))).toBe(
      10,
    )
    expect(secondsAfter(sending(0.5, 0), sending(0, 4000))).toBeUndefined()
  })

  test('shows that a lost connection is back as soon as bytes move', () => {
    const lost = stateAfter(...chosen(1), start(SINGLE), { type: 'connection', isLost: true }).state
    expect(reduce(lost, sending(0, 1)).effects).toEqual([])
    expect(reduce(lost, sending(0.1, 1)).effects).toEqual([{ type: 'connectionMoves' }])
  })
})

describe('the end', () => {
  test('of all images: their results are shown, and the list is empty', () => {
    const { state, effects } = stateAfter(...chosen(1, 2), start(SINGLE), done(2), done(1), { type: 'settled' })
    expect([state.stage, state.items, isAtRisk(state)]).toEqual(['done', [], false])
    const results = { images: [uploadedOf(1), uploadedOf(2)], gallery: undefined, name: '' }
    expect(effects[0]).toEqual({ type: 'showResults', results })
    expect(effects).toContainEqual({ type: 'announce', what: 'done', count: 2 })
  })

  test('of some images: failed ones stay, and are retried with later additions', () => {
    const { state } = stateAfter(...chosen(1, 2), start(SINGLE), done(1), failed(2), { type: 'settled' })
    expect([state.stage, listOf(state)]).toEqual(['done', [[2, 'failed']]])
    const { effects } = stateAfter(...chosen(1), start(SINGLE), failed(1), { type: 'settled' }, ...chosen(2), {
      type: 'retried',
      ids: [1],
    })
    expect(effects).toContainEqual({ type: 'send', ids: [1, 2] })
  })

  test('of a gallery: it is finalized, and without those that failed only if the user says so', () => {
    const events = [...chosen(1, 2), start(IN_GALLERY), { type: 'galleryCreated', gallery: GALLERY } as const]
    const whole = stateAfter(...events, done(1), done(2), { type: 'settled' })
    expect(whole.effects).toContainEqual({ type: 'finalizeGallery', gallery: GALLERY })
    const { state } = stateAfter(...events, done(1), failed(2), { type: 'settled' })
    expect([state.stage, isAtRisk(state)]).toEqual(['halted', true])
    const finishing = reduce(state, { type: 'finished' })
    expect(finishing.state.stage).toBe('arranging')
    const ended = reduce(finishing.state, { type: 'galleryFinalized' })
    expect([ended.state.stage, ended.state.items, ended.state.gallery]).toEqual(['done', [], undefined])
    const refused = reduce(finishing.state, { type: 'galleryNotFinalized', failure: 'server', isStopped: false })
    expect([refused.state.stage, refused.state.failure, listOf(refused.state).length]).toEqual(['halted', 'server', 2])
  })

  test('of a gallery whose last failed image is removed: it is finalized', () => {
    const events = [...chosen(1, 2), start(IN_GALLERY), { type: 'galleryCreated', gallery: GALLERY } as const]
    const { effects } = stateAfter(...events, done(1), failed(2), { type: 'settled' }, { type: 'removed', id: 2 })
    expect(effects).toContainEqual({ type: 'finalizeGallery', gallery: GALLERY })
  })

  test('is not there while an image is being uploaded, or after the list was left', () => {
    for (const events of [chosen(1), [...chosen(1), start(SINGLE)]]) {
      const { state } = stateAfter(...events)
      expect(reduce(state, { type: 'settled' })).toEqual({ state, effects: [] })
    }
  })
})

describe('starting over', () => {
  const sent = [...chosen(1, 2, 3), start(SINGLE), done(1), done(2), { type: 'paused' } as const]

  test('waits for responses, and asks only if something was sent', () => {
    expect(stateAfter(...sent, { type: 'startingOver' }).effects).toEqual([
      { type: 'waitForResponses', followUp: 'startOver' },
    ])
    const { state, effects } = stateAfter(...sent, { type: 'startOver' })
    expect(state.items).toHaveLength(3)
    const links = [1, 2].map((id) => ({ pageUrl: `/show/${id}`, manageUrl: `/manage/${id}` }))
    expect(effects).toEqual([{ type: 'askAboutSent', sent: { count: 2, links } }])
    expect(stateAfter(...chosen(1), { type: 'startOver' }).state).toEqual({ ...initialState(SINGLE) })
  })

  test('deletes one after the other, and says how many when all are deleted', () => {
    const one = stateAfter(...sent, { type: 'sentDeleted', pageUrl: '/show/1' })
    expect(listOf(one.state).map(([id]) => id)).toEqual([2, 3])
    expect(one.effects).toContainEqual({ type: 'forget', pageUrl: '/show/1' })
    const links = [{ pageUrl: '/show/1', manageUrl: undefined }]
    const all = reduce(one.state, { type: 'allSentDeleted', sent: { count: 2, links } })
    expect([all.state.stage, all.state.items, all.state.deletedCount]).toEqual(['empty', [], 2])
    expect(reduce(all.state, { type: 'gathered', ids: [9] }).state.deletedCount).toBeUndefined()
  })

  test('keeps what was sent: its results are shown, and the rest is dropped', () => {
    const { state, effects } = stateAfter(...sent, { type: 'sentKept' })
    expect([state.stage, state.items]).toEqual(['done', []])
    expect(effects).toContainEqual({
      type: 'showResults',
      results: { images: [uploadedOf(1), uploadedOf(2)], gallery: undefined, name: '' },
    })
  })
})

/** Numbers that choose, modulo the number of those that there are, the next event, its file and its outcome. */
interface Choice {
  event: number
  target: number
  variant: number
}

function chosenOf<T>(list: readonly T[], choice: number): T {
  const chosen = list[choice % list.length]
  if (chosen === undefined) throw new Error('there is nothing to choose from')
  return chosen
}

/**
 * The page as the reducer knows it: what the effects have begun, and what may come next. A user does only what the stage offers.
 */
class Scene {
  state = initialState(SINGLE)
  readonly queued = new Set<number>()
  readonly sending = new Set<number>()
  readonly forgotten = new Set<File>()
  #isQueuePaused = false
  #nextId = 1
  #request: 'createGallery' | 'finalizeGallery' | undefined

  /** Dispatches an event that may come now. */
  next({ event, target, variant }: Choice): void {
    const { state } = this
    const rules = RULES[state.stage]
    const ids = state.items.map(({ id }) => id)
    const retryable = state.items.filter(({ progress }) => progress.state !== 'done').map(({ id }) => id)
    const removable = state.items.filter(({ id }) => !this.sending.has(id) && retryable.includes(id))
    const options = chosenOf([SINGLE, IN_GALLERY], variant)
    const may: (() => Event[])[] = [
      ...(rules.open ? [() => this.#chosen(1 + (variant % 3))] : []),
      ...(rules.choosing ? [(): Event[] => [start(options)]] : []),
      ...(rules.pausable ? [(): Event[] => [{ type: 'paused' }]] : []),
      ...(rules.cancellable ? [() => this.#cancelled(variant)] : []),
      ...(state.stage === 'paused' ? [(): Event[] => [{ type: 'resumed' }]] : []),
      ...(rules.decided && retryable.length > 0 ? [() => this.#retried(retryable, target, variant)] : []),
      ...(state.stage === 'halted' && state.gallery && ids.length > retryable.length
        ? [(): Event[] => [{ type: 'finished' }]]
        : []),
      ...(state.stage === 'done' ? [(): Event[] => [{ type: 'more' }]] : []),
      ...((rules.clearable || (state.stage === 'paused' && ids.length > retryable.length)) && this.sending.size === 0
        ? [() => this.#startingOver(variant)]
        : []),
      ...(removable.length > 0 && rules.open
        ? [(): Event[] => [{ type: 'removed', id: chosenOf(removable, target).id }]]
        : []),
      ...(this.#request ? [() => this.#responded(target, variant)] : []),
      ...(this.sending.size > 0
        ? [() => this.#progressed(target, variant), () => this.#progressed(target, variant)]
        : []),
    ]
    for (const next of chosenOf(may, event)()) this.dispatch(next)
    this.#send()
  }

  dispatch(event: Event): void {
    const { state, effects } = reduce(this.state, event)
    // A reducer that changed the state it was given would throw.
    for (const item of state.items) Object.freeze(item)
    Object.freeze(state.items)
    this.state = Object.freeze(state)
    for (const effect of effects) this.#run(effect)
  }

  #run(effect: Effect): void {
    if (effect.type === 'send') for (const id of effect.ids) this.queued.add(id)
    if (effect.type === 'withdraw') this.queued.delete(effect.id)
    if (effect.type === 'clearQueue') this.queued.clear()
    if (effect.type === 'pauseQueue') this.#isQueuePaused = true
    if (effect.type === 'resumeQueue') this.#isQueuePaused = false
    if (effect.type === 'forgetShared') this.forgotten.add(effect.file)
    if (effect.type === 'createGallery' || effect.type === 'finalizeGallery') this.#request = effect.type
  }

  #send(): void {
    while (!this.#isQueuePaused && this.sending.size < 3) {
      const [id] = this.queued
      if (id === undefined) break
      this.queued.delete(id)
      this.sending.add(id)
      this.dispatch(progressed(id, { state: 'sending', sent: 0 }))
    }
  }

  #chosen(count: number): Event[] {
    return chosen(...Array.from({ length: count }, () => this.#nextId++))
  }

  /** The button of one card, or the one for all. */
  #retried(ids: readonly number[], target: number, variant: number): Event[] {
    const failed = this.state.items.filter(({ progress }) => progress.state === 'failed')
    const isOne = failed.length > 0 && variant % 2 === 0
    return [{ type: 'retried', ids: isOne ? [chosenOf(failed, target).id] : ids }]
  }

  #progressed(target: number, variant: number): Event[] {
    const id = chosenOf([...this.sending], target)
    this.sending.delete(id)
    const outcome = chosenOf(['done', 'done', 'failed', 'again'], variant)
    if (outcome === 'again') this.queued.add(id)
    const event: Event =
      outcome === 'done' ? done(id) : outcome === 'failed' ? failed(id) : progressed(id, { state: 'waiting' })
    return this.queued.size + this.sending.size === 0 ? [event, { type: 'settled' }] : [event]
  }

  /** The images under way end, before or after they were sent whole. */
  #cancelled(variant: number): Event[] {
    if (this.state.stage === 'arranging') return [{ type: 'cancelled' }]
    const ended = [...this.sending].flatMap((id) =>
      this.#progressed([...this.sending].indexOf(id), variant % 2 ? 3 : 0),
    )
    return [{ type: 'cancelled' }, ...ended, { type: 'stopped' }]
  }

  #responded(target: number, variant: number): Event[] {
    const isCreation = this.#request === 'createGallery'
    this.#request = undefined
    const isFine = variant % 3 > 0
    const failure = { failure: 'server', isStopped: target % 2 === 0 } as const
    if (isCreation)
      return [isFine ? { type: 'galleryCreated', gallery: GALLERY } : { type: 'galleryRefused', ...failure }]
    return [isFine ? { type: 'galleryFinalized' } : { type: 'galleryNotFinalized', ...failure }]
  }

  #startingOver(variant: number): Event[] {
    const sent = this.state.items.flatMap(({ progress }) => (progress.state === 'done' ? [progress.uploaded] : []))
    if (sent.length === 0) return [{ type: 'startOver' }]
    const links = sent.map(({ pageUrl, manageUrl }) => ({ pageUrl, manageUrl }))
    const deletions = links.map(({ pageUrl }): Event => ({ type: 'sentDeleted', pageUrl }))
    return variant % 2 === 0
      ? [...deletions, { type: 'allSentDeleted', sent: { count: sent.length, links } }]
      : [{ type: 'sentKept' }]
  }
}

const PARAMETERS = parametersOf(process.env.TINTYPE_SEED, Math.trunc(Math.random() * 2 ** 31), 300)

const choice = fc.record({ event: fc.nat({ max: 99 }), target: fc.nat({ max: 99 }), variant: fc.nat({ max: 11 }) })

test(`no image is lost or sent twice at once, whatever a user does (seed ${PARAMETERS.seed})`, () => {
  const property = fc.property(fc.array(choice, { maxLength: 60, size: 'max' }), (choices) => {
    const scene = new Scene()
    const seen = new Map<number, File>()
    for (const next of choices) {
      scene.next(next)
      expect([...problemsOf(scene, seen)]).toEqual([])
    }
  })
  fc.assert(property, PARAMETERS)
})

/** Yields what contradicts the promises of the list. `seen` are the files of all states so far. */
function* problemsOf({ state, queued, sending, forgotten }: Scene, seen: Map<number, File>): Generator<string> {
  const { stage, items, hasResults } = state
  const ids = new Set(items.map(({ id }) => id))
  if (ids.size < items.length) yield 'an id stands twice'
  for (const { id, file } of items) seen.set(id, file)
  for (const [id, file] of seen) if (!ids.has(id) && !forgotten.has(file)) yield `${id} is gone, and not forgotten`
  for (const { id, progress } of items) {
    const isQueued = queued.has(id) || sending.has(id)
    if (queued.has(id) && sending.has(id)) yield `${id} is queued while it is sent`
    if (isQueued !== (RULES[stage].queueing === true && isPending(progress)))
      yield `${id} is ${progress.state} when the stage is ${stage}, queued: ${isQueued}`
  }
  for (const id of [...queued, ...sending]) if (!ids.has(id)) yield `${id} is queued, and not in the list`
  if (stage === 'done' && !hasResults) yield 'done without results'
  if (stage === 'chosen' && items.length === 0) yield 'chosen without files'
}

/** Returns whether an image is to be sent, or is being sent. */
function isPending({ state }: Progress): boolean {
  return state !== 'done' && state !== 'failed'
}
