import { describe, expect, test } from 'vitest'
import { apiAt, sharedApi } from './support/api.ts'
import { header } from './support/client.ts'
import { multipartBody, parts } from './support/multipart-body.ts'
import { expectApiError, expectTextError, expectUploaded } from './support/responses.ts'
import { createGallery, galleryWithImage, LEAST_IMAGE, statusOf, uploadCover, uploadImage } from './support/steps.ts'

const api = sharedApi()

describe('Gallery lifecycle', () => {
  test('(none) | POST /galleries | valid request | unfinished: not publicly available', async () => {
    const gallery = await createGallery(api)
    expect((await api.follow(gallery.url)).status).toBe(404)
  })

  test('unfinished | POST /images or /covers | token correct | unfinished: its image-page status is pending', async () => {
    const gallery = await createGallery(api)
    const image = await uploadImage(api, gallery.fields)
    const cover = await uploadCover(api, gallery.fields)
    expect(await statusOf(api, image.showUrl)).toBe('pending')
    expect(await statusOf(api, cover.showUrl)).toBe('pending')
    expect((await api.follow(gallery.url)).status).toBe(404)
  })

  test('unfinished | finalize | non-empty, token correct | finalized (public): 200 with empty body', async () => {
    const { gallery, image } = await galleryWithImage(api)
    expect(await api.finalize(gallery.hash, gallery.uploadToken)).toMatchObject({ status: 200, text: '' })
    expect(await statusOf(api, image.showUrl)).toBe('available')
    for (const link of [gallery.url, image.showUrl, image.thumbnailUrl, image.originalUrl]) {
      expect((await api.follow(link)).status).toBe(200)
    }
  })

  test('unfinished | finalize | gallery empty | removed: 200 with empty body, the hash is then 415', async () => {
    const gallery = await createGallery(api)
    expect(await api.finalize(gallery.hash, gallery.uploadToken)).toMatchObject({ status: 200, text: '' })
    expectTextError(await api.finalize(gallery.hash, gallery.uploadToken), 415)
    expectTextError(await api.uploadImage({ ...LEAST_IMAGE, ...gallery.fields }), 415)
    expect((await api.follow(gallery.url)).status).toBe(404)
  })

  test('the management token of a removed gallery is 410 (D17)', async () => {
    const gallery = await createGallery(api)
    await api.finalize(gallery.hash, gallery.uploadToken)
    expectApiError(await api.rename(gallery.managementToken, 'x'), 410)
    expectApiError(await api.remove(gallery.managementToken), 410)
    expect((await api.get(`/manage/${gallery.managementToken}`)).status).toBe(410)
  })

  test.for([false, true])(
    'finalized: %s | delete with gallery token | deleted with all its images',
    async (finalized) => {
      const { gallery, image } = await galleryWithImage(api, { finalized })
      await api.remove(gallery.managementToken)
      expect(await statusOf(api, image.showUrl)).toBe('deleted')
      expectTextError(await api.finalize(gallery.hash, gallery.uploadToken), 415)
      expectTextError(await api.uploadImage({ ...LEAST_IMAGE, ...gallery.fields }), 415)
      expect((await api.follow(gallery.url)).status).toBe(404)
    },
  )

  test('finalizing again with the right token is 200 with an empty body, nothing changed (D15)', async () => {
    const { gallery, image } = await galleryWithImage(api, { finalized: true })
    expect(await api.finalize(gallery.hash, gallery.uploadToken)).toMatchObject({ status: 200, text: '' })
    expect(await statusOf(api, image.showUrl)).toBe('available')
    expect((await api.follow(gallery.url)).text).toContain(image.showUrl)
  })

  test('uploads into a finalized gallery are rejected (422), and do not change it', async () => {
    const { gallery } = await galleryWithImage(api, { finalized: true })
    const page = async () => (await api.follow(gallery.url)).text
    const before = await page()
    expectTextError(await api.uploadImage({ ...LEAST_IMAGE, ...gallery.fields }), 422)
    expect(await page()).toBe(before)
  })

  test('simultaneous finalizations are all 200', async () => {
    const { gallery } = await galleryWithImage(api)
    const responses = await Promise.all(
      Array.from({ length: 8 }, () => api.finalize(gallery.hash, gallery.uploadToken)),
    )
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200))
  })

  test('an upload during the finalization is either in the gallery or rejected', async () => {
    for (let round = 0; round < 5; round++) {
      const { gallery } = await galleryWithImage(api)
      const [response] = await Promise.all([
        api.uploadImage({ ...LEAST_IMAGE, ...gallery.fields }),
        api.finalize(gallery.hash, gallery.uploadToken),
      ])
      const { text } = await api.follow(gallery.url)
      if (response.status === 200) expect(text).toContain(expectUploaded(response).showUrl)
      else expectTextError(response, 422)
    }
  })
})

describe('an unfinished or deleted gallery: its page, its image pages and its media are 404, no-store (D28)', () => {
  test.for(['unfinished', 'deleted'] as const)('%s', async (state) => {
    const { gallery, image } = await galleryWithImage(api, { finalized: state === 'deleted' })
    if (state === 'deleted') await api.remove(gallery.managementToken)
    for (const link of [gallery.url, image.showUrl, image.thumbnailUrl, image.originalUrl]) {
      for (const method of ['GET', 'HEAD']) {
        const response = await api.follow(link, { method })
        expect({ link, status: response.status, cache: header(response, 'cache-control') }).toEqual({
          link,
          status: 404,
          cache: 'no-store',
        })
      }
    }
  })

  test('"Picture doesn\'t exist" and "Gallery doesn\'t exist", also in the reader\'s language', async () => {
    const { gallery, image } = await galleryWithImage(api)
    for (const language of ['en', 'de', 'fr', 'es', 'ja']) {
      const headers = { 'accept-language': language }
      const [showPage, page] = [
        await api.follow(image.showUrl, { headers }),
        await api.follow(gallery.url, { headers }),
      ]
      expect(showPage.text).toContain("Picture doesn't exist")
      expect(page.text).toContain("Gallery doesn't exist")
      expect(showPage.text).toMatch(new RegExp(`<html[^>]* lang="${language}"`))
    }
  })
})

describe('D27: the images of a gallery have the order in which their requests arrived', () => {
  test('uploads that start one after the other and end in reverse order', async () => {
    const gallery = await createGallery(api)
    const beginnings = Array.from({ length: 5 }, () => Promise.withResolvers<void>())
    const ends = beginnings.map(() => Promise.withResolvers<void>())
    const uploads = beginnings.map(async (beginning, index) => {
      const { bytes, contentType } = multipartBody(parts({ ...gallery.fields, ...LEAST_IMAGE }))
      async function* slowly() {
        yield bytes.subarray(0, 300)
        beginning.resolve()
        await ends[index]?.promise
        yield bytes.subarray(300)
      }
      await (index === 0 ? undefined : beginnings[index - 1]?.promise.then(arrival))
      return apiAt(api.baseUrl).send({ path: '/images', headers: { 'content-type': contentType }, body: slowly() })
    })
    await beginnings.at(-1)?.promise.then(arrival)
    for (const [index, end] of [...ends.entries()].reverse()) {
      end.resolve()
      expectUploaded((await uploads[index]) ?? expect.fail())
    }
    const showUrls = (await Promise.all(uploads)).map((response) => expectUploaded(response).showUrl)
    await api.finalize(gallery.hash, gallery.uploadToken)
    expect(imageLinks((await api.follow(gallery.url)).text)).toEqual(showUrls)
  })

  test('eight simultaneous uploads are each present once, in the order of their ids', async () => {
    const gallery = await createGallery(api)
    const uploads = await Promise.all(Array.from({ length: 8 }, () => uploadImage(api, gallery.fields)))
    await api.finalize(gallery.hash, gallery.uploadToken)
    const links = imageLinks((await api.follow(gallery.url)).text)
    expect([...links].sort()).toEqual(uploads.map(({ showUrl }) => showUrl).sort())
    const ids = links.map((link) => Number(/\/(\d+)_/.exec(link)?.[1]))
    expect(ids).toEqual([...ids].sort((a, b) => a - b))
  })
})

/**
 * Waits until the first bytes of a request have reached the service, because it has responded to a later one, and a
 * moment more.
 */
async function arrival(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 150))
  await api.get('/')
}

function imageLinks(page: string): string[] {
  const images = page.slice(page.indexOf('<div class="images">'))
  return [...images.matchAll(/<a href="([^"]+\/show\/[^"]+)"><img /g)].map((match) => match[1] ?? '')
}
