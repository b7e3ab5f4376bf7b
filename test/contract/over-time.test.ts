import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { type Api, apiAt, mayStartServices } from './support/api.ts'
import { firstTick } from './support/process-group.ts'
import { expectApiError, expectJson, expectStatuses, expectTextError } from './support/responses.ts'
import { type Service, startService, temporaryData } from './support/service.ts'
import { createGallery, galleryWithImage, LEAST_IMAGE, statusOf, uploadImage } from './support/steps.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

/**
 * D1, D3, D26: the same data under one service after another. The tests build on each other, so their order matters.
 */
describe.skipIf(!mayStartServices())('galleries in time (needs services of its own)', async () => {
  if (!mayStartServices()) return
  const data = await temporaryData()
  let service: Service = await startService({ byCommand: true, data: data.path })
  let api: Api = apiAt(service.baseUrl)

  const start = async (clockOffsetMs: number, byCommand = false) => {
    service = await startService({ byCommand, data: data.path, clockOffsetMs })
    api = apiAt(service.baseUrl)
  }
  const restart = async (clockOffsetMs: number) => {
    await service.stop()
    await start(clockOffsetMs)
  }
  afterAll(async () => {
    await service.stop()
    await data.remove()
  })

  const begunMs = Date.now()
  const open = await galleryWithImage(api, { name: 'never finalized' })
  const empty = await createGallery(api, 'never filled')
  const finalized = await galleryWithImage(api, { finalized: true, name: 'finalized' })
  const deleted = await galleryWithImage(api)
  await api.remove(deleted.gallery.managementToken)
  const standalone = await uploadImage(api, { include_manage_url: '1' })
  const many = await Promise.all(Array.from({ length: 30 }, () => galleryWithImage(api)))
  const original = (await api.follow(standalone.originalUrl)).bytes

  test('data survives a restart by SIGKILL: records, files and tokens', async () => {
    const late = await uploadImage(api, { include_manage_url: '1' })
    await service.kill()
    await start(0, true)
    expect((await api.follow(standalone.originalUrl)).bytes.equals(original)).toBe(true)
    expect((await api.follow(late.thumbnailUrl)).status).toBe(200)
    const urls = [open, finalized, deleted].map(({ image }) => image.showUrl)
    expect(expectStatuses(await api.status([...urls, late.showUrl]))).toEqual([
      'pending',
      'available',
      'deleted',
      'available',
    ])
    await uploadImage(api, open.gallery.fields)
    expectJson(await api.remove(late.managementToken))
  })

  test('data survives a restart by SIGTERM, which ends the start command with 0', async () => {
    expect(await service.stop()).toBe(0)
    await expect(fetch(service.baseUrl)).rejects.toThrow()
    // Independent of the time that the tests took so far.
    await start(DAY_MS - 5 * MINUTE_MS - (Date.now() - begunMs))
    expect(await statusOf(api, standalone.showUrl)).toBe('available')
  })

  test('minutes before 24 hours the upload token is valid and nothing is finalized or removed', async () => {
    await firstTick(service.output)
    await uploadImage(api, open.gallery.fields)
    expect(await statusOf(api, open.image.showUrl)).toBe('pending')
    expectJson(await api.rename(empty.managementToken, 'still there'))
  })

  test('after 24 hours the token is expired: 416, before and after maintenance', async () => {
    await restart(DAY_MS + MINUTE_MS)
    expectTextError(await api.uploadImage({ ...LEAST_IMAGE, ...open.gallery.fields }), 416)
    expectTextError(await api.finalize(open.gallery.hash, open.gallery.uploadToken), 416)
    expectTextError(await api.uploadImage({ ...LEAST_IMAGE, ...finalized.gallery.fields }), 416)
  })

  test('maintenance finalizes the non-empty galleries, all of them', async () => {
    await until(async () => (await statusOf(api, open.image.showUrl)) === 'available')
    const statuses = expectStatuses(await api.status(many.map(({ image }) => image.showUrl)))
    expect(statuses).toEqual(many.map(() => 'available'))
    expect((await api.follow(open.gallery.url)).text.match(/<a href="[^"]*\/show\//g)).toHaveLength(3)
    expectTextError(await api.uploadImage({ ...LEAST_IMAGE, ...open.gallery.fields }), 416)
  })

  test('maintenance removes the empty ones', async () => {
    await until(async () => (await api.finalize(empty.hash, empty.uploadToken)).status === 415)
    expectTextError(await api.uploadImage({ ...LEAST_IMAGE, ...empty.fields }), 415)
    expectApiError(await api.rename(empty.managementToken, 'x'), 410)
    expectApiError(await api.remove(empty.managementToken), 410)
  })

  test('management tokens and deleted content do not change with time', async () => {
    expect(await statusOf(api, deleted.image.showUrl)).toBe('deleted')
    expectApiError(await api.remove(deleted.gallery.managementToken), 410)
    expectJson(await api.rename(finalized.gallery.managementToken, 'a day later'))
    expectJson(await api.remove(standalone.managementToken))
    expectJson(await api.remove(open.gallery.managementToken))
    expect(await statusOf(api, open.image.showUrl)).toBe('deleted')
  })

  test('a new gallery has 24 hours of its own', async () => {
    const { gallery, image } = await galleryWithImage(api)
    await uploadImage(api, gallery.fields)
    expect(await statusOf(api, image.showUrl)).toBe('pending')
  })

  test('cron fires every minute: work that becomes due in between is also done', async () => {
    const { gallery, image } = await galleryWithImage(api)
    const standstill = vi.spyOn(Atomics, 'wait')
    // Created a day and a minute early, so it is 24 hours old half a minute after the tick at the start.
    await restart(2 * DAY_MS + MINUTE_MS / 2)
    await until(async () => (await statusOf(api, image.showUrl)) === 'available', 3000)
    expect((await api.follow(gallery.url)).status).toBe(200)
    // The process that fires cron reads the output of workerd. Otherwise both would wait for each other.
    expect(standstill).not.toHaveBeenCalled()
  })
})

/** Polls until it is true. A tick runs at the start, and then once a minute. */
async function until(isSo: () => Promise<boolean>, everyMs = 500): Promise<void> {
  while (!(await isSo())) await wait(everyMs)
}
