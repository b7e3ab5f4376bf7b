import { execFile } from 'node:child_process'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Api, apiAt, mayStartServices } from './support/api.ts'
import { encoder, type Pixels } from './support/images.ts'
import { file } from './support/multipart-body.ts'
import { expectTextError } from './support/responses.ts'
import { type Service, startService, temporaryData } from './support/service.ts'
import { createGallery, LEAST_COVER, LEAST_IMAGE, SMALL_PNG, uploadImage } from './support/steps.ts'

const SCRIPT = join(import.meta.dirname, '../../tools/operate/moderate.ts')
const SENTENCE = 'this picture was removed by the operator and cannot be uploaded again'

/** Returns an image with many frequencies, different for each seed. */
function scene(seed: number): Pixels {
  const [width, height] = [320, 240]
  const data = Buffer.alloc(width * height * 3)
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      let light = 128
      for (let wave = 1; wave <= 12; wave++) {
        const [across, down] = [Math.sin(seed * wave * 1.7) * 0.08, Math.cos(seed * wave * 2.3) * 0.08]
        light += 14 * Math.sin(x * across + y * down + seed * wave)
      }
      for (let channel = 0; channel < 3; channel++) data[at++] = Math.max(0, Math.min(255, light + 10 * channel))
    }
  }
  return { data, width, height, channels: 3 }
}

/** D42: "refused when it comes again". */
describe.skipIf(!mayStartServices())('images that the operator blocked (needs a service of its own)', () => {
  let data: { path: string; remove: () => Promise<void> }
  let service: Service
  let api: Api

  beforeAll(async () => {
    data = await temporaryData()
    service = await startService({ data: data.path })
    api = apiAt(service.baseUrl)
  }, 240_000)

  afterAll(async () => {
    await service.stop()
    await data.remove()
  })

  const moderate = (...args: string[]) =>
    new Promise<string>((resolve) => {
      const all = [SCRIPT, '--port', String(service.port), '--data', data.path, ...args]
      execFile(process.execPath, all, (_error, stdout, stderr) => resolve(stdout + stderr))
    })
  const upload = (bytes: Uint8Array, fields = {}) =>
    api.uploadImage({ ...LEAST_IMAGE, img: file('a.png', Buffer.from(bytes)), ...fields })

  test('the same file is rejected, as sent and as stored, even without a fingerprint', async () => {
    const optimized = { optimize_for_web: '1' }
    const { showUrl, originalUrl } = await uploadImage(api, optimized)
    const stored = (await api.follow(originalUrl)).bytes
    expect(stored.equals(SMALL_PNG)).toBe(false)
    expect(await moderate('remove', showUrl, '--block')).toBe(
      'The image is deleted, 1 image blocked, 0 reports settled.\n',
    )
    for (const response of [await upload(SMALL_PNG), await upload(stored), await upload(SMALL_PNG, optimized)]) {
      expectTextError(response, 422)
      expect([response.text, response.headers['x-error-code']]).toEqual([SENTENCE, 'blocked_content'])
    }
    expectTextError(await api.uploadCover(LEAST_COVER), 422)
    expect(
      (
        await api.uploadCover({
          ...LEAST_COVER,
          img_left: file('a.png', await png(9)),
          img_right: file('b.png', SMALL_PNG),
        })
      ).text,
    ).toBe(SENTENCE)
  })

  test('the same image is rejected, scaled or encoded again, and no other one', async () => {
    const original = await png(1)
    const { showUrl } = await uploadImage(api, { img: file('a.png', original) })
    await moderate('remove', '--block', showUrl)
    const image = () => sharp(original)
    const variants = [
      image().jpeg({ quality: 30 }),
      image().webp({ quality: 95 }),
      image().resize({ width: 160 }).png(),
    ]
    for (const variant of variants) {
      expect((await upload(await variant.toBuffer(), { max_th_size: '500' })).text).toBe(SENTENCE)
    }
    for (const seed of [2, 3, 4, 5, 6]) expect((await upload(await png(seed))).status).toBe(200)
  })

  test('a gallery is blocked with its images', async () => {
    const other = await png(7)
    const gallery = await createGallery(api)
    await upload(other, gallery.fields)
    expect(await moderate('remove', gallery.url, '--block')).toContain('1 image blocked')
    expect((await upload(other)).text).toBe(SENTENCE)
  })

  test('without --block the image may be uploaded again', async () => {
    const bytes = await png(8)
    const { showUrl } = await uploadImage(api, { img: file('a.png', bytes) })
    expect(await moderate('remove', showUrl)).toBe('The image is deleted, 0 reports settled.\n')
    expect((await upload(bytes)).status).toBe(200)
    expect(await moderate('dismiss', showUrl, '--block')).toContain('--block goes with remove alone')
  })

  function png(seed: number): Promise<Buffer> {
    return encoder(scene(seed)).png().toBuffer()
  }
})
