import { beforeEach, describe, expect, test } from 'vitest'
import { createManagementToken, createNonce, guestTokenOf, shardOfManagement } from '../../../src/domain/ids/token.ts'
import { deleteGallery, insertGallery } from '../../../src/storage/content/galleries.ts'
import { closeGuestLink, findGuestLink, type GuestUse, putGuestLink } from '../../../src/storage/content/guests.ts'
import { NO_PREVIEW } from '../../../src/storage/content/images.ts'
import { insertImage, reserveImageId } from '../../../src/storage/content/upload-records.ts'
import type { Image } from '../../../src/storage/schema.ts'
import { emptyStore, rows, shard } from '../../domain/store.ts'

const GALLERY = 1
const NOW_MS = 1_000_000
const LINK = {
  galleryId: GALLERY,
  digest: 'digest',
  nonce: 'nonce',
  createdAt: NOW_MS,
  expiresAt: null,
  maxImages: null,
}

beforeEach(async () => {
  await emptyStore()
  const gallery = {
    hash: 'hash',
    name: '',
    uploadTokenDigest: '',
    createdAt: 0,
    removedIfUnfinished: false,
    expiresAt: null,
  }
  await insertGallery(shard, gallery, undefined, undefined)
})

function imageWith(id: number): Image {
  return {
    id,
    name: 'a.gif',
    mediaType: 'image/gif',
    bytes: 1,
    width: 1,
    height: 1,
    thumbnailBytes: 1,
    thumbnailWidth: 1,
    thumbnailHeight: 1,
    nsfw: false,
    galleryId: GALLERY,
    deletedAt: null,
    deletedBy: null,
    sentDigest: null,
    pathDigest: null,
    crc32: null,
    hiddenAt: null,
    thumbnailCrc32: null,
    ...NO_PREVIEW,
    displayName: null,
    animated: false,
    expiresAt: null,
    caption: null,
    alt: null,
    sortAnchor: null,
    sortRank: null,
  }
}

async function add(id: number, use: GuestUse = { digest: LINK.digest, nowMs: NOW_MS }): Promise<boolean> {
  await reserveImageId(shard, id, 'a.gif', 0)
  return insertImage(shard, imageWith(id), undefined, undefined, NOW_MS, { kind: 'guest', ...use })
}

const countOf = async () => (await findGuestLink(shard, LINK.digest))?.link.imageCount

describe('the count of a link', () => {
  test('is exact when guests add at once', async () => {
    await putGuestLink(shard, { ...LINK, maxImages: 2 }, undefined)
    const added = await Promise.all([1, 2, 3, 4, 5].map((id) => add(id)))
    expect(added.filter((isAdded) => isAdded)).toHaveLength(2)
    expect(await countOf()).toBe(2)
    expect(await rows('SELECT count(*) AS images FROM images')).toEqual([{ images: 2 }])
  })

  test('counts an image once that is recorded twice', async () => {
    await putGuestLink(shard, LINK, undefined)
    await add(1)
    const guest = { kind: 'guest', digest: LINK.digest, nowMs: NOW_MS } as const
    await Promise.all(
      [1, 2].map(() => insertImage(shard, imageWith(1), undefined, undefined, NOW_MS, guest).catch(() => false)),
    )
    expect(await countOf()).toBe(1)
  })

  test('does not count an image whose files the sweep has claimed', async () => {
    await putGuestLink(shard, LINK, undefined)
    await reserveImageId(shard, 1, 'a.gif', 0)
    await shard.db.run('UPDATE file_cleanup SET claimed = 1')
    expect(await add(1)).toBe(false)
    expect(await countOf()).toBe(0)
  })
})

describe('nothing is recorded', () => {
  test.for<[when: string, end: () => Promise<unknown>]>([
    ['after the link is closed', () => closeGuestLink(shard, LINK.digest, NOW_MS)],
    ['after another link has replaced it', () => putGuestLink(shard, { ...LINK, digest: 'another' }, LINK.digest)],
    ['after the gallery is deleted', () => deleteGallery(shard, GALLERY, { nowMs: NOW_MS, operationId: 'operation' })],
  ])('%s', async ([, end]) => {
    await putGuestLink(shard, LINK, undefined)
    expect(await add(1)).toBe(true)
    await end()
    expect(await add(2)).toBe(false)
    expect(await rows('SELECT id FROM images')).toEqual([{ id: 1 }])
  })

  test('from the time on when the link expires', async () => {
    await putGuestLink(shard, { ...LINK, expiresAt: NOW_MS }, undefined)
    expect(await add(1, { digest: LINK.digest, nowMs: NOW_MS - 1 })).toBe(true)
    expect(await add(2)).toBe(false)
  })
})

test('nothing is left of the link of a deleted gallery', async () => {
  await putGuestLink(shard, LINK, undefined)
  await deleteGallery(shard, GALLERY, { nowMs: NOW_MS, operationId: 'operation' })
  expect(await rows('SELECT * FROM guest_links')).toEqual([])
  expect(await putGuestLink(shard, LINK, undefined)).toBe(false)
})

test('a link that another one has replaced meanwhile is not stored, and its close closes no other', async () => {
  await putGuestLink(shard, LINK, undefined)
  const second = { ...LINK, digest: 'second' }
  expect(await putGuestLink(shard, second, LINK.digest)).toBe(true)
  expect(await putGuestLink(shard, { ...LINK, digest: 'late' }, LINK.digest)).toBe(false)
  expect(await putGuestLink(shard, { ...LINK, digest: 'late' }, undefined)).toBe(false)
  await closeGuestLink(shard, LINK.digest, NOW_MS)
  expect((await findGuestLink(shard, second.digest))?.link.closedAt).toBeNull()
})

test('a new link counts from 0', async () => {
  await putGuestLink(shard, LINK, undefined)
  await add(1)
  await closeGuestLink(shard, LINK.digest, NOW_MS)
  expect(await putGuestLink(shard, { ...LINK, nonce: 'other' }, LINK.digest)).toBe(true)
  expect((await findGuestLink(shard, LINK.digest))?.link).toMatchObject({
    imageCount: 0,
    closedAt: null,
    nonce: 'other',
  })
})

test.for([0, 1, 31])('a guest token is derived from the management token, and names the shard %i', async (number) => {
  const token = createManagementToken(number)
  const nonce = createNonce()
  const guest = await guestTokenOf(token, nonce)
  expect(guest).toMatch(/^[A-Za-z0-9_-]{43}$/)
  expect(guest).not.toBe(token)
  expect(shardOfManagement(guest)).toBe(number)
  expect(await guestTokenOf(token, nonce)).toBe(guest)
  expect(await guestTokenOf(token, createNonce())).not.toBe(guest)
  expect(await guestTokenOf(createManagementToken(number), nonce)).not.toBe(guest)
})
