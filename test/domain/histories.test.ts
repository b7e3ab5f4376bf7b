import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { Failure } from '../../src/domain/failure.ts'
import { createGallery, finalizeGallery } from '../../src/domain/gallery.ts'
import { createImageIdSource } from '../../src/domain/image-id.ts'
import { deleteManaged, renameManagedGallery, requireManagedGallery } from '../../src/domain/management.ts'
import { receiveImage } from '../../src/domain/upload.ts'
import { type CallRunner, runBucketCalls, runDatabaseCalls } from '../../src/storage/calls.ts'
import { openStore } from '../../src/storage/store.ts'
import { below, pick, type Random, seededRandom } from '../support/random.ts'
import { logProblem, PIXEL_GIF, store } from './store.ts'

const NOW_MS = Date.UTC(2026, 10, 21)
const HISTORIES = 100
const SEED = 20261122
const nextId = createImageIdSource()

/** A gallery as the specification has it, without time: what each operation answers, and what it makes of the gallery. */
interface Model {
  pictures: number
  state: 'open' | 'public' | 'deleted'
}
type Operation = 'upload' | 'finalize' | 'rename' | 'delete'

const MODEL: Record<Operation, (gallery: Model) => [answer: string, after: Model]> = {
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
}

/** One operation of a history: when it began and ended, in steps, and what it answered. */
interface Event {
  operation: Operation
  begun: number
  ended: number
  answer: string
}

/** Whether there is an order that explains all answers, in which nothing goes before what had ended when it began. */
function isExplained(events: readonly Event[], gallery: Model): boolean {
  if (events.length === 0) return true
  const firstEnd = Math.min(...events.map(({ ended }) => ended))
  return events.some((event) => {
    if (event.begun > firstEnd) return false
    const [answer, after] = MODEL[event.operation](gallery)
    return (
      answer === event.answer &&
      isExplained(
        events.filter((other) => other !== event),
        after,
      )
    )
  })
}

test('the model explains what is in order, and nothing else', () => {
  const event = (operation: Operation, begun: number, ended: number, answer = 'done') => ({
    operation,
    begun,
    ended,
    answer,
  })
  const open: Model = { pictures: 0, state: 'open' }
  expect(isExplained([event('finalize', 1, 4), event('upload', 2, 3)], open)).toBe(true)
  expect(isExplained([event('finalize', 1, 2), event('upload', 3, 4)], open)).toBe(false)
  expect(isExplained([event('finalize', 1, 4), event('finalize', 2, 3)], open)).toBe(false)
  expect(isExplained([event('delete', 1, 2), event('finalize', 3, 4)], open)).toBe(false)
})

/** Every call to storage waits for a few turns of the event loop, so that operations meet in every way. */
function delayed(random: Random) {
  const run: CallRunner = async (_, call) => {
    for (let turns = below(6, random); turns > 0; turns--) await new Promise((resolve) => setTimeout(resolve))
    return call()
  }
  return openStore({ DB: runDatabaseCalls(env.DB, run), FILES: runBucketCalls(env.FILES, run) })
}

test(`the answers of ${HISTORIES} random concurrent histories have an order that explains them (seed ${SEED})`, async () => {
  for (let seed = SEED; seed < SEED + HISTORIES; seed++) {
    const events = await record(seededRandom(seed))
    const told = `seed ${seed}: ${JSON.stringify(events)}`
    expect(isExplained(events, { pictures: 0, state: 'open' }), told).toBe(true)
  }
})

async function record(random: Random): Promise<Event[]> {
  const in_ = delayed(random)
  const gallery = await createGallery(store, { name: '', wantsManagementToken: true }, NOW_MS)
  const perform = performer(in_, gallery)
  const events: Event[] = []
  let step = 0
  const client = async (operations: readonly Operation[]) => {
    for (const operation of operations) {
      const begun = ++step
      const answer = await perform(operation).then(
        () => 'done',
        (error) => (error instanceof Failure ? error.code : String(error)),
      )
      events.push({ operation, begun, ended: ++step, answer })
    }
  }
  const operations = (): Operation[] =>
    Array.from({ length: 1 + below(2, random) }, () =>
      pick(['upload', 'finalize', 'finalize', 'rename', 'delete'], random),
    )
  await Promise.all(Array.from({ length: 3 + below(2, random) }, () => client(operations())))
  return events
}

function performer(
  in_: typeof store,
  gallery: { hash: string; uploadToken: string; managementToken: string | undefined },
) {
  const { managementToken: token = '' } = gallery
  const operations: Record<Operation, () => Promise<unknown>> = {
    upload: () =>
      receiveImage(
        in_,
        {
          file: { filename: 'a.gif', bytes: PIXEL_GIF },
          nsfw: false,
          optimizeForWeb: false,
          gallery,
          wantsManagementToken: false,
          maxThumbnailSizePx: 200,
        },
        { imageId: nextId(NOW_MS), nowMs: NOW_MS, clock: () => NOW_MS, logProblem },
      ),
    finalize: () => finalizeGallery(in_, gallery, NOW_MS),
    rename: async () => renameManagedGallery(in_, await requireManagedGallery(in_, token), 'x'),
    delete: () => deleteManaged(in_, token, NOW_MS),
  }
  return (operation: Operation) => operations[operation]()
}
