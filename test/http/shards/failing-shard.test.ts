import { env } from 'cloudflare:workers'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { shardOfImage } from '../../../src/domain/ids/image-id.ts'
import { shardOfGallery } from '../../../src/domain/ids/token.ts'
import { SHARD_BREAKER_MS } from '../../../src/limits.ts'
import { bindShards, emptyStore, PIXEL_GIF } from '../../domain/store.ts'
import { type Outage, openShards, prepareIsolate, type Reply, type Sent, type Shards } from './outage.ts'

/** Numbers of shards. `npm test` runs the larger one alone. */
const COUNTS = env.TEST_SETTINGS.THOROUGH === undefined ? [3] : [2, 3]
const OUTAGES = ['throws', 'hangs'] satisfies Outage[]

let shards: Shards
/** The content of each shard before one failed. */
let contents: Content[]

beforeAll(prepareIsolate)
afterAll(async () => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  await bindShards(1)
})

interface Gallery {
  hash: string
  uploadToken: string
}

/** The content of one shard: an open gallery, a public one with an image, and a standalone image. */
interface Content {
  open: Gallery
  public: Gallery
  hidden: Gallery
  inside: string
  image: string
  token: string
}

async function madeOn(shard: number): Promise<Content> {
  const made = async (path: string, sent: Sent) => JSON.parse((await shards.ask(path, { ...sent, on: shard })).text)
  const gallery = async (): Promise<Gallery> => {
    const { gallery_hash: hash, gallery_upload_hash: uploadToken } = await made('/galleries', { method: 'POST' })
    return { hash, uploadToken }
  }
  const [open, finalized, hidden] = [await gallery(), await gallery(), await gallery()]
  const { show_url: inside } = await made('/images', imageForm(['img'], finalized))
  const body = new URLSearchParams({ gallery_upload_hash: finalized.uploadToken })
  await shards.ask(`/galleries/${finalized.hash}/finalize`, { method: 'POST', body })
  const { show_url: image, manage_url: manage } = await made('/images', imageForm(['img']))
  await shards.ask('/report', {
    method: 'POST',
    body: new URLSearchParams({ url: image, reason: 'illegal', details: '' }),
  })
  const url = `https://d.example/gallery/${hidden.hash}`
  await asOperator('/operator/hide', { method: 'POST', body: JSON.stringify({ url }) })
  return { open, public: finalized, hidden, inside, image, token: manage.split('/').at(-1) }
}

const asOperator = (path: string, sent: Sent = {}) => shards.ask(path, { ...sent, isOperator: true })
const urlsIn = (list: { url: string }[]) => list.map(({ url }) => url).toSorted()

const statusOf = (urls: readonly string[]) =>
  shards.ask('/images/status', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ urls }),
  })

/** A request that stores content. */
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

/** Returns the shard of the content in a response. */
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

describe.each(COUNTS)('of %i shards', (count) => {
  const numbers = Array.from({ length: count }, (_, shard) => shard)

  beforeAll(async () => {
    shards = await openShards(count)
    await emptyStore()
    contents = await Promise.all(numbers.map(madeOn))
  })

  describe.each(OUTAGES)('one that %s', (outage) => {
    describe.each(numbers)('shard %i', (failing) => {
      beforeAll(() => shards.pass())
      afterEach(() => shards.fail(undefined))

      test('new content is stored on the others', async () => {
        shards.fail(failing, outage)
        // Shard 0 has the blocks and the keys. Without it, only galleries are certain to be new.
        const { gallery } = UPLOADS
        const kinds = failing === 0 && gallery ? { gallery } : UPLOADS
        for (const [kind, reply] of await uploads(kinds, count)) {
          expect([kind, reply.status, reply.text]).toEqual([kind, 200, reply.text])
          expect(shardOf(reply)).not.toBe(failing)
        }
        expect(shards.struck()).toBeGreaterThan(0)
      })

      test('a batch of statuses is 503 if it includes an image there, and no query for the others goes there', async () => {
        shards.fail(failing, outage)
        const there = contents[failing]?.image ?? ''
        const elsewhere = contents
          .filter((_, shard) => shard !== failing)
          .flatMap(({ image, inside }) => [image, inside])
        const known = await statusOf([...elsewhere, 'https://d.example/none'])
        expect([known.status, JSON.parse(known.text).results.map(({ status }: { status: string }) => status)]).toEqual([
          200,
          [...elsewhere.map(() => 'available'), 'invalid'],
        ])
        expect(shards.struck()).toBe(0)
        const { status, headers } = await statusOf([...elsewhere, there])
        expect([status, headers.get('Retry-After')]).toEqual([503, '5'])
        shards.fail(undefined)
        expect((await statusOf([...elsewhere, there])).status).toBe(200)
      })

      test('an image for a gallery there is 503 with Retry-After, and for the others is stored', async () => {
        shards.fail(failing, outage)
        for (const [shard, { open }] of contents.entries()) {
          const { status, headers } = await shards.ask('/images', imageForm(['img'], open))
          const isServed = failing !== 0 && shard !== failing
          expect([shard, status, headers.get('Retry-After')]).toEqual([
            shard,
            isServed ? 200 : 503,
            isServed ? null : '5',
          ])
        }
      })

      test('lists, health and metrics contain the others, and name it', async () => {
        shards.fail(failing, outage)
        const missing = (text: string) => JSON.parse(text).unavailable_shards
        const { text: reports } = await asOperator('/operator/reports')
        const urls = contents.filter((_, shard) => shard !== failing).map(({ image }) => image)
        expect([missing(reports), urlsIn(JSON.parse(reports).reported)]).toEqual([[failing], urls.toSorted()])
        const { text: hidden } = await asOperator('/operator/hidden')
        const galleries = contents.filter((_, shard) => shard !== failing).map(({ hidden: { hash } }) => hash)
        expect([missing(hidden), urlsIn(JSON.parse(hidden).hidden)]).toEqual([
          [failing],
          galleries.map((hash) => `https://d.example/gallery/${hash}`).toSorted(),
        ])

        shards.pass()
        const health = await shards.ask('/healthz')
        const works = (shard: number) => (shard === failing ? 'failing' : 'ok')
        expect([health.status, JSON.parse(health.text)]).toMatchObject([
          503,
          {
            checks: { database: 'failing', files: 'ok' },
            shards: Object.fromEntries(numbers.map((n) => [n, works(n)])),
          },
        ])
        const metrics = await asOperator('/operator/metrics')
        for (const shard of numbers) {
          const has = (metric: string) => metrics.text.includes(`\n${metric}`)
          expect(has(`tintype_shard_works{shard="${shard}"} ${shard === failing ? 0 : 1}`)).toBe(true)
          expect(has(`tintype_reports_open{shard="${shard}"} 1`)).toBe(shard !== failing)
          expect(has(`tintype_backlog{kind="files",shard="${shard}"} `)).toBe(shard !== failing)
        }
        shards.fail(undefined)
        expect(missing((await asOperator('/operator/reports')).text)).toEqual([])
        shards.pass()
        expect((await shards.ask('/healthz')).status).toBe(200)
      })

      test('reconciling continues with the others, and reports no file there as an orphan', async () => {
        const reconciled = async () => {
          const found = { records: 0, findings: 0, unavailable: new Set<number>() }
          for (let after: string | null = 'files:'; after !== null; ) {
            const body = JSON.stringify({ after })
            const { text } = await asOperator('/operator/reconcile', { method: 'POST', body })
            const { records, findings, unavailable_shards: unavailable, next } = JSON.parse(text)
            found.records += records
            found.findings += findings.length
            for (const shard of unavailable) found.unavailable.add(shard)
            after = next
          }
          return found
        }
        const all = await reconciled()
        expect([all.findings, [...all.unavailable]]).toEqual([0, []])
        shards.fail(failing, outage)
        const others = await reconciled()
        expect([others.findings, [...others.unavailable]]).toEqual([0, [failing]])
        expect(others.records).toBeGreaterThan(0)
        expect(others.records).toBeLessThan(all.records)
      })

      test('content elsewhere can be hidden, shown and removed, and the audit has it', async () => {
        const made = await Promise.all(
          numbers.map(async (shard) => (await shards.ask('/images', { ...imageForm(['img']), on: shard })).text),
        )
        const urls: string[] = made.map((text) => JSON.parse(text).show_url)
        shards.fail(failing, outage)
        const decide = (action: string, url = '') =>
          asOperator(`/operator/${action}`, { method: 'POST', body: JSON.stringify({ url }) })
        for (const action of ['hide', 'unhide', 'dismiss', 'remove']) {
          for (const shard of numbers) {
            const { status } = await decide(action, urls[shard])
            expect([action, shard, status]).toEqual([action, shard, shard === failing ? 503 : 200])
          }
        }
        const audited = async () => JSON.parse((await asOperator('/operator/audit')).text)
        const partial = await audited()
        expect(partial.unavailable_shards).toEqual([failing])
        for (const [shard, url] of urls.entries()) {
          // The name of a removed image is forgotten, but not its number.
          const id = /\/(\d+)_a\.gif$/.exec(url)?.[1] ?? 'none'
          const actions = partial.decisions.filter((one: { url: string }) => one.url.includes(`/${id}`))
          expect([shard, actions.length]).toEqual([shard, shard === failing ? 0 : 4])
        }
        shards.fail(undefined)
        const whole = await audited()
        expect([whole.unavailable_shards, whole.next]).toEqual([[], null])
        const times = whole.decisions.map((one: { decided_at: string }) => one.decided_at)
        expect(times).toEqual(times.toSorted().toReversed())
      })

      test('it gets no calls for a while, and one after that', async () => {
        shards.fail(failing, outage)
        const { gallery } = UPLOADS
        const kinds: Record<string, Upload> = gallery ? { gallery } : {}
        await uploads(kinds, count)
        shards.fail(failing, outage)
        expect((await uploads(kinds, 2 * count)).map(([, { status }]) => status)).toEqual(Array(2 * count).fill(200))
        expect(shards.struck()).toBe(0)
        shards.pass(SHARD_BREAKER_MS)
        await uploads(kinds, 2 * count)
        // The probe is one insert, and one query whether only its reply was lost.
        expect(shards.struck()).toBe(2)
        shards.fail(undefined)
        shards.pass(SHARD_BREAKER_MS)
        const after = await uploads(kinds, 3 * count)
        expect(new Set(after.map(([, reply]) => shardOf(reply)))).toEqual(new Set(numbers))
      })
    })
  })
})
