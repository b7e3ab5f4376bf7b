import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Api, apiAt, freshAddress, mayStartServices } from './support/api.ts'
import { header } from './support/client.ts'
import { file, filePart, multipartBody, textPart } from './support/multipart-body.ts'
import { paddedPng } from './support/png-file.ts'
import { type Service, startService, temporaryData } from './support/service.ts'
import { LEAST_IMAGE, SMALL_PNG } from './support/steps.ts'

/** The number of lossless WebPs with few bytes and many pixels. Each takes about 40 times the work of the small PNG. */
const LARGE = 24
/** The number of bodies of 10 MB. Two of them fill the memory. */
const BODIES = 8
/** The number of one client's requests that wait for one key. */
const WAITERS = 8
const LARGE_UPLOAD = multipartBody([
  textPart('content_type', '0'),
  filePart('img', 'picture.png', paddedPng(SMALL_PNG, 9_900_000)),
])

/** Returns the headers of a client with an address of its own. */
const client = () => ({ headers: { 'cf-connecting-ip': freshAddress() } })

/**
 * Yields a large upload at this rate, and the rest at once after its release. A slow machine sends larger parts, because
 * the service cancels what comes too slowly.
 */
async function* slowly(bytesPerSecond: number, isReleased: () => boolean): AsyncGenerator<Uint8Array> {
  const { bytes } = LARGE_UPLOAD
  const startMs = performance.now()
  const first = 1_000_000
  let sent = first
  yield bytes.subarray(0, sent)
  while (!isReleased()) {
    await wait(50)
    const due = first + Math.ceil(((performance.now() - startMs) / 1000) * bytesPerSecond)
    if (due >= bytes.length) break
    yield bytes.subarray(sent, due)
    sent = due
  }
  yield bytes.subarray(sent)
}

/** D54. These tests crowd a service of their own. */
describe.skipIf(!mayStartServices())('clients that crowd the service', () => {
  let data: Awaited<ReturnType<typeof temporaryData>>
  let service: Service
  let api: Api
  beforeAll(async () => {
    data = await temporaryData()
    service = await startService({ data: data.path })
    api = apiAt(service.baseUrl)
  })
  afterAll(async () => {
    expect(await service.stop()).toBe(0)
    await data.remove()
  })

  test('a small image of one client does not wait for the large ones of another', async () => {
    const [busy, quiet] = [client(), client()]
    const background = { r: 20, g: 90, b: 200 }
    const bytes = await sharp({ create: { width: 6000, height: 4000, channels: 3, background } })
      .webp({ lossless: true })
      .toBuffer()
    let ended = 0
    const all = Array.from({ length: LARGE }, () =>
      api.uploadImage({ ...LEAST_IMAGE, img: file('large.webp', bytes) }, busy).then(({ status }) => {
        ended++
        return status
      }),
    )
    await Promise.race(all)
    const before = ended
    expect((await api.uploadImage({ ...LEAST_IMAGE, img: file('small.png', SMALL_PNG) }, quiet)).status).toBe(200)
    // The small image is sent, decoded and requested while some large ones are decoded.
    expect(ended - before, 'large images in the meantime').toBeLessThanOrEqual(LARGE / 3)
    expect(await Promise.all(all)).toEqual(Array(LARGE).fill(200))
  })

  test('a body of one client does not wait for all earlier bodies of another', async () => {
    // A slow machine may cancel the upload that holds the memory before the others wait: then it is tried again.
    for (;;) {
      const { statuses, endedBefore } = await crowdBodies()
      expect(statuses).toEqual(Array(BODIES + 1).fill(200))
      if (endedBefore === undefined) continue
      expect(endedBefore, 'bodies before that of the other client').toBeLessThanOrEqual(BODIES / 2)
      return
    }
  })

  /**
   * Sends bodies of one client, and then one of another, while a third holds the memory. Returns their statuses, and the
   * number of responses before the other client's; undefined if its body did not wait with all the others.
   */
  async function crowdBodies(): Promise<{ statuses: number[]; endedBefore: number | undefined }> {
    const [slow, busy, quiet] = [client(), client(), client()]
    let isReleased = false
    const send = (
      from: ReturnType<typeof client>,
      body: Uint8Array | AsyncGenerator<Uint8Array> = LARGE_UPLOAD.bytes,
    ) => api.send({ path: '/images', headers: { ...from.headers, 'content-type': LARGE_UPLOAD.contentType }, body })
    const holding = send(
      slow,
      slowly(400_000, () => isReleased),
    ).then(
      ({ status }) => status,
      // The upload was cancelled, and its response lost.
      () => 503,
    )
    await Promise.race([metric('tintype_bodies_held_bytes', (bytes) => bytes > 10_000_000), holding])
    let ended = 0
    const all = Array.from({ length: BODIES }, () =>
      send(busy).then(({ status }) => {
        ended++
        return status
      }),
    )
    await metric('tintype_bodies_waiting', (waiting) => waiting === BODIES || ended > 0)
    const quietly = send(quiet)
    let isCrowded = false
    await metric('tintype_bodies_waiting', (waiting) => {
      isCrowded = waiting === BODIES + 1
      return isCrowded || ended > 0
    })
    isReleased = true
    const { status } = await quietly
    const endedBefore = isCrowded ? ended : undefined
    expect([200, 503]).toContain(await holding)
    return { statuses: [status, ...(await Promise.all(all))], endedBefore }
  }

  test('only a few requests wait for a key, and they delay no other upload', async () => {
    const [attacker, honest] = [client(), client()]
    const withKey = { headers: { ...attacker.headers, 'idempotency-key': randomUUID() } }
    let isReleased = false
    let isHeld = true
    const { contentType } = LARGE_UPLOAD
    const holder = api
      .send({
        path: '/images',
        headers: { ...withKey.headers, 'content-type': contentType },
        body: slowly(40_000, () => isReleased),
      })
      .finally(() => {
        isHeld = false
      })
    let waiting = 0
    const rejected: (string | undefined)[] = []
    const all = Array.from({ length: 5 * WAITERS }, async () => {
      waiting++
      const response = await api.uploadImage(LEAST_IMAGE, withKey)
      waiting--
      if (response.status === 409) rejected.push(header(response, 'retry-after'))
      return response.status
    })
    while (isHeld && waiting > WAITERS) await wait(20)
    // The others keep waiting long after the rejected and the honest requests have their responses.
    for (let i = 0; i < 5; i++) expect((await api.uploadImage(LEAST_IMAGE, honest)).status).toBe(200)
    expect([isHeld, waiting, rejected.length]).toEqual([true, WAITERS, 4 * WAITERS])
    for (const retryAfter of rejected) expect(Number(retryAfter)).toBeGreaterThan(0)
    isReleased = true
    expect((await holder).status).toBe(200)
    // Those that waited learn that the key belongs to another image.
    expect((await Promise.all(all)).filter((status) => status === 422)).toHaveLength(WAITERS)
  })

  /** Polls a metric until it has a wanted value. */
  async function metric(name: string, isWanted: (value: number) => boolean) {
    const key = readFileSync(join(data.path, 'operator.key'), 'utf8').trim()
    for (;;) {
      const { text } = await api.get('/operator/metrics', { headers: { authorization: `Bearer ${key}` } })
      const values = text.split('\n').filter((line) => line.startsWith(`${name}{`))
      if (isWanted(values.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0))) return
      await wait(20)
    }
  }
})
