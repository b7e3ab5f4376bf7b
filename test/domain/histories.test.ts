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
import { type Event, explanations } from './linearizability.ts'
import { madeImage, NOW_MS, uploadOf } from './made-content.ts'
import { store } from './store.ts'

/** `npm run tintype -- histories` makes 5,000 of each kind. */
const HISTORIES = Number(env.TEST_SETTINGS.HISTORIES ?? 20)
const SEED = Number(env.TEST_SETTINGS.TINTYPE_SEED ?? 20261122)

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

/** Every call to storage waits for a few turns of the event loop, so that operations meet in every way. */
function delayed(random: Random): Store {
  const run: CallRunner = async (_, call) => {
    for (let turns = below(6, random); turns > 0; turns--) await new Promise((resolve) => setTimeout(resolve))
    return call()
  }
  return openStore({ DB: runDatabaseCalls(env.DB, run), FILES: runBucketCalls(env.FILES, run) })
}

/** Runs each operation on one item. Returns its response if there is more than its success. */
type Performer<Operation extends string> = Record<Operation, () => Promise<string | undefined>>

async function galleryPerformer(in_: Store): Promise<Performer<GalleryOperation>> {
  const gallery = await createGallery(store, { name: '', wantsManagementToken: true }, NOW_MS)
  const { managementToken: token = '' } = gallery
  return {
    upload: async () => void (await uploadOf(in_, gallery)),
    finalize: async () => void (await finalizeGallery(in_, gallery, NOW_MS)),
    rename: async () => void (await renameManagedGallery(in_, await requireManagedGallery(in_, token), 'x')),
    delete: async () => void (await deleteManaged(in_, token, NOW_MS)),
    async view() {
      const view = await findGalleryView(in_, gallery.hash, 1, 100)
      return view ? pageOf(view.images.map(({ name }) => name)) : 'nothing'
    },
  }
}

async function imagePerformer(in_: Store): Promise<Performer<ImageOperation>> {
  const { address, token } = await madeImage()
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
  all: readonly Operation[],
  perform: Performer<Operation>,
  random: Random,
): Promise<Event<Operation>[]> {
  const events: Event<Operation>[] = []
  let step = 0
  const client = async (operations: readonly Operation[]) => {
    for (const operation of operations) {
      const begun = ++step
      const response = await perform[operation]().catch((error) =>
        error instanceof Failure ? error.code : `thrown: ${error}`,
      )
      events.push({ operation, begun, ended: ++step, response: response ?? 'done' })
    }
  }
  const operations = () => Array.from({ length: 1 + below(2, random) }, () => pick(all, random))
  await Promise.all(Array.from({ length: 3 + below(2, random) }, () => client(operations())))
  return events
}

describe(`${HISTORIES} random concurrent histories are linearizable (seed ${SEED})`, () => {
  test('of a gallery', async () => {
    for (let seed = SEED; seed < SEED + HISTORIES; seed++) {
      const random = seededRandom(seed)
      const events = await record(GALLERY_OPERATIONS, await galleryPerformer(delayed(random)), random)
      expect(explanations(stepGallery, events, OPEN_GALLERY), `seed ${seed}: ${JSON.stringify(events)}`).not.toEqual([])
    }
  })

  test('of an image', async () => {
    for (let seed = SEED; seed < SEED + HISTORIES; seed++) {
      const random = seededRandom(seed)
      const events = await record(IMAGE_OPERATIONS, await imagePerformer(delayed(random)), random)
      expect(explanations(stepImage, events, IMAGE), `seed ${seed}: ${JSON.stringify(events)}`).not.toEqual([])
    }
  })
})
