import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Api, apiAt, mayStartServices } from './support/api.ts'
import { runCommand } from './support/command.ts'
import { expectJson, expectStatuses, expectUploaded } from './support/responses.ts'
import { type Service, startService, temporaryData } from './support/service.ts'
import { createGallery, galleryWithImage, LEAST_IMAGE, statusOf, uploadImage } from './support/steps.ts'

const OPEN = [1, 3, 5, 7]
/** Earlier uploads are then older than a minute. */
const LATER_MS = 120_000

/** Data of one database continue with eight, of which the first is closed (docs/scaling.md). */
describe.skipIf(!mayStartServices())('several databases (needs services of its own)', () => {
  let data: { path: string; remove: () => Promise<void> }
  let service: Service
  let api: Api
  let old: Awaited<ReturnType<typeof oldContent>>

  const start = async (options: { shards?: number; writeShards?: string }) => {
    service = await startService({ data: data.path, clockOffsetMs: LATER_MS, ...options })
    api = apiAt(service.baseUrl)
  }

  beforeAll(async () => {
    data = await temporaryData()
    const first = await startService({ data: data.path })
    old = await oldContent(apiAt(first.baseUrl))
    await first.stop()
    await start({ shards: 8, writeShards: OPEN.join(',') })
  })

  afterAll(async () => {
    await service.stop()
    await data.remove()
  })

  test('every link, hash and token that was issued before is valid', async () => {
    const { alone, deleted, open, finalized } = old
    const urls = [alone, deleted, open.image, finalized.image].map(({ showUrl }) => showUrl)
    expect(expectStatuses(await api.status(urls))).toEqual(['available', 'deleted', 'pending', 'available'])
    for (const link of [alone.showUrl, alone.originalUrl, alone.thumbnailUrl, finalized.gallery.url]) {
      expect((await api.follow(link)).status, link).toBe(200)
    }
    const added = await uploadImage(api, open.gallery.fields)
    expect((await api.finalize(open.gallery.hash, open.gallery.uploadToken)).status).toBe(200)
    expect(await statusOf(api, added.showUrl)).toBe('available')
    expectJson(await api.rename(finalized.gallery.managementToken, 'renamed'))
    expect((await api.follow(finalized.gallery.url)).text).toContain('renamed')
    expect((await api.remove(deleted.managementToken)).status).toBe(410)
    expectJson(await api.remove(alone.managementToken))
    expect(await statusOf(api, alone.showUrl)).toBe('deleted')
    expect((await api.follow(alone.originalUrl)).status).toBe(404)
  })

  test('new content alternates between the open shards, and is served, managed and deleted there', async () => {
    const uploads = []
    for (let count = 0; count < 2 * OPEN.length; count++)
      uploads.push(await uploadImage(api, { include_manage_url: '1' }))
    const shards = uploads.map(({ showUrl }) => Number(BigInt(/\/(\d+)_/.exec(showUrl)?.[1] ?? 0) % 32n))
    expect(shards.toSorted()).toEqual([...OPEN, ...OPEN].toSorted())
    expect(expectStatuses(await api.status(uploads.map(({ showUrl }) => showUrl)))).toEqual(
      uploads.map(() => 'available'),
    )
    for (const { showUrl, originalUrl, managementToken } of uploads) {
      expect((await api.follow(originalUrl)).status).toBe(200)
      expect((await api.get(`/manage/${managementToken}`)).status).toBe(200)
      expectJson(await api.remove(managementToken))
      expect((await api.remove(managementToken)).status).toBe(410)
      expect(await statusOf(api, showUrl)).toBe('deleted')
      expect((await api.follow(originalUrl)).status).toBe(404)
    }
  })

  test('a gallery has its images on its shard, in their order', async () => {
    for (const _ of OPEN) {
      const gallery = await createGallery(api, 'holidays')
      expect(gallery.hash).toMatch(/^[A-Za-z0-9]{13}$/)
      const names = ['a', 'b', 'c']
      for (const name of names) {
        const [img] = [LEAST_IMAGE.img]
        await uploadImage(api, {
          ...gallery.fields,
          ...(typeof img === 'object' ? { img: { ...img, filename: `${name}.png` } } : {}),
        })
      }
      expect((await api.finalize(gallery.hash, gallery.uploadToken)).status).toBe(200)
      const { text } = await api.follow(gallery.url)
      expect(
        [...text.matchAll(/\/show\/\d+\/\d+_(\w)\.png"/g)]
          .map(([, name]) => name)
          .filter((name, at, all) => all.indexOf(name) === at),
      ).toEqual(names)
      expectJson(await api.remove(gallery.managementToken))
      expect((await api.follow(gallery.url)).status).toBe(404)
    }
  })

  test('a request with an Idempotency-Key is done once, on whichever shard its image is', async () => {
    for (let key = 0; key < 2 * OPEN.length; key++) {
      const headers = { 'idempotency-key': `shards-${key}` }
      const form = { ...LEAST_IMAGE, include_manage_url: '1' }
      const responses = await Promise.all([1, 2, 3].map(() => api.uploadImage(form, { headers })))
      expect(new Set(responses.map(({ text }) => text)).size).toBe(1)
      const { managementToken } = expectUploaded(await api.uploadImage(form, { headers }))
      const removal = { headers: { 'idempotency-key': `remove-${key}` } }
      const removed = await Promise.all([1, 2].map(() => api.remove(managementToken, removal)))
      expect(removed.map(({ status }) => status)).toEqual([200, 200])
      const reused = await api.uploadImage({ ...form, content_type: '1' }, { headers })
      expect([reused.status, reused.headers['x-error-code']]).toEqual([422, 'idempotency_key_reused'])
    }
  })

  test('the number is stored with the data; a smaller one is rejected with a sentence', async () => {
    const { showUrl, originalUrl } = await uploadImage(api)
    await service.stop()
    await expect(startService({ data: data.path, shards: 4 })).rejects.toThrow(
      '--shards must be at least 8, as many as there are: what is on the last ones would not be found any more',
    )
    await expect(startService({ data: data.path, writeShards: '8' })).rejects.toThrow(
      '--write-shards must name shards from 0 to 7, as many as there are: received "8"',
    )
    await start({})
    expect(await statusOf(api, showUrl)).toBe('available')
    expect((await api.follow(originalUrl)).status).toBe(200)
    const { code, stdout } = await runCommand('reconcile', [
      '--port',
      String(service.port),
      '--data',
      data.path,
      '--json',
    ])
    expect([code, stdout.split('\n').filter((line) => line.includes('finding":'))]).toEqual([0, []])
  })
})

async function oldContent(api: Api) {
  const [alone, deleted] = [
    await uploadImage(api, { include_manage_url: '1' }),
    await uploadImage(api, { include_manage_url: '1' }),
  ]
  expectJson(await api.remove(deleted.managementToken))
  return {
    alone,
    deleted,
    open: await galleryWithImage(api, { name: 'open' }),
    finalized: await galleryWithImage(api, { finalized: true, name: 'finalized' }),
  }
}
