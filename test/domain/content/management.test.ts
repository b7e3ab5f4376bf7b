import { beforeEach, expect, test } from 'vitest'
import {
  deleteManaged,
  renameManagedGallery,
  requireManaged,
  requireManagedGallery,
} from '../../../src/domain/content/management.ts'
import { findPublicImage } from '../../../src/domain/content/public-image.ts'
import { createGallery } from '../../../src/domain/galleries/gallery.ts'
import { imagePath } from '../../../src/domain/ids/links.ts'
import { receiveImage } from '../../../src/domain/uploads/upload.ts'
import { emptyStore, logProblem, PIXEL_GIF, rows, store } from '../store.ts'

const NOW_MS = Date.UTC(2026, 10, 21)
const failure = (code: string) => expect.objectContaining({ name: 'Failure', code })

beforeEach(emptyStore)

async function standalone() {
  const { image, managementToken = '' } = await receiveImage(
    store,
    {
      file: { filename: 'a.gif', bytes: PIXEL_GIF.slice() },
      nsfw: false,
      optimizeForWeb: false,
      gallery: undefined,
      wantsManagementToken: true,
      maxThumbnailSizePx: 200,
    },
    { sequenceNumber: 128 * 3_600_000, nowMs: NOW_MS, clock: () => NOW_MS, logProblem },
  )
  return { image, token: managementToken }
}

async function gallery() {
  const { managementToken = '' } = await createGallery(store, { name: 'mine', wantsManagementToken: true }, NOW_MS)
  return managementToken
}

test('exactly one of several simultaneous deletes succeeds, the others find the content deleted (D17)', async () => {
  for (const token of [(await standalone()).token, await gallery()]) {
    const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => deleteManaged(store, token, NOW_MS)))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') expect(outcome.reason).toEqual(failure('content_deleted'))
    }
  }
})

test('a deleted image is not public, and its files are due', async () => {
  const { image, token } = await standalone()
  expect(await findPublicImage(store, imagePath(image), NOW_MS)).toBeDefined()
  await deleteManaged(store, token, NOW_MS)
  expect(await findPublicImage(store, imagePath(image), NOW_MS)).toBeUndefined()
  expect(await rows('SELECT image_id, due_at FROM file_cleanup')).toEqual([{ image_id: image.id, due_at: NOW_MS }])
})

test('a deleted gallery forgets its name', async () => {
  await deleteManaged(store, await gallery(), NOW_MS)
  expect(await rows('SELECT name FROM galleries')).toEqual([{ name: '' }])
})

test.each(['', 'x', 'A'.repeat(43)])('an unknown token is not found: %o', async (token) => {
  await expect(requireManaged(store, token, NOW_MS)).rejects.toEqual(failure('management_token_not_found'))
})

test('a gallery is renamed, an image is not', async () => {
  const token = await gallery()
  await renameManagedGallery(store, await requireManagedGallery(store, token, NOW_MS), 'ours')
  expect(await rows('SELECT name FROM galleries')).toEqual([{ name: 'ours' }])
  const { token: imageToken } = await standalone()
  await expect(requireManagedGallery(store, imageToken, NOW_MS)).rejects.toEqual(failure('operation_not_allowed'))
})

test('a rename that loses against a delete finds the content deleted', async () => {
  const token = await gallery()
  const managed = await requireManagedGallery(store, token, NOW_MS)
  await deleteManaged(store, token, NOW_MS)
  await expect(renameManagedGallery(store, managed, 'late')).rejects.toEqual(failure('content_deleted'))
  expect(await rows('SELECT name FROM galleries')).toEqual([{ name: '' }])
})
