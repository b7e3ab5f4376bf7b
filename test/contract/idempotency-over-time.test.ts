import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, describe, expect, test } from 'vitest'
import { type Api, apiAt, mayStartServices } from './support/api.ts'
import { jpeg, photo } from './support/images.ts'
import { file } from './support/multipart-body.ts'
import { firstTick } from './support/process-group.ts'
import { countImages, expectReplay, isReplayed, withKey } from './support/replays.ts'
import { expectCreated, expectUploaded } from './support/responses.ts'
import { type Service, startService, temporaryData } from './support/service.ts'
import { createGallery, LEAST_IMAGE, SMALL_PNG, statusOf } from './support/steps.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
const MANAGED = { include_manage_url: '1' }

describe.skipIf(!mayStartServices())('an Idempotency-Key over time (needs services of its own)', async () => {
  if (!mayStartServices()) return
  const data = await temporaryData()
  let service: Service = await startService({ byCommand: true, data: data.path })
  let own: Api = apiAt(service.baseUrl)
  let clockOffsetMs = 0

  const restart = async (offsetMs: number, how: 'stop' | 'kill' = 'stop') => {
    clockOffsetMs = offsetMs
    await service[how]()
    // Only a service in processes of its own can be killed.
    service = await startService({ byCommand: how === 'kill', data: data.path, clockOffsetMs })
    own = apiAt(service.baseUrl)
  }
  afterAll(async () => {
    await service.stop()
    await data.remove()
  })

  const imageKey = randomUUID()
  const galleryKey = randomUUID()
  const managedImage = { ...LEAST_IMAGE, ...MANAGED, img: file('nameless-and-unique.png', SMALL_PNG) }
  const sendImage = () => own.uploadImage(managedImage, withKey(imageKey))
  const sendGallery = () => own.createGallery(MANAGED, withKey(galleryKey))
  const begunMs = Date.now()
  const firstImage = await sendImage()
  const firstGallery = await sendGallery()

  test('a service killed during uploads: after retries, each of them is stored exactly once', async () => {
    const gallery = await createGallery(own)
    const image = await jpeg(photo(800, 600))
    const keys: string[] = []
    const upload = (key: string) => {
      const img = file(`${key}.jpg`, image)
      return own.uploadImage({ img, content_type: '0', optimize_for_web: '1', ...gallery.fields }, withKey(key))
    }
    for (const killAfterMs of [60, 300]) {
      const fresh = Array.from({ length: 4 }, () => randomUUID())
      const uploading = Promise.allSettled(fresh.map(upload))
      await wait(killAfterMs)
      // A minute later, the leases of killed requests have expired.
      await restart(clockOffsetMs + MINUTE_MS, 'kill')
      const before = await uploading
      const retried = await Promise.all(fresh.map(upload))
      for (const [at, response] of retried.entries()) {
        expectUploaded(response)
        const first = before[at]
        if (first?.status === 'fulfilled') expectReplay(first.value, response)
        expectReplay(response, await upload(fresh[at] ?? ''))
      }
      keys.push(...fresh)
    }
    expect(await countImages(own, gallery)).toBe(keys.length)
  })

  test('a kill forgets nothing', async () => {
    expectReplay(firstImage, await sendImage())
    expectReplay(firstGallery, await sendGallery())
  })

  test('the data folder contains neither keys nor tokens in clear, nor the links that end with them', async () => {
    const image = expectUploaded(firstImage)
    const gallery = expectCreated(firstGallery)
    // The killed service left it unchanged.
    const stored = readdirSync(data.path, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => readFileSync(join(parentPath, name)))
    const isStored = (text: string) => stored.some((bytes) => bytes.includes(text) || bytes.includes(btoa(text)))
    // The search finds text that is there.
    expect([image.name, gallery.hash].map(isStored)).toEqual([true, true])
    const secrets = [imageKey, galleryKey, image.managementToken, gallery.managementToken, gallery.uploadToken]
    expect(secrets.map((secret) => secret.length >= 36)).toEqual(secrets.map(() => true))
    expect([...secrets, 'manage_url', 'gallery_upload_hash'].map(isStored)).toEqual(Array(7).fill(false))
  })

  test('minutes before 24 hours the first response is still stored', async () => {
    // Independent of the time that the tests took so far.
    await restart(DAY_MS - 5 * MINUTE_MS - (Date.now() - begunMs))
    await firstTick(service.output)
    expectReplay(firstImage, await sendImage())
    expectReplay(firstGallery, await sendGallery())
  })

  test('after 24 hours the key is free', async () => {
    await restart(DAY_MS + MINUTE_MS)
    const [image, gallery] = [await sendImage(), await sendGallery()]
    expect([isReplayed(image), isReplayed(gallery)]).toEqual([undefined, undefined])
    const urls = [firstImage, image].map((response) => expectUploaded(response).showUrl)
    expect(new Set(urls).size).toBe(2)
    for (const url of urls) expect(await statusOf(own, url)).toBe('available')
    expect(expectCreated(gallery).hash).not.toBe(expectCreated(firstGallery).hash)
    expectReplay(image, await sendImage())
  })
})
