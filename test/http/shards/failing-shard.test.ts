import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { shardOfImage } from '../../../src/domain/image-id.ts'
import { shardOfGallery } from '../../../src/domain/token.ts'
import { SHARD_BREAKER_MS } from '../../../src/limits.ts'
import { bindShards, emptyStore, PIXEL_GIF } from '../../domain/store.ts'
import { type Outage, openShards, prepareIsolate, type Reply, type Sent, type Shards } from './outage.ts'

const COUNT = 3
const OUTAGES = ['throws', 'hangs'] satisfies Outage[]
const SHARDS = [0, 1, 2]

let shards: Shards

beforeAll(async () => {
  prepareIsolate()
  shards = await openShards(COUNT)
  await emptyStore()
})
afterAll(async () => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  await bindShards(1)
})

interface Gallery {
  hash: string
  uploadToken: string
}

/** A request that stores something. */
type Upload = () => [path: string, sent: Sent]

function imageForm(fields: readonly string[], gallery?: Gallery, key?: string): Sent {
  const body = new FormData()
  for (const field of fields) body.set(field, new File([PIXEL_GIF], 'a.gif'))
  body.set('content_type', '0')
  if (gallery) {
    body.set('gallery_hash', gallery.hash)
    body.set('gallery_upload_hash', gallery.uploadToken)
  } else body.set('include_manage_url', '1')
  return { method: 'POST', body, headers: key === undefined ? {} : { 'Idempotency-Key': key } }
}

const UPLOADS: Record<string, Upload> = {
  image: () => ['/images', imageForm(['img'])],
  cover: () => ['/covers', imageForm(['img_left'])],
  gallery: () => ['/galleries', { method: 'POST' }],
  'image with a key': () => ['/images', imageForm(['img'], undefined, crypto.randomUUID())],
  'gallery with a key': () => ['/galleries', { method: 'POST', headers: { 'Idempotency-Key': crypto.randomUUID() } }],
}

/** The shard on which a response says that something was stored. */
function shardOf({ text }: Reply): number {
  const { show_url: url, gallery_hash: hash } = JSON.parse(text)
  return hash ? shardOfGallery(hash) : shardOfImage(Number(/\/(\d+)_a\.gif$/.exec(url)?.[1]))
}

async function uploads(kinds: Record<string, Upload>, times: number): Promise<[kind: string, Reply][]> {
  const sent: Promise<[string, Reply]>[] = []
  for (const [kind, upload] of Object.entries(kinds)) {
    for (let time = 0; time < times; time++) sent.push(shards.ask(...upload()).then((reply) => [kind, reply]))
  }
  return Promise.all(sent)
}

describe.each(OUTAGES)('a shard that %s', (outage) => {
  describe.each(SHARDS)('shard %i', (failing) => {
    beforeAll(() => shards.pass())
    afterAll(() => shards.fail(undefined))

    test('new content goes to the others', async () => {
      shards.fail(failing, outage)
      // Shard 0 has the blocks and the keys: without it only galleries are sure to be new.
      const { gallery } = UPLOADS
      const kinds = failing === 0 && gallery ? { gallery } : UPLOADS
      for (const [kind, reply] of await uploads(kinds, COUNT)) {
        expect([kind, reply.status, reply.text]).toEqual([kind, 200, reply.text])
        expect(shardOf(reply)).not.toBe(failing)
      }
      expect(shards.struck()).toBeGreaterThan(0)
    })

    test('it is left alone for a while, and asked once after that', async () => {
      shards.fail(failing, outage)
      const { gallery } = UPLOADS
      const kinds: Record<string, Upload> = gallery ? { gallery } : {}
      await uploads(kinds, COUNT)
      shards.fail(failing, outage)
      expect((await uploads(kinds, 2 * COUNT)).map(([, { status }]) => status)).toEqual(Array(2 * COUNT).fill(200))
      expect(shards.struck()).toBe(0)
      shards.pass(SHARD_BREAKER_MS)
      await uploads(kinds, 2 * COUNT)
      // The probe is one insert, and one look whether the reply alone was lost.
      expect(shards.struck()).toBe(2)
      shards.fail(undefined)
      shards.pass(SHARD_BREAKER_MS)
      const after = await uploads(kinds, 3 * COUNT)
      expect(new Set(after.map(([, reply]) => shardOf(reply)))).toEqual(new Set(SHARDS))
    })
  })
})
