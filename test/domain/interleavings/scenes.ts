import { eq, sql } from 'drizzle-orm'
import { deleteManaged } from '../../../src/domain/content/management.ts'
import { type CreatedGallery, createGallery, finalizeGallery } from '../../../src/domain/galleries/gallery.ts'
import { digestOf } from '../../../src/domain/ids/digest.ts'
import type { Sequence } from '../../../src/domain/ids/image-id.ts'
import { hideContent } from '../../../src/domain/moderation/moderation.ts'
import { reserveImageId } from '../../../src/storage/content/upload-records.ts'
import { fileCleanup, galleries, heartbeats, images } from '../../../src/storage/schema.ts'
import { type Store, shardAt } from '../../../src/storage/store.ts'
import { HOUR_MS } from '../../../src/units.ts'
import { type ModelContent, OPEN_GALLERY } from '../content-model.ts'
import {
  arrivalOf,
  CLIENTS_AFTER_MS,
  CRON_AFTER_MS,
  FIRST,
  GUEST_IMAGES,
  makeGuestLink,
  type OperationName,
  receive,
  type Subject,
} from './operations.ts'

/** The content before the operations, and the operations that run on it. */
export interface Scene {
  start: ModelContent
  operations: readonly OperationName[]
  /** Creates further content, beside a gallery and images as in `start`. */
  make?: (store: Store, subject: Subject) => Promise<void>
}

const image = (name: string, sequenceNumber: number) => ({ name, sequenceNumber, isHidden: false, isDeleted: false })
const gallery = (changes: Partial<ModelContent['gallery'] & object>, ...images: ModelContent['images']) => ({
  gallery: { state: 'open' as const, name: '', isHidden: false, ...changes },
  images,
})
const [ONE, OTHER] = [image(FIRST, 0), image('second', 1)]

const deleteGallery: Scene['make'] = async (store, { gallery: made, startMs }) =>
  void (await deleteManaged(store, made?.token ?? '', startMs))

const deleteImage: Scene['make'] = async (store, { images, startMs }) =>
  void (await deleteManaged(store, images.get(FIRST)?.token ?? '', startMs))

/** After the requests of clients, and before the cron. */
const expiringAt = ({ startMs }: Subject) => startMs + (CLIENTS_AFTER_MS + CRON_AFTER_MS) / 2

const expireGallery: Scene['make'] = async (store, subject) =>
  void (await shardAt(store, subject.shard)
    .db.update(galleries)
    .set({ expiresAt: expiringAt(subject) })
    .where(eq(galleries.hash, subject.gallery?.access.hash ?? '')))

const expireImage: Scene['make'] = async (store, subject) =>
  void (await shardAt(store, subject.shard)
    .db.update(images)
    .set({ expiresAt: expiringAt(subject) })
    .where(eq(images.id, subject.images.get(FIRST)?.id ?? 0)))

const addressOf = ({ gallery: made }: Subject) => ({ kind: 'gallery' as const, hash: made?.access.hash ?? '' })

/** Simulates an upload whose process died before its record was written. */
const abandonUpload: Scene['make'] = async (store, subject) => {
  const { shard, startMs, prefix } = subject
  const { id } = subject.images.get(FIRST) ?? { id: 0 }
  // The id after an issued one is free in its order.
  const name = `${prefix}abandoned.gif`
  await reserveImageId(shardAt(store, shard), id + 64, name, startMs + HOUR_MS)
}

export const SCENES: Record<string, Scene> = {
  'an empty gallery': {
    start: OPEN_GALLERY,
    operations: [
      'upload',
      'cover',
      'finalize',
      'rename',
      'delete of the gallery',
      'page of the gallery',
      'hide of the gallery',
      'cron',
      'late cron',
    ],
  },
  'an unfinished gallery with an image': {
    start: gallery({}, ONE),
    operations: [
      'upload',
      'finalize',
      'rename',
      'delete of the gallery',
      'delete of an image of the gallery',
      'removal of the image',
      'status',
      'page of the gallery',
      'hide of the gallery',
      'hide of the image',
      'sweep',
      'cron',
    ],
  },
  'a public gallery with two images': {
    start: gallery({ state: 'public' }, ONE, OTHER),
    operations: [
      'addition of an image',
      'move to the beginning',
      'move after the first',
      'finalize',
      'rename',
      'delete of the gallery',
      'delete of an image of the gallery',
      'removal of the image',
      'status',
      'page of the gallery',
      'page of the image',
      'hide of the gallery',
      'hide of the image',
      'cron',
    ],
  },
  'a public gallery with a guest link': {
    start: {
      ...gallery({ state: 'public' }, ONE),
      guestLink: { isFirst: true, isClosed: false, imagesLeft: GUEST_IMAGES },
    },
    async make(store, subject) {
      subject.guestToken = await makeGuestLink(store, subject, subject.startMs)
      subject.guestDigest = await digestOf(subject.guestToken)
    },
    operations: [
      'image of a guest',
      'close of the guest link',
      'new guest link',
      'delete of the gallery',
      'delete of an image of the gallery',
      'page of the gallery',
      'hide of the gallery',
      'late cron',
    ],
  },
  'an unfinished gallery that expires': {
    start: gallery({ expires: true }, ONE),
    make: expireGallery,
    operations: ['upload', 'finalize', 'rename', 'delete of the gallery', 'status', 'page of the gallery', 'cron'],
  },
  'a public gallery that expires': {
    start: gallery({ state: 'public', expires: true }, ONE, OTHER),
    make: expireGallery,
    operations: [
      'addition of an image',
      'move to the beginning',
      'delete of the gallery',
      'delete of an image of the gallery',
      'status',
      'page of the gallery',
      'page of the image',
      'hide of the gallery',
      'cron',
    ],
  },
  'a public gallery with an image that expires': {
    start: gallery({ state: 'public' }, { ...ONE, expires: true }, OTHER),
    make: expireImage,
    operations: [
      'addition of an image',
      'move to the beginning',
      'move after the first',
      'delete of the gallery',
      'delete of an image of the gallery',
      'removal of the image',
      'status',
      'page of the gallery',
      'page of the image',
      'hide of the image',
      'cron',
    ],
  },
  'an image that expires': {
    start: { images: [{ ...ONE, expires: true }] },
    make: expireImage,
    operations: [
      'delete of the image',
      'removal of the image',
      'status',
      'page of the image',
      'hide of the image',
      'sweep',
      'cron',
    ],
  },
  'a hidden gallery': {
    start: gallery({ state: 'public', isHidden: true }, ONE),
    make: async (store, subject) =>
      void (await hideContent(store, addressOf(subject), { operator: 'anna', nowMs: subject.startMs })),
    operations: [
      'hide of the gallery',
      'unhide of the gallery',
      'delete of the gallery',
      'delete of an image of the gallery',
      'page of the gallery',
      'page of the image',
      'status',
    ],
  },
  'a gallery that was deleted and waits for the sweep': {
    start: gallery({ state: 'deleted' }, ONE),
    make: deleteGallery,
    operations: [
      'upload',
      'finalize',
      'rename',
      'delete of the gallery',
      'status',
      'page of the gallery',
      'page of the image',
      'sweep',
      'cron',
    ],
  },
  'an image': {
    start: { images: [ONE] },
    operations: [
      'delete of the image',
      'removal of the image',
      'status',
      'page of the image',
      'hide of the image',
      'unhide of the image',
      'sweep',
      'cron',
    ],
  },
  'an image that was deleted and waits for the sweep': {
    start: { images: [{ ...ONE, isDeleted: true }] },
    make: deleteImage,
    operations: ['delete of the image', 'status', 'page of the image', 'sweep', 'cron'],
  },
  'an upload that died': {
    start: { images: [ONE] },
    make: abandonUpload,
    operations: ['sweep', 'cron', 'late cron'],
  },
  'an Idempotency-Key of an upload': {
    start: { images: [] },
    operations: ['upload with a key', 'sweep', 'cron'],
  },
  'an Idempotency-Key of a delete': {
    start: { images: [ONE] },
    operations: ['delete with a key', 'delete of the image', 'status'],
  },
  'a share': {
    start: { images: [] },
    operations: ['share', 'cron', 'sweep'],
  },
}

/** Creates the content of a scene for one order, by calls outside of it. */
export async function prepare(
  store: Store,
  scene: Scene,
  subject: Subject,
  nextSequenceNumber: Sequence,
): Promise<void> {
  const { start } = scene
  const { startMs } = subject
  if (start.gallery) subject.gallery = accessTo(await newGallery(store, subject))
  for (const { name } of start.images) {
    await receive(store, subject, name, arrivalOf(subject, nextSequenceNumber(startMs), startMs))
  }
  const isFinalized = start.gallery && start.gallery.state !== 'open'
  if (isFinalized && subject.gallery) await finalizeGallery(store, subject.gallery.access, startMs)
  await scene.make?.(store, subject)
}

/** Excludes the content of earlier orders, which are later in time and due after this one. */
export async function setApart(store: Store, { shard, startMs }: Subject, apartMs: number): Promise<void> {
  const { db } = shardAt(store, shard)
  await db.batch([
    db.delete(heartbeats),
    // Files of a failed upload are due since 1970.
    db.update(fileCleanup).set({ dueAt: sql`max(due_at, ${startMs + apartMs})` }),
  ])
}

function newGallery(store: Store, { startMs, shard }: Subject): Promise<CreatedGallery> {
  return createGallery(store, { name: '', wantsManagementToken: true }, startMs, undefined, [shardAt(store, shard)])
}

function accessTo({ hash, uploadToken, managementToken = '' }: CreatedGallery): Subject['gallery'] {
  return { access: { hash, uploadToken }, token: managementToken }
}
