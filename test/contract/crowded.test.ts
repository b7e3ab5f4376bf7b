import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { mayStartServices } from './support/api.ts'
import { header, send } from './support/client.ts'
import { filePart, multipartBody, textPart } from './support/multipart-body.ts'
import { paddedPng } from './support/png-file.ts'
import { startService } from './support/service.ts'
import { SMALL_PNG } from './support/steps.ts'

const MIB = 1024 * 1024
const UPLOAD = multipartBody([
  textPart('content_type', '0'),
  filePart('img', 'picture.png', paddedPng(SMALL_PNG, 9.9 * MIB)),
])

/** Yields the first bytes of an upload, and then waits until `end`. */
async function* stalling(bytes: number, end: Promise<void>): AsyncGenerator<Uint8Array> {
  yield UPLOAD.bytes.subarray(0, bytes)
  await end
}

/** D41: one isolate has 128 MB, whoever sends. This test crowds a service of its own. */
test.skipIf(!mayStartServices())(
  'senders that stall are cancelled, and honest ones beside them are served',
  async () => {
    const service = await startService()
    const ask = { path: '/images', headers: { 'content-type': UPLOAD.contentType } }
    let release = () => {}
    const end = new Promise<void>((resolve) => {
      release = resolve
    })
    const stalled = Array.from({ length: 12 }, () =>
      send(service.baseUrl, { ...ask, body: stalling(9.8 * MIB, end) }).then(
        ({ status, text }) => ({ status, text }),
        // The connection was closed during the upload, and its response may be lost.
        () => ({ status: 503, text: '' }),
      ),
    )
    // On a slow machine, even an honest sender may stall, and retries as requested.
    const served = async () => {
      for (;;) {
        const response = await send(service.baseUrl, { ...ask, body: UPLOAD.bytes })
        if (response.status !== 503) return response.status
        await wait(Number(header(response, 'retry-after')) * 1000)
      }
    }
    expect(await Promise.all(Array.from({ length: 6 }, served))).toEqual(Array(6).fill(200))
    // Two of them fill the memory of all bodies, so those that blocked others were cancelled.
    const given = await Promise.race(stalled)
    expect(given.status).toBe(503)
    release()
    await Promise.all(stalled)
    expect(await service.stop()).toBe(0)
  },
)
