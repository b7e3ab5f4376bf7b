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

/** The first bytes of an upload, and then nothing until the end is told. */
async function* stalling(bytes: number, end: Promise<void>): AsyncGenerator<Uint8Array> {
  yield UPLOAD.bytes.subarray(0, bytes)
  await end
}

/** D41: one isolate has 128 MB, whoever is sending. It needs a service of its own, which it crowds. */
test.skipIf(!mayStartServices())(
  'senders that stall are given up, and honest ones beside them are served',
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
        // A connection that was closed while we were sending: its answer may be lost.
        () => ({ status: 503, text: '' }),
      ),
    )
    // On a slow machine an honest one stands still, too, and comes again as it is told.
    const served = async () => {
      for (;;) {
        const response = await send(service.baseUrl, { ...ask, body: UPLOAD.bytes })
        if (response.status !== 503) return response.status
        await wait(Number(header(response, 'retry-after')) * 1000)
      }
    }
    expect(await Promise.all(Array.from({ length: 6 }, served))).toEqual(Array(6).fill(200))
    // Two of them fill the memory of all bodies: those that others waited for were given up.
    const given = await Promise.race(stalled)
    expect(given.status).toBe(503)
    release()
    await Promise.all(stalled)
    expect(await service.stop()).toBe(0)
  },
)
