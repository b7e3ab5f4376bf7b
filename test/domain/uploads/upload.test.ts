import { env } from 'cloudflare:workers'
import { encodePng } from 'tintype-codec/test/encode-png'
import { beforeEach, expect, test } from 'vitest'
import { deleteManaged } from '../../../src/domain/content/management.ts'
import { createGallery, finalizeGallery } from '../../../src/domain/galleries/gallery.ts'
import { createSequence, imageIdAt } from '../../../src/domain/ids/image-id.ts'
import { imagePath } from '../../../src/domain/ids/links.ts'
import { maintain } from '../../../src/domain/maintenance/maintenance.ts'
import { blockImage } from '../../../src/domain/moderation/blocking.ts'
import { type ImageUpload, receiveImage } from '../../../src/domain/uploads/upload.ts'
import { codec } from '../../../src/image/codec.ts'
import { CLEANUP_INTENT_LIFETIME_MS, RECHECK_MS, UPLOAD_TOKEN_LIFETIME_MS } from '../../../src/limits.ts'
import { runFileCalls } from '../../../src/storage/calls.ts'
import type { FileStore } from '../../../src/storage/files/store.ts'
import type { Store } from '../../../src/storage/store.ts'
import { photo } from '../../support/photo.ts'
import { emptyStore, logProblem, onShard, PIXEL_GIF, rows, shard, store, storedKeys } from '../store.ts'

const NOW_MS = Date.UTC(2026, 10, 21)
const nextSequenceNumber = createSequence()

const arrivalAt = (nowMs: number) => ({
  sequenceNumber: nextSequenceNumber(nowMs),
  nowMs,
  clock: () => nowMs,
  logProblem,
})

function upload(options: Partial<ImageUpload> = {}): ImageUpload {
  return {
    file: { filename: 'a.gif', bytes: PIXEL_GIF.slice() },
    nsfw: false,
    optimizeForWeb: false,
    gallery: undefined,
    wantsManagementToken: false,
    maxThumbnailSizePx: 200,
    ...options,
  }
}

async function newGallery(nowMs = NOW_MS) {
  const gallery = await createGallery(store, { name: '', wantsManagementToken: true }, nowMs)
  return { ...gallery, access: { hash: gallery.hash, uploadToken: gallery.uploadToken } }
}

const failure = (code: string) => expect.objectContaining({ name: 'Failure', code })
const sweep = async (nowMs: number): Promise<void> => {
  await maintain(store, nowMs, (what, error) => {
    throw new Error(what, { cause: error })
  })
}

/** Returns a store that runs a function after each stored file. */
function withPut(after: () => Promise<void>): Store {
  const files = runFileCalls(shard.files, async (name, call) => {
    const result = await call()
    if (name === 'files.create') await after()
    return result
  })
  return onShard({ ...shard, files })
}

beforeEach(emptyStore)

test('an upload leaves its record, its two files and no intent', async () => {
  const { image } = await receiveImage(store, upload(), arrivalAt(NOW_MS))
  expect(await storedKeys()).toEqual([`images/${imagePath(image)}`, `thumbs/${imagePath(image)}`])
  expect(await rows('SELECT id, name, bytes FROM images')).toEqual([
    { id: image.id, name: 'a.gif', bytes: PIXEL_GIF.length },
  ])
  expect(await rows('SELECT * FROM file_cleanup')).toEqual([])
})

/** Ids of shards other than 0 have no random bits beside those of their sequence number. */
const WITHOUT_RANDOM_BITS = onShard({ ...shard, number: 1 })
const AT_5000 = { sequenceNumber: 5000, nowMs: NOW_MS, clock: () => NOW_MS, logProblem }

test('an id that is taken, by a record or by an unfinished upload, is skipped', async () => {
  const taken = imageIdAt(5001, 1)
  const first = await receiveImage(WITHOUT_RANDOM_BITS, upload(), AT_5000)
  await env.DB.exec(`INSERT INTO file_cleanup (image_id, name, due_at) VALUES (${taken}, 'x.gif', 9e12)`)
  const second = await receiveImage(WITHOUT_RANDOM_BITS, upload(), AT_5000)
  expect([first.image.id, second.image.id]).toEqual([imageIdAt(5000, 1), imageIdAt(5002, 1)])
})

test('parallel uploads with the same id are all stored', async () => {
  const receipts = await Promise.all(
    Array.from({ length: 8 }, () => receiveImage(WITHOUT_RANDOM_BITS, upload(), AT_5000)),
  )
  expect(new Set(receipts.map(({ image }) => image.id)).size).toBe(8)
  expect(await storedKeys()).toHaveLength(16)
})

test('files of an upload that died before its record are swept an hour later', async () => {
  const db = new Proxy(shard.db, {
    get: (target, name) =>
      name === 'batch' ? () => Promise.reject(new Error('the line is cut')) : Reflect.get(target, name, target),
  })
  const dying = onShard({ ...shard, db })
  await expect(receiveImage(dying, upload(), arrivalAt(NOW_MS))).rejects.toThrow('the line is cut')
  expect(await storedKeys()).toHaveLength(2)
  await sweep(NOW_MS + CLEANUP_INTENT_LIFETIME_MS - 1)
  expect(await storedKeys()).toHaveLength(2)
  await sweep(NOW_MS + CLEANUP_INTENT_LIFETIME_MS)
  expect(await storedKeys()).toEqual([])
})

test('files that arrive after their sweep are removed an hour later', async () => {
  await env.DB.exec("INSERT INTO file_cleanup (image_id, name, due_at) VALUES (5000, 'a.gif', 0)")
  await sweep(NOW_MS)
  await env.FILES.put('images/0/5000_a.gif', 'late')
  await sweep(NOW_MS + RECHECK_MS - 1)
  expect(await storedKeys()).toHaveLength(1)
  await sweep(NOW_MS + RECHECK_MS)
  expect(await storedKeys()).toEqual([])
  expect(await rows('SELECT * FROM file_cleanup')).toEqual([])
})

test('the hour of an upload begins when it is stored, however long its body took', async () => {
  const laterMs = NOW_MS + 2 * CLEANUP_INTENT_LIFETIME_MS
  const arrival = { ...arrivalAt(NOW_MS), clock: () => laterMs }
  const swept = withPut(() => sweep(laterMs + CLEANUP_INTENT_LIFETIME_MS - 1))
  await receiveImage(swept, upload(), arrival)
  expect(await storedKeys()).toHaveLength(2)
})

test('an upload whose files the sweep has taken is not acknowledged', async () => {
  const slow = withPut(() => sweep(NOW_MS + CLEANUP_INTENT_LIFETIME_MS))
  await expect(receiveImage(slow, upload(), arrivalAt(NOW_MS))).rejects.toThrow('could not be recorded')
  expect(await rows('SELECT * FROM images')).toEqual([])
  await sweep(NOW_MS + CLEANUP_INTENT_LIFETIME_MS)
  expect(await storedKeys()).toHaveLength(0)
})

test.each([
  [
    'is finalized',
    'gallery_already_finalized',
    (access: { hash: string; uploadToken: string }) => finalizeGallery(store, access, NOW_MS),
  ],
  [
    'is deleted',
    'gallery_not_found',
    (_: object, managementToken: string) => deleteManaged(store, managementToken, NOW_MS),
  ],
] as const)('an upload to a gallery that %s in the meantime is rejected and swept', async (_, code, change) => {
  const gallery = await newGallery()
  await receiveImage(store, upload({ gallery: gallery.access }), arrivalAt(NOW_MS))
  const { files } = shard
  const create: FileStore['create'] = async (...args) => {
    await change(gallery.access, gallery.managementToken ?? '').catch(() => {})
    return files.create(...args)
  }
  const overtaken = onShard({ ...shard, files: { ...files, create } })
  const late = receiveImage(overtaken, upload({ gallery: gallery.access }), arrivalAt(NOW_MS))
  await expect(late).rejects.toEqual(failure(code))
  expect(await rows('SELECT * FROM images')).toHaveLength(1)
  await sweep(NOW_MS)
  const deleted = code === 'gallery_not_found'
  expect(await storedKeys()).toHaveLength(deleted ? 0 : 2)
})

test('the gallery is checked before the image (D14)', async () => {
  const broken = { filename: 'a.gif', bytes: new Uint8Array([1, 2, 3]) }
  const access = { hash: 'nobodysgallery', uploadToken: 'x' }
  await expect(receiveImage(store, upload({ file: broken, gallery: access }), arrivalAt(NOW_MS))).rejects.toEqual(
    failure('gallery_not_found'),
  )
  await expect(receiveImage(store, upload({ file: broken }), arrivalAt(NOW_MS))).rejects.toEqual(
    failure('unsupported_image_format'),
  )
})

test.each([
  [UPLOAD_TOKEN_LIFETIME_MS - 1, undefined],
  [UPLOAD_TOKEN_LIFETIME_MS, 'upload_token_incorrect'],
])('the upload token %i ms after creation: %s (D26)', async (afterMs, code) => {
  const { access } = await newGallery()
  const uploading = receiveImage(store, upload({ gallery: access }), arrivalAt(NOW_MS + afterMs))
  if (code) await expect(uploading).rejects.toEqual(failure(code))
  else await expect(uploading).resolves.toBeDefined()
})

test('only standalone uploads have a management token, of which only the digest is stored', async () => {
  const standalone = await receiveImage(store, upload({ wantsManagementToken: true }), arrivalAt(NOW_MS))
  const { access } = await newGallery()
  const inGallery = await receiveImage(
    store,
    upload({ gallery: access, wantsManagementToken: true }),
    arrivalAt(NOW_MS),
  )
  expect(standalone.managementToken).toMatch(/^[\w-]{43}$/)
  expect(inGallery.managementToken).toBeUndefined()
  const stored = JSON.stringify(await rows('SELECT * FROM management_tokens'))
  expect(stored).not.toContain(standalone.managementToken)
})

test('a PNG that looks like a blocked one is rejected before a lossless WebP is tried', async () => {
  const [width, height] = [96, 64]
  const rgb = photo(width, height, 5)
  const png = (changed: number) => {
    const rgba = new Uint8ClampedArray(4 * width * height).map((_, i) =>
      i % 4 === 3 ? 255 : (rgb[(i >> 2) * 3 + (i % 4)] ?? 0),
    )
    rgba[0] = changed
    return upload({ file: { filename: 'a.png', bytes: encodePng({ rgba, width, height }) }, optimizeForWeb: true })
  }
  const turnsOf = async (job: () => Promise<unknown>) => {
    const before = codec.queue().ended
    await job()
    return codec.queue().ended - before
  }
  const first = await receiveImage(store, png(1), arrivalAt(NOW_MS))
  await blockImage(store, first.image, NOW_MS)
  const refused = () =>
    expect(receiveImage(store, png(2), arrivalAt(NOW_MS))).rejects.toThrow(failure('blocked_content'))
  expect(await turnsOf(refused), 'thumbnail with candidate, and a look at it').toBe(2)
})
