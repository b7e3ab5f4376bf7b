import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { mayStartServices } from './support/api.ts'
import { header, send } from './support/client.ts'
import { filePart, multipartBody, textPart } from './support/multipart-body.ts'
import { paddedPng } from './support/png-file.ts'
import { startService } from './support/service.ts'
import { SMALL_PNG } from './support/steps.ts'

const MIB = 1024 * 1024
const UPLOADS = 10
const UPLOAD = multipartBody([
  textPart('content_type', '0'),
  filePart('img', 'picture.png', paddedPng(SMALL_PNG, 9.9 * MIB)),
])

/** Uploads; comes again as long as it is told to. */
async function upload(baseUrl: string): Promise<number> {
  for (;;) {
    const ask = { path: '/images', headers: { 'content-type': UPLOAD.contentType }, body: UPLOAD.bytes }
    const answer = await send(baseUrl, ask)
    if (answer.status !== 503) return answer.status
    await wait(Number(header(answer, 'retry-after')) * 1000)
  }
}

/** It needs a service of its own, and a system that tells of its memory. */
test.skipIf(!mayStartServices() || process.platform !== 'linux')(
  'the memory that large uploads took serves the next ones',
  async () => {
    const service = await startService({ byCommand: true })
    const afterRound = async () => {
      const statuses = await Promise.all(Array.from({ length: UPLOADS }, () => upload(service.baseUrl)))
      expect(statuses).toEqual(Array(UPLOADS).fill(200))
      return service.residentMb()
    }
    // How much of it is taken at once differs: what leaks grows by more, and in every round.
    let [before, after] = [await afterRound(), await afterRound()]
    if (after > 1.25 * before) [before, after] = [after, await afterRound()]
    expect(after).toBeLessThanOrEqual(1.25 * before)
    expect(await service.stop()).toBe(0)
  },
)
