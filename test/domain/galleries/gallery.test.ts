import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, test } from 'vitest'
import { deleteManaged, requireManagedGallery } from '../../../src/domain/content/management.ts'
import { admitToGallery, createGallery, finalizeGallery } from '../../../src/domain/galleries/gallery.ts'
import { receiveImage } from '../../../src/domain/uploads/upload.ts'
import { GALLERY_MAX_IMAGES } from '../../../src/limits.ts'
import { madeGallery, shownImages, uploadOf } from '../made-content.ts'
import { emptyStore, PIXEL_GIF, rows, store } from '../store.ts'

const NOW_MS = Date.UTC(2026, 10, 21)
const failure = (code: string) => expect.objectContaining({ name: 'Failure', code })

beforeEach(emptyStore)

async function newAccess() {
  const { hash, uploadToken } = await createGallery(store, { name: 'x', wantsManagementToken: false }, NOW_MS)
  return { hash, uploadToken }
}

test('a transition that fails is not finalizable (D15)', async () => {
  const access = await newAccess()
  await env.DB.exec('CREATE TRIGGER stuck BEFORE UPDATE ON galleries BEGIN SELECT RAISE(IGNORE); END')
  const finalizing = finalizeGallery(store, access, NOW_MS)
  await expect(finalizing).rejects.toEqual(failure('gallery_not_finalizable'))
  await env.DB.exec('DROP TRIGGER stuck')
})

test('finalizing an empty gallery removes it, and its hash is then unknown (D15)', async () => {
  const access = await newAccess()
  await finalizeGallery(store, access, NOW_MS)
  expect(await rows('SELECT finalized_at, deleted_at FROM galleries')).toEqual([
    { finalized_at: null, deleted_at: NOW_MS },
  ])
  await expect(finalizeGallery(store, access, NOW_MS)).rejects.toEqual(failure('gallery_not_found'))
})

test('a wrong token is rejected before anything else about the gallery is revealed', async () => {
  const { hash } = await newAccess()
  await expect(finalizeGallery(store, { hash, uploadToken: 'x' }, NOW_MS)).rejects.toEqual(
    failure('upload_token_incorrect'),
  )
})

describe('by its management token, a gallery admits images', () => {
  const managed = async (token: string) => {
    const gallery = await requireManagedGallery(store, token, NOW_MS)
    return { hash: gallery.hash, managed: gallery }
  }
  const namesOf = async (hash: string) => (await shownImages(store, hash))?.map(({ id }) => id)

  test('before and after it is finalized, and shows them last', async () => {
    const { hash, access, token, image } = await madeGallery({ finalized: false })
    const early = await uploadOf(store, await managed(token))
    await finalizeGallery(store, access, NOW_MS)
    const late = await uploadOf(store, await managed(token))
    expect(late.managementToken).toBeUndefined()
    expect(await namesOf(hash)).toEqual([image.image.id, early.image.id, late.image.id])
    await expect(uploadOf(store, access)).rejects.toEqual(failure('gallery_already_finalized'))
  })

  test('after the day of its upload token', async () => {
    const { token, access } = await madeGallery()
    await env.DB.exec('UPDATE galleries SET created_at = 0')
    await uploadOf(store, await managed(token))
    await expect(admitToGallery(store, access, NOW_MS)).rejects.toEqual(failure('upload_token_incorrect'))
  })

  test('but none after it is deleted, even if the upload was admitted before', async () => {
    const { token } = await madeGallery()
    const entry = await managed(token)
    await deleteManaged(store, token, NOW_MS)
    await expect(uploadOf(store, entry)).rejects.toEqual(failure('content_deleted'))
    await expect(managed(token)).rejects.toEqual(failure('content_deleted'))
    expect(await rows('SELECT count(*) AS n FROM images')).toEqual([{ n: 1 }])
  })

  test('up to the maximum', async () => {
    const { token } = await madeGallery()
    const entry = await managed(token)
    await env.DB.exec(`UPDATE galleries SET image_count = ${GALLERY_MAX_IMAGES}`)
    // Admitted when there was room, and refused when it is recorded.
    await expect(uploadOf(store, entry)).rejects.toEqual(failure('gallery_full'))
    await expect(uploadOf(store, await managed(token))).rejects.toEqual(failure('gallery_full'))
  })
})

test('positions order the images of a gallery, and captions and alternative texts are stored', async () => {
  const access = await newAccess()
  let sequenceNumber = 128 * NOW_MS
  const upload = (options: { position?: number; caption?: string; alt?: string }, gallery = true) =>
    receiveImage(
      store,
      {
        file: { filename: 'a.gif', bytes: PIXEL_GIF.slice() },
        nsfw: false,
        optimizeForWeb: false,
        gallery: gallery ? access : undefined,
        wantsManagementToken: false,
        maxThumbnailSizePx: 200,
        ...options,
      },
      { sequenceNumber: sequenceNumber++, nowMs: NOW_MS, clock: () => NOW_MS, logProblem: () => undefined },
    )
  await upload({ caption: 'none' })
  await upload({ position: 2, caption: 'two', alt: 'The second' })
  await upload({ position: 1, caption: 'one' })
  const standalone = await upload({ position: 1, caption: 'alone' }, false)
  expect(standalone.image).toMatchObject({ caption: 'alone', alt: null, sortAnchor: null })
  await finalizeGallery(store, access, NOW_MS)
  const shown = await shownImages(store, access.hash)
  expect(shown?.map(({ caption, alt }) => [caption, alt])).toEqual([
    ['one', null],
    ['two', 'The second'],
    ['none', null],
  ])
})
