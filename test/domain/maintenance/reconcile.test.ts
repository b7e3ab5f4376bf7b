import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, test } from 'vitest'
import { deleteManaged } from '../../../src/domain/content/management.ts'
import { imagePath } from '../../../src/domain/ids/links.ts'
import {
  type Finding,
  type ReconciledBatch,
  reconcile,
  type WantedBatch,
} from '../../../src/domain/maintenance/reconcile.ts'
import { RECONCILE_MIN_AGE_MS } from '../../../src/limits.ts'
import { reserveImageId } from '../../../src/storage/content/upload-records.ts'
import { openStore, type Store } from '../../../src/storage/store.ts'
import { faultyBindings } from '../../support/faulty-bindings.ts'
import { madeGallery, madeImage, NOW_MS, uploadOf } from '../made-content.ts'
import { emptyStore, rows, shard, store, storedKeys } from '../store.ts'

/**
 * Files are as old as the test, and the ids of `made-content.ts` as NOW_MS. This is later than either by long enough.
 */
const LATER_MS = Math.max(Date.now(), NOW_MS) + RECONCILE_MIN_AGE_MS + 60_000

beforeEach(emptyStore)

const COUNTS = ['files', 'records', 'due', 'tooYoung', 'verified', 'unverifiable', 'bytes'] as const
const NOTHING: ReconciledBatch = {
  ...{ files: 0, records: 0, due: 0, tooYoung: 0, verified: 0, unverifiable: 0, bytes: 0 },
  ...{ findings: [], unavailable: [], next: undefined },
}

/** Returns the sum of all batches. */
async function reconcileAll(wanted: WantedBatch = {}, nowMs = LATER_MS, of: Store = store): Promise<ReconciledBatch> {
  const sum: ReconciledBatch = { ...NOTHING, findings: [] }
  let batches = 0
  do {
    const batch = await reconcile(of, { ...wanted, after: sum.next }, nowMs)
    for (const count of COUNTS) sum[count] += batch[count]
    sum.findings.push(...batch.findings)
    sum.next = batch.next
    expect(++batches).toBeLessThan(100)
  } while (sum.next !== undefined)
  return sum
}

const told = (findings: readonly Finding[]) => findings.map(({ kind, key }) => `${kind} ${key}`).toSorted()

/** Creates orphaned files of an image whose record was lost. */
async function orphaned(): Promise<string[]> {
  const { image } = await madeImage()
  await env.DB.exec(`DELETE FROM management_tokens WHERE image_id = ${image.id}`)
  await env.DB.exec(`DELETE FROM images WHERE id = ${image.id}`)
  return [`images/${imagePath(image)}`, `thumbs/${imagePath(image)}`]
}

test('a consistent storage has no findings, whatever state its images are in', async () => {
  await madeImage()
  await madeGallery()
  await madeGallery({ finalized: false })
  await deleteManaged(store, (await madeImage()).token, NOW_MS)
  await deleteManaged(store, (await madeGallery()).token, NOW_MS)
  expect(await reconcileAll({ remove: true })).toEqual({
    ...NOTHING,
    files: 10,
    records: 5,
    due: 4,
  })
  expect(await storedKeys()).toHaveLength(10)
})

test('an unfinished upload has an intent, and its files are left to the sweep', async () => {
  const [orphans, underWay] = [await orphaned(), await orphaned()]
  const [, id, name = ''] = /\/(\d+)_(.*)/.exec(underWay[0] ?? '') ?? []
  await reserveImageId(shard, Number(id), name, NOW_MS)
  const { due, findings } = await reconcileAll({ remove: true })
  expect([due, told(findings)]).toEqual([2, orphans.map((key) => `orphan ${key}`)])
  expect(await storedKeys()).toEqual(underWay)
})

test.each([
  ['a file without a record', () => orphaned()],
  [
    'one under another name than its record has',
    async () => {
      const { image } = await madeImage()
      const key = `images/${imagePath({ id: image.id, name: 'other.gif' })}`
      await env.FILES.put(key, 'x')
      return [key]
    },
  ],
  [
    'one of a deleted image that is swept',
    async () => {
      const { image, token } = await madeImage()
      await deleteManaged(store, token, NOW_MS)
      await env.DB.exec('DELETE FROM file_cleanup')
      return [`images/${imagePath(image)}`, `thumbs/${imagePath(image)}`]
    },
  ],
  [
    'one of a deleted gallery that is swept',
    async () => {
      const { image, token } = await madeGallery()
      await deleteManaged(store, token, NOW_MS)
      await env.DB.exec(`UPDATE gallery_cleanup SET after_image_id = ${image.image.id}`)
      return [`images/${imagePath(image.image)}`, `thumbs/${imagePath(image.image)}`]
    },
  ],
])('%s is an orphan: reported, and removed on request only', async (_, make) => {
  await madeImage()
  const stored = await storedKeys()
  const orphans = await make()
  const before = await storedKeys()
  const { findings } = await reconcileAll()
  expect(told(findings)).toEqual(orphans.map((key) => `orphan ${key}`))
  expect(findings[0]).toMatchObject({ isRemoved: false, bytes: expect.any(Number), storedAtMs: expect.any(Number) })
  expect(await storedKeys()).toEqual(before)
  expect((await reconcileAll({ remove: true })).findings).toHaveLength(orphans.length)
  expect(await storedKeys()).toEqual(before.filter((key) => !orphans.includes(key)))
  expect(await storedKeys()).toEqual(expect.arrayContaining(stored))
  expect((await reconcileAll({ remove: true })).findings).toEqual([])
})

test('files younger than the maximum duration of an upload are ignored', async () => {
  const keys = await orphaned()
  // The younger one decides: the file, or the id.
  const ages = (await env.FILES.list()).objects.map(({ uploaded }) => Math.max(uploaded.getTime(), NOW_MS))
  const judgedAt = (nowMs: number) => reconcileAll({ remove: true }, nowMs)
  expect(await judgedAt(Math.min(...ages) + RECONCILE_MIN_AGE_MS - 1)).toMatchObject({ tooYoung: 2, findings: [] })
  expect(await storedKeys()).toEqual(keys)
  expect(await judgedAt(Math.max(...ages) + RECONCILE_MIN_AGE_MS)).toMatchObject({ tooYoung: 0 })
  expect(await storedKeys()).toEqual([])
})

test('files of others are listed and never removed', async () => {
  const foreign = ['backup.tar', 'images/1/x.gif', 'images/01/1_a.gif', 'other/0/1_a.gif', 'thumbs']
  for (const key of foreign) await env.FILES.put(key, 'x')
  const { findings } = await reconcileAll({ remove: true })
  expect(told(findings)).toEqual(foreign.map((key) => `unrecognized ${key}`).toSorted())
  expect(await storedKeys()).toEqual(foreign.toSorted())
})

test('records without files are listed and stay: of one in a directory, and of one among many', async () => {
  const alone = await uploadAt(NOW_MS - 86_400_000)
  const many = [await madeImage(), await madeImage(), await madeImage(), await madeImage()].map(({ image }) => image)
  const [, second, , fourth] = many
  if (!second || !fourth) return expect.unreachable()
  const deleted = [`images/${imagePath(alone)}`, `thumbs/${imagePath(second)}`, `images/${imagePath(fourth)}`]
  await env.FILES.delete(deleted)
  expect(told((await reconcileAll({ remove: true })).findings)).toEqual(
    deleted.map((key) => `missing ${key}`).toSorted(),
  )
  expect(await rows('SELECT count(*) AS n FROM images WHERE deleted_at IS NULL')).toEqual([{ n: 5 }])
})

test('every batch is bounded, and all together find the same as one', async () => {
  const ids = [9, 10, 99, 100, 101, 999, 1000].map(String)
  for (const id of ids) await env.FILES.put(`images/0/${id}_a.gif`, 'x')
  for (let i = 0; i < 3; i++) await madeGallery()
  const lost = await madeImage()
  await env.FILES.delete(`thumbs/${imagePath(lost.image)}`)
  const whole = await reconcileAll()
  expect(whole).toMatchObject({ files: 14, records: 4 })
  expect(whole.findings).toHaveLength(8)
  for (const limit of [1, 2, 3, 5]) expect({ limit, ...(await reconcileAll({ limit })) }).toEqual({ limit, ...whole })
  const { files, next } = await reconcile(store, { limit: 3 }, LATER_MS)
  expect([files, next]).toEqual([3, 'files:images/0/101_a.gif'])
  const removed = await reconcileAll({ remove: true, limit: 2 })
  expect(removed.findings).toHaveLength(8)
  expect((await reconcileAll()).findings).toHaveLength(1)
})

test('content that is deleted during the comparison is not reported', async () => {
  const [image, other] = [await madeImage(), await madeImage()]
  await env.FILES.delete(`images/${imagePath(other.image)}`)
  // After the list, the image is deleted and swept. After the check of the files, the other one is.
  const racing = racingStore({
    'R2.list': () => sweepAway(image.token, image.image.id),
    'R2.head': () => sweepAway(other.token, other.image.id),
  })
  expect((await reconcileAll({ remove: true }, LATER_MS, racing)).findings).toEqual([])
})

test.each(['', 'records:', 'records:x', 'records:-1', 'nonsense'])('%j is no cursor', async (after) => {
  await expect(reconcile(store, { after }, NOW_MS)).rejects.toMatchObject({ code: 'invalid_option' })
})

/** Uploads an image that arrived at this time. */
async function uploadAt(nowMs: number) {
  const { image } = await uploadOf(store)
  const moved = { ...image, id: image.id - (NOW_MS - nowMs) * 4096 }
  await env.DB.exec('DELETE FROM management_tokens')
  await env.DB.exec(`UPDATE images SET id = ${moved.id} WHERE id = ${image.id}`)
  for (const kind of ['images', 'thumbs']) {
    await env.FILES.put(`${kind}/${imagePath(moved)}`, 'x')
    await env.FILES.delete(`${kind}/${imagePath(image)}`)
  }
  return moved
}

/** Deletes an image as its owner does, and removes its files as the sweep does. */
async function sweepAway(token: string, id: number): Promise<void> {
  await deleteManaged(store, token, NOW_MS)
  await env.DB.exec(`DELETE FROM file_cleanup WHERE image_id = ${id}`)
  await env.FILES.delete((await storedKeys()).filter((key) => key.includes(`/${id}_`)))
}

/** Returns the store, with events after the first call of a name. */
function racingStore(happenings: Record<string, () => Promise<void>>): Store {
  const real = faultyBindings(env)
  const FILES = new Proxy(real.FILES, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name)
      if (typeof member !== 'function') return member
      return async (...args: unknown[]) => {
        const result = await Reflect.apply(member, target, args)
        const happening = happenings[`R2.${String(name)}`]
        delete happenings[`R2.${String(name)}`]
        await happening?.()
        return result
      }
    },
  })
  return openStore({ DB: real.DB, FILES })
}

describe('verified', () => {
  /** Replaces the bytes of a file. */
  const replace = async (key: string, change: (bytes: Uint8Array) => Uint8Array) => {
    const object = await env.FILES.get(key)
    await env.FILES.put(key, change(new Uint8Array((await object?.arrayBuffer()) ?? [])))
  }
  const flipped = (bytes: Uint8Array) => bytes.map((byte, at) => (at === bytes.length - 1 ? byte ^ 1 : byte))
  const keysOf = ({ image }: Awaited<ReturnType<typeof madeImage>>) =>
    [`images/${imagePath(image)}`, `thumbs/${imagePath(image)}`] as const
  const damages = (findings: readonly Finding[]) =>
    findings.map((finding) =>
      finding.kind === 'damaged' ? [finding.key, finding.damage] : [finding.key, finding.kind],
    )

  test('a consistent storage has no findings, and every file is read', async () => {
    await madeImage()
    await madeGallery()
    const whole = await reconcileAll({ verify: true })
    expect(whole).toMatchObject({ files: 4, records: 2, verified: 4, unverifiable: 0, findings: [] })
    const stored = (await env.FILES.list()).objects.reduce((sum, { size }) => sum + size, 0)
    expect(whole.bytes).toBe(stored)
    for (const limit of [1, 3]) expect(await reconcileAll({ verify: true, limit })).toEqual(whole)
  })

  test('a changed bit, a changed length and a lost file are listed, in originals and thumbnails', async () => {
    const [one, two, three] = [await madeImage(), await madeImage(), await madeImage()]
    await madeImage()
    await replace(keysOf(one)[0], flipped)
    await replace(keysOf(one)[1], flipped)
    await replace(keysOf(two)[1], (bytes) => bytes.subarray(1))
    await env.FILES.delete(keysOf(three)[0])
    const { findings } = await reconcileAll({ verify: true })
    expect(damages(findings)).toEqual([
      [keysOf(one)[0], 'crc32'],
      [keysOf(one)[1], 'crc32'],
      [keysOf(two)[1], 'size'],
      [keysOf(three)[0], 'missing'],
    ])
  })

  test('a record without sums is compared with the MD5 of the store', async () => {
    await madeImage()
    await env.DB.exec('UPDATE images SET crc32 = NULL, thumbnail_crc32 = NULL')
    expect(await reconcileAll({ verify: true })).toMatchObject({ verified: 2, unverifiable: 0, findings: [] })
  })

  test('content that is deleted during the read is not reported, and a failing store proves nothing about its files', async () => {
    const image = await madeImage()
    const racing = racingStore({ 'R2.get': () => sweepAway(image.token, image.image.id) })
    expect((await reconcileAll({ verify: true }, LATER_MS, racing)).findings).toEqual([])
    await madeImage()
    const down = failingStore(['get', 'head'])
    await expect(reconcile(down, { after: 'records:0', verify: true }, LATER_MS)).rejects.toThrow('files.head failed')
    const unreadable = await reconcile(failingStore(['get']), { after: 'records:0', verify: true }, LATER_MS)
    expect(unreadable.findings.map((finding) => finding.kind === 'damaged' && finding.damage)).toEqual([
      'unreadable',
      'unreadable',
    ])
  })
})

/** Returns the store with a bucket that fails at these calls. */
function failingStore(calls: readonly string[]): Store {
  const FILES = new Proxy(env.FILES, {
    get(target, name) {
      if (calls.includes(String(name))) return () => Promise.reject(new Error('R2 broke'))
      const member: unknown = Reflect.get(target, name)
      return typeof member === 'function' ? member.bind(target) : member
    },
  })
  return openStore({ DB: env.DB, FILES })
}
