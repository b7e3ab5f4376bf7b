import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import { Failure } from '../../src/domain/failure.ts'
import { createGallery, finalizeGallery, findGalleryView } from '../../src/domain/gallery.ts'
import { imageStatuses } from '../../src/domain/image-status.ts'
import { deleteManaged, renameManagedGallery, requireManagedGallery } from '../../src/domain/management.ts'
import { removeReported } from '../../src/domain/moderation.ts'
import { receiveReport } from '../../src/domain/report.ts'
import { type CallRunner, runDatabaseCalls } from '../../src/storage/calls.ts'
import { openStore, type Store } from '../../src/storage/store.ts'
import { runBucketCalls } from '../support/faulty-bindings.ts'
import { below, pick, type Random, seededRandom } from '../support/random.ts'
import { madePicture, NOW_MS, uploadOf } from './made-content.ts'
import { store } from './store.ts'

/** `npm run histories` makes 5,000 of each kind. */
const HISTORIES = Number(env.TEST_SETTINGS.HISTORIES ?? 20)
const SEED = Number(env.TEST_SETTINGS.TINTYPE_SEED ?? 20261122)

/** What the specification says of one thing, without time: what each operation answers, and what it makes of the state. */
interface Model<State, Operation extends string> {
  start: State
  operations: readonly Operation[]
  step: (operation: Operation, state: State) => [answer: string, after: State]
}

/** One operation of a history: when it began and ended, in steps, and what it answered. */
interface Event<Operation> {
  operation: Operation
  begun: number
  ended: number
  answer: string
}

interface Gallery {
  pictures: number
  state: 'open' | 'public' | 'deleted'
}
type GalleryOperation = 'upload' | 'finalize' | 'rename' | 'delete' | 'look'

const GALLERY_STEPS: Record<GalleryOperation, (gallery: Gallery) => [answer: string, after: Gallery]> = {
  upload(gallery) {
    if (gallery.state === 'deleted') return ['gallery_not_found', gallery]
    if (gallery.state === 'public') return ['gallery_already_finalized', gallery]
    return ['done', { ...gallery, pictures: gallery.pictures + 1 }]
  },
  finalize(gallery) {
    if (gallery.state === 'deleted') return ['gallery_not_found', gallery]
    return ['done', { ...gallery, state: gallery.state === 'open' && gallery.pictures === 0 ? 'deleted' : 'public' }]
  },
  rename: (gallery) => [gallery.state === 'deleted' ? 'content_deleted' : 'done', gallery],
  delete: (gallery) =>
    gallery.state === 'deleted' ? ['content_deleted', gallery] : ['done', { ...gallery, state: 'deleted' }],
  look: (gallery) => [gallery.state === 'public' ? `${gallery.pictures} pictures` : 'nothing', gallery],
}

const GALLERY: Model<Gallery, GalleryOperation> = {
  start: { pictures: 0, state: 'open' },
  // Those that meet most often are there twice.
  operations: ['upload', 'upload', 'finalize', 'finalize', 'rename', 'delete', 'look', 'look'],
  step: (operation, state) => GALLERY_STEPS[operation](state),
}

type PictureState = 'available' | 'deleted'
type PictureOperation = 'status' | 'delete' | 'remove' | 'report'

const PICTURE_STEPS: Record<PictureOperation, (state: PictureState) => [answer: string, after: PictureState]> = {
  status: (state) => [state, state],
  delete: (state) => [state === 'deleted' ? 'content_deleted' : 'done', 'deleted'],
  remove: (state) => [state === 'deleted' ? 'was deleted' : 'done', 'deleted'],
  report: (state) => [state === 'deleted' ? 'content_not_found' : 'done', state],
}

const PICTURE: Model<PictureState, PictureOperation> = {
  start: 'available',
  operations: ['status', 'status', 'delete', 'delete', 'remove', 'report'],
  step: (operation, state) => PICTURE_STEPS[operation](state),
}

/** Whether there is an order that explains all answers, in which nothing goes before what had ended when it began. */
function isExplained<State, Operation extends string>(
  model: Pick<Model<State, Operation>, 'step'>,
  events: readonly Event<Operation>[],
  state: State,
): boolean {
  if (events.length === 0) return true
  const firstEnd = Math.min(...events.map(({ ended }) => ended))
  return events.some((event) => {
    if (event.begun > firstEnd) return false
    const [answer, after] = model.step(event.operation, state)
    const others = events.filter((other) => other !== event)
    return answer === event.answer && isExplained(model, others, after)
  })
}

test('the model explains what is in order, and nothing else', () => {
  const explains = (...events: [GalleryOperation, begun: number, ended: number, answer?: string][]) =>
    isExplained(
      GALLERY,
      events.map(([operation, begun, ended, answer = 'done']) => ({ operation, begun, ended, answer })),
      GALLERY.start,
    )
  expect(explains(['finalize', 1, 4], ['upload', 2, 3])).toBe(true)
  expect(explains(['finalize', 1, 2], ['upload', 3, 4])).toBe(false)
  expect(explains(['finalize', 1, 4], ['finalize', 2, 3])).toBe(false)
  expect(explains(['delete', 1, 2], ['finalize', 3, 4])).toBe(false)
  expect(explains(['upload', 1, 2], ['finalize', 3, 4], ['look', 5, 6, '1 pictures'])).toBe(true)
  expect(explains(['upload', 1, 2], ['finalize', 3, 6], ['look', 4, 5, '0 pictures'])).toBe(false)
})

/** Every call to storage waits for a few turns of the event loop, so that operations meet in every way. */
function delayed(random: Random): Store {
  const run: CallRunner = async (_, call) => {
    for (let turns = below(6, random); turns > 0; turns--) await new Promise((resolve) => setTimeout(resolve))
    return call()
  }
  return openStore({ DB: runDatabaseCalls(env.DB, run), FILES: runBucketCalls(env.FILES, run) })
}

/** Does each operation to one thing that was made for it; gives its answer where that is more than that it was done. */
type Performer<Operation extends string> = Record<Operation, () => Promise<string | undefined>>

async function galleryPerformer(in_: Store): Promise<Performer<GalleryOperation>> {
  const gallery = await createGallery(store, { name: '', wantsManagementToken: true }, NOW_MS)
  const { managementToken: token = '' } = gallery
  return {
    upload: async () => void (await uploadOf(in_, gallery)),
    finalize: async () => void (await finalizeGallery(in_, gallery, NOW_MS)),
    rename: async () => void (await renameManagedGallery(in_, await requireManagedGallery(in_, token), 'x')),
    delete: async () => void (await deleteManaged(in_, token, NOW_MS)),
    async look() {
      const view = await findGalleryView(in_, gallery.hash, 1, 100)
      return view ? `${view.images.length} pictures` : 'nothing'
    },
  }
}

async function picturePerformer(in_: Store): Promise<Performer<PictureOperation>> {
  const { address, token } = await madePicture()
  return {
    async status() {
      const [status] = await imageStatuses(in_, [address.image], NOW_MS)
      return status
    },
    delete: async () => void (await deleteManaged(in_, token, NOW_MS)),
    async remove() {
      const { changed } = await removeReported(in_, address, { operator: 'anna', nowMs: NOW_MS })
      return changed ? undefined : 'was deleted'
    },
    report: async () =>
      void (await receiveReport(in_, address, { reason: 'illegal', details: '', contact: '' }, NOW_MS)),
  }
}

async function record<Operation extends string>(
  model: Pick<Model<unknown, Operation>, 'operations'>,
  perform: Performer<Operation>,
  random: Random,
): Promise<Event<Operation>[]> {
  const events: Event<Operation>[] = []
  let step = 0
  const client = async (operations: readonly Operation[]) => {
    for (const operation of operations) {
      const begun = ++step
      const answer = await perform[operation]().catch((error) =>
        error instanceof Failure ? error.code : `thrown: ${error}`,
      )
      events.push({ operation, begun, ended: ++step, answer: answer ?? 'done' })
    }
  }
  const operations = () => Array.from({ length: 1 + below(2, random) }, () => pick(model.operations, random))
  await Promise.all(Array.from({ length: 3 + below(2, random) }, () => client(operations())))
  return events
}

describe(`the answers of ${HISTORIES} random concurrent histories have an order that explains them (seed ${SEED})`, () => {
  test('of a gallery', async () => {
    for (let seed = SEED; seed < SEED + HISTORIES; seed++) {
      const random = seededRandom(seed)
      const events = await record(GALLERY, await galleryPerformer(delayed(random)), random)
      expect(isExplained(GALLERY, events, GALLERY.start), `seed ${seed}: ${JSON.stringify(events)}`).toBe(true)
    }
  })

  test('of a picture', async () => {
    for (let seed = SEED; seed < SEED + HISTORIES; seed++) {
      const random = seededRandom(seed)
      const events = await record(PICTURE, await picturePerformer(delayed(random)), random)
      expect(isExplained(PICTURE, events, PICTURE.start), `seed ${seed}: ${JSON.stringify(events)}`).toBe(true)
    }
  })
})
