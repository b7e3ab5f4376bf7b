import sharp from 'sharp'
import { expect, test } from 'vitest'
import { apiAt, freshAddress, mayStartServices } from './support/api.ts'
import { file } from './support/multipart-body.ts'
import { startService } from './support/service.ts'
import { LEAST_IMAGE, SMALL_PNG } from './support/steps.ts'

/** Lossless WebPs of few bytes and many pixels, each some 40 times the work of the small PNG. */
const LARGE = 24

/** D54. It needs a service of its own, which it crowds. */
test.skipIf(!mayStartServices())(
  'a small image of one client does not wait for the large ones of another',
  async () => {
    const service = await startService()
    const api = apiAt(service.baseUrl)
    const busy = { headers: { 'cf-connecting-ip': freshAddress() } }
    const quiet = { headers: { 'cf-connecting-ip': freshAddress() } }
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
    // It is sent, read and looked up while some of them are decoded.
    expect(ended - before, 'large images in the meantime').toBeLessThanOrEqual(LARGE / 3)
    expect(await Promise.all(all)).toEqual(Array(LARGE).fill(200))
    expect(await service.stop()).toBe(0)
  },
)
