import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Api, apiAt, mayStartServices } from './support/api.ts'
import { header } from './support/client.ts'
import { animated, gif, jpeg, photo, plain, png, quarters } from './support/images.ts'
import { file } from './support/multipart-body.ts'
import { metadataIn, samePixels, storedFile } from './support/optimization-report.ts'
import { withPngChunks } from './support/png-file.ts'
import { privatePngChunks, privateWebpOrAvif, SECRET, withPrivateJpegSegments } from './support/private-metadata.ts'
import { expectTextError } from './support/responses.ts'
import { type Service, startService } from './support/service.ts'
import { LEAST_COVER, LEAST_IMAGE, uploadImage } from './support/steps.ts'

const NOTICE = 'No pictures of people.\n<b>Ask</b> first.'
const PIXELS = photo(60, 40)
const frames = [quarters(40, 30), plain(40, 30, [0, 0, 0])]

describe.skipIf(!mayStartServices())('settings for every upload (needs a service of its own)', () => {
  let service: Service
  let api: Api

  beforeAll(async () => {
    service = await startService({ args: ['--strip-metadata', 'always', '--upload-notice', NOTICE] })
    api = apiAt(service.baseUrl)
  }, 240_000)

  afterAll(() => service.stop())

  describe('STRIP_METADATA=always', () => {
    test.for([
      ['JPEG', async () => withPrivateJpegSegments(await jpeg(PIXELS), 1)],
      ['PNG', async () => withPngChunks(await png(PIXELS), privatePngChunks(1))],
      ['WebP', () => privateWebpOrAvif('webp', PIXELS, 1)],
      ['AVIF', () => privateWebpOrAvif('avif', PIXELS, 1)],
    ] as const)('the stored %s has no metadata, with and without optimize_for_web', async ([, make]) => {
      const bytes = await make()
      expect(bytes.includes(SECRET)).toBe(true)
      for (const fields of [{}, { optimize_for_web: '0' }, { optimize_for_web: '1' }]) {
        const image = await uploadImage(api, { img: file('a.bin', bytes), ...fields })
        expect(image.optimization === undefined).toBe(fields.optimize_for_web !== '1')
        const stored = await storedFile(api, image)
        expect(stored.bytes.includes(SECRET)).toBe(false)
        expect(stored.bytes.length).toBeLessThan(bytes.length)
        expect(await metadataIn(stored.bytes)).toEqual([])
        if (fields.optimize_for_web !== '1') expect(await samePixels(stored.bytes, bytes)).toBe(true)
      }
    })

    test.for([
      ['GIF', () => gif(PIXELS)],
      ['animated WebP', () => animated('webp', frames)],
      ['JPEG without metadata', () => jpeg(PIXELS)],
    ] as const)('a %s is stored as it was sent', async ([, make]) => {
      const bytes = await make()
      const image = await uploadImage(api, { img: file('a.bin', bytes) })
      expect((await storedFile(api, image)).bytes.equals(bytes)).toBe(true)
    })
  })

  test('UPLOAD_NOTICE is a text above the form', async () => {
    const html = await (await fetch(`${service.baseUrl}/`)).text()
    const notice = html.indexOf('No pictures of people.\n&lt;b&gt;Ask&lt;/b&gt; first.')
    expect(notice).toBeGreaterThan(0)
    expect(notice).toBeLessThan(html.indexOf('<form id="upload"'))
  })
})

describe.skipIf(!mayStartServices())('STORAGE_MAX (needs a service of its own)', () => {
  let service: Service
  let api: Api

  beforeAll(async () => {
    service = await startService({ args: ['--storage-max', '20000'] })
    api = apiAt(service.baseUrl)
  }, 240_000)

  afterAll(() => service.stop())

  test('uploads are 507 once the files have as many bytes, and reading and deleting work', async () => {
    const bytes = await png(photo(100, 80))
    const links: string[] = []
    let last = await api.uploadImage({ ...LEAST_IMAGE, img: file('a.png', bytes), include_manage_url: '1' })
    for (let uploads = 1; last.status === 200; uploads++) {
      expect(uploads).toBeLessThan(20)
      links.push(JSON.parse(last.text).manage_url)
      last = await api.uploadImage({ ...LEAST_IMAGE, img: file('a.png', bytes), include_manage_url: '1' })
    }
    expect(links.length * bytes.length).toBeLessThan(20_000 + bytes.length)
    for (const response of [last, await api.uploadCover(LEAST_COVER)]) {
      expectTextError(response, 507)
      expect(header(response, 'x-error-code')).toBe('storage_full')
    }
    const { pathname } = new URL(links[0] ?? '')
    expect((await fetch(service.baseUrl + pathname)).status).toBe(200)
    const action = pathname.replace('/manage/', '/management/')
    expect((await fetch(`${service.baseUrl}${action}/delete`, { method: 'POST' })).status).toBe(200)
  })
})
