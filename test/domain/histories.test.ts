import { env } from 'cloudflare:workers'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { imageStatuses } from '../../src/domain/content/image-status.ts'
import { deleteManaged, renameManagedGallery, requireManagedGallery } from '../../src/domain/content/management.ts'
import { Failure } from '../../src/domain/failure.ts'
import { createGallery, finalizeGallery, findGalleryView } from '../../src/domain/galleries/gallery.ts'
import { removeReported } from '../../src/domain/moderation/moderation.ts'
import { receiveReport } from '../../src/domain/moderation/report.ts'
import { type CallRunner, runDatabaseCalls } from '../../src/storage/calls.ts'
import { openStore, type Store } from '../../src/storage/store.ts'
import { runBucketCalls } from '../support/faulty-bindings.ts'
import { parametersOf } from '../support/property.ts'
import {
  type ContentStep,
  deleteGallery,
  deleteImage,
  finalize,
  galleryPage,
  type ModelContent,
  OPEN_GALLERY,
  pageOf,
  removeImage,
  rename,
  report,
  status,
  upload,
} from './content-model.ts'
import { type Event, explanations, type Step } from './linearizability.ts'
import { madeImage, NOW_MS, uploadOf } from './made-content.ts'
import { store } from './store.ts'

/** `npm run tintype -- histories` makes 5,000 of each kind. */
const HISTORIES = Number(env.TEST_SETTINGS.HISTORIES ?? 20)
const PARAMETERS = parametersOf(env.TEST_SETTINGS.TINTYPE_SEED, 20261122, HISTORIES)

const UPLOADED = 'a.gif'

/** Operations on a gallery. Those that meet most often are there twice. */
const GALLERY_OPERATIONS = ['upload', 'upload', 'finalize', 'finalize', 'rename', 'delete', 'view', 'view'] as const
type GalleryOperation = (typeof GALLERY_OPERATIONS)[number]
const GALLERY_STEPS: Record<GalleryOperation, ContentStep> = {
  upload: upload(UPLOADED, 0),
  finalize,
  rename: rename('x'),
  delete: deleteGallery,
  view: galleryPage,
}
const stepGallery = (operation: GalleryOperation, content: ModelContent) => GALLERY_STEPS[operation](content)

const IMAGE_OPERATIONS = ['status', 'status', 'delete', 'delete', 'remove', 'report'] as const
type ImageOperation = (typeof IMAGE_OPERATIONS)[number]
const IMAGE_STEPS: Record<ImageOperation, ContentStep> = {
  status: status(UPLOADED),
  delete: deleteImage(UPLOADED),
  remove: removeImage(UPLOADED),
  report: report(UPLOADED),
}
const stepImage = (operation: ImageOperation, content: ModelContent) => IMAGE_STEPS[operation](content)
const IMAGE: ModelContent = { images: [{ name: UPLOADED, sequenceNumber: 0, isHidden: false, isDeleted: false }] }

test('the model explains what is in order, and nothing else', () => {
  const explains = (...events: [GalleryOperation, begun: number, ended: number, response?: string][]) =>
    explanations(
      stepGallery,
      events.map(([operation, begun, ended, response = 'done']) => ({ operation, begun, ended, response })),
      OPEN_GALLERY,
    ).length > 0
  expect(explains(['finalize', 1, 4], ['upload', 2, 3])).toBe(true)
  expect(explains(['finalize', 1, 2], ['upload', 3, 4])).toBe(false)
  expect(explains(['finalize', 1, 4], ['finalize', 2, 3])).toBe(false)
  expect(explains(['delete', 1, 2], ['finalize', 3, 4])).toBe(false)
  expect(explains(['upload', 1, 2], ['finalize', 3, 4], ['view', 5, 6, 'page of [a.gif]'])).toBe(true)
  expect(explains(['upload', 1, 2], ['finalize', 3, 6], ['view', 4, 5, 'page of []'])).toBe(false)
})

/**
 * Storage of several clients whose calls run one at a time, in the order of `turns`: numbers of clients, of which those that wait for no
 * call are skipped. Afterwards the first client that waits is next. Without a client, the turns of the others stay as they were.
 */
class TakingTurns {
  readonly #waiting = new Map<number, (() => void)[]>()
  #running: Promise<unknown> = Promise.resolve()

  /** The storage of a client. */
  storeFor(client: number): Store {
    const run: CallRunner = async (_, call) => {
      await new Promise<void>((resolve) => {
        this.#waiting.set(client, [...(this.#waiting.get(client) ?? []), resolve])
      })
      const result = call()
      this.#running = result.catch(() => undefined)
      return result
    }
    return openStore({ DB: runDatabaseCalls(env.DB, run), FILES: runBucketCalls(env.FILES, run) })
  }

  /** Runs the calls of these clients to their end. */
  async run(turns: readonly number[], clients: readonly Promise<void>[]): Promise<void> {
    const left = new Set(clients.keys())
    for (const [client, done] of clients.entries()) void done.finally(() => left.delete(client))
    const isWaiting = (client: number) => this.#waiting.get(client)?.length
    let at = 0
    while (left.size > 0) {
      await new Promise((resolve) => setTimeout(resolve))
      await this.#running
      if (![...left].every(isWaiting)) continue
      while (at < turns.length && !isWaiting(turns[at] ?? 0)) at++
      const client = turns[at++] ?? Math.min(...left)
      this.#waiting.get(client)?.shift()?.()
    }
  }
}

/** Runs each operation on one item. Returns its response if there is more than its success. */
type Performer<Operation extends string> = Record<Operation, () => Promise<string | undefined>>

async function makeGallery(): Promise<(in_: Store) => Performer<GalleryOperation>> {
  const gallery = await createGallery(store, { name: '', wantsManagementToken: true }, NOW_MS)
  const { managementToken: token = '' } = gallery
  return (in_) => ({
    upload: async () => void (await uploadOf(in_, gallery)),
    finalize: async () => void (await finalizeGallery(in_, gallery, NOW_MS)),
    rename: async () => void (await renameManagedGallery(in_, await requireManagedGallery(in_, token, NOW_MS), 'x')),
    delete: async () => void (await deleteManaged(in_, token, NOW_MS)),
    async view() {
      const view = await findGalleryView(in_, gallery.hash, 1, 100, NOW_MS)
      return view && view !== 'expired' ? pageOf(view.images.map(({ name }) => name)) : 'nothing'
    },
  })
}

async function makeImage(): Promise<(in_: Store) => Performer<ImageOperation>> {
  const { address, token } = await madeImage()
  return (in_) => ({
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
  })
}

/** Checks that concurrent operations are linearizable. A counterexample has few clients, few operations and few turns. */
async function expectLinearizable<Operation extends string>(
  operations: readonly Operation[],
  makeContent: () => Promise<(store: Store) => Performer<Operation>>,
  step: Step<ModelContent, Operation>,
  start: ModelContent,
): Promise<void> {
  const client = fc.array(fc.constantFrom(...operations), { minLength: 1, maxLength: 3 })
  const clients = fc.array(client, { minLength: 2, maxLength: 4 })
  const turns = fc.array(fc.nat({ max: 3 }), { maxLength: 40, size: 'max' })
  const property = fc.asyncProperty(clients, turns, async (clients, turns) => {
    const performerIn = await makeContent()
    const takingTurns = new TakingTurns()
    const events: Event<Operation>[] = []
    let now = 0
    const perform = async (performer: Performer<Operation>, operations: readonly Operation[]) => {
      for (const operation of operations) {
        const begun = ++now
        const response = await performer[operation]().catch((error) =>
          error instanceof Failure ? error.code : `thrown: ${error}`,
        )
        events.push({ operation, begun, ended: ++now, response: response ?? 'done' })
      }
    }
    const stores = clients.map((_, number) => takingTurns.storeFor(number))
    await takingTurns.run(
      turns,
      clients.map((operations, number) => perform(performerIn(stores[number] ?? store), operations)),
    )
    expect(explanations(step, events, start), JSON.stringify(events)).not.toEqual([])
  })
  // Small histories are seldom interesting.
  await fc.assert(property, { ...PARAMETERS, plugins: [fc.unbiased()] })
}

describe(`${HISTORIES} random concurrent histories are linearizable (seed ${PARAMETERS.seed})`, () => {
  test('of a gallery', () => expectLinearizable(GALLERY_OPERATIONS, makeGallery, stepGallery, OPEN_GALLERY))

  test('of an image', () => expectLinearizable(IMAGE_OPERATIONS, makeImage, stepImage, IMAGE))
})
