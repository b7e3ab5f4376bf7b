import { env } from 'cloudflare:workers'
import { beforeEach, expect, test } from 'vitest'
import { createGallery, finalizeGallery } from '../../src/domain/gallery.ts'
import { emptyStore, rows, store } from './store.ts'

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
