import { env } from 'cloudflare:workers'
import { beforeEach, expect, test } from 'vitest'
import { deleteManaged } from '../../../src/domain/content/management.ts'
import { createGallery } from '../../../src/domain/galleries/gallery.ts'
import { createSequence } from '../../../src/domain/ids/image-id.ts'
import { maintain } from '../../../src/domain/maintenance/maintenance.ts'
import { parseStorageMax } from '../../../src/domain/settings/storage-max.ts'
import { receiveImage } from '../../../src/domain/uploads/upload.ts'
import { RECHECK_MS } from '../../../src/limits.ts'
import { recordPreview } from '../../../src/storage/content/previews.ts'
import { countOlderImages, readStoredBytes } from '../../../src/storage/maintenance/stored-bytes.ts'
import { emptyStore, logProblem, PIXEL_GIF, rows, shard, store } from '../../domain/store.ts'

const PREVIEW = {
  previewMediaType: 'image/jpeg',
  previewBytes: 1000,
  previewWidth: 1,
  previewHeight: 1,
  previewCrc32: 1,
  animated: false,
}
const NOW_MS = Date.UTC(2026, 10, 27)
const nextSequenceNumber = createSequence()

async function upload(gallery?: { hash: string; uploadToken: string }) {
  const bytes = PIXEL_GIF.slice()
  return receiveImage(
    store,
    {
      file: { filename: 'a.gif', bytes },
      nsfw: false,
      optimizeForWeb: false,
      gallery,
      wantsManagementToken: true,
      maxThumbnailSizePx: 200,
    },
    { sequenceNumber: nextSequenceNumber(NOW_MS), nowMs: NOW_MS, clock: () => NOW_MS, logProblem },
  )
}

async function bytesInStore(): Promise<number> {
  const { objects } = await env.FILES.list()
  return objects.reduce((sum, { size }) => sum + size, 0)
}

const setCount = (bytes: number, countedTo: number) =>
  env.DB.prepare('UPDATE stored_bytes SET bytes = ?, counted_to = ?').bind(bytes, countedTo).run()

beforeEach(async () => {
  await emptyStore()
  await setCount(0, Number.MAX_SAFE_INTEGER)
})

test('the count is that of the files, after uploads, new previews and deletes, alone and with a gallery', async () => {
  const { image, managementToken = '' } = await upload()
  const gallery = await createGallery(store, { name: '', wantsManagementToken: true }, NOW_MS)
  await upload(gallery)
  await upload(gallery)
  expect(await readStoredBytes(shard)).toBe(await bytesInStore())
  expect(await bytesInStore()).toBeGreaterThan(0)

  const before = await readStoredBytes(shard)
  await recordPreview(shard, image, 'x', PREVIEW)
  expect(await readStoredBytes(shard)).toBe(before + 1000)

  await deleteManaged(store, managementToken, NOW_MS)
  await deleteManaged(store, gallery.managementToken ?? '', NOW_MS)
  expect(await readStoredBytes(shard)).toBe(before + 1000)
  for (const tickMs of [NOW_MS, NOW_MS + RECHECK_MS]) await maintain(store, tickMs, logProblem)
  expect([await readStoredBytes(shard), await bytesInStore()]).toEqual([0, 0])
})

test('older images are counted batch by batch, and new ones in between once', async () => {
  for (let at = 0; at < 5; at++) await upload()
  const whole = await readStoredBytes(shard)
  await setCount(0, 0)
  const [each] = await rows('SELECT bytes + thumbnail_bytes AS bytes FROM images LIMIT 1')
  const one = Number(each?.bytes)
  await countOlderImages(shard, 2)
  expect(await readStoredBytes(shard)).toBe(2 * one)
  // Its id is after the batch, so a later one counts it.
  await upload()
  expect(await readStoredBytes(shard)).toBe(2 * one)
  for (let batch = 0; batch < 5; batch++) await countOlderImages(shard, 2)
  expect(await readStoredBytes(shard)).toBe(whole + one)
  await upload()
  expect(await readStoredBytes(shard)).toBe(whole + 2 * one)
})

test.each([
  ['', undefined],
  ['1', 1],
  [' 500 GB ', 500e9],
  ['20TB', 20e12],
  ['5MB', 5e6],
])('STORAGE_MAX %j is %j', (setting, bytes) => {
  expect(parseStorageMax(setting)).toBe(bytes)
})

test.each(['0', '-1', '1.5 GB', '5 GiB', 'much', '999999999999999 TB'])('STORAGE_MAX %j is refused', (setting) => {
  expect(() => parseStorageMax(setting)).toThrow(/^STORAGE_MAX must be .*: received "/)
})
