import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { mayStartServices, sharedApi } from './support/api.ts'
import { createGallery, galleryWithImage, uploadImage } from './support/steps.ts'

const api = sharedApi()
const READERS = 6
const WITH_TOKEN = { include_manage_url: '1' }

/** Reads that `npm start` serves from its memory. Other services may have caches in data centres (D29). */
describe.skipIf(!mayStartServices())('reads of one machine', () => {
  test.each(['image', 'gallery'] as const)(
    'no read that begins after the response to a delete sees the %s',
    async (kind) => {
      for (let round = 0; round < 4; round++) {
        const { links, token } = kind === 'image' ? await publicImage() : await publicGallery()
        let isDeleted = false
        const statuses: string[] = []
        const reader = async () => {
          for (let left = 3; left > 0; ) {
            for (const link of links) {
              const wasDeleted = isDeleted
              const { status } = await api.follow(link)
              statuses.push(`${wasDeleted ? 'after' : 'before'} ${status}`)
            }
            if (isDeleted) left--
          }
        }
        const readers = Array.from({ length: READERS }, reader)
        while (statuses.length < 5 * READERS) await new Promise((resolve) => setTimeout(resolve, 1))
        expect((await api.remove(token)).status).toBe(200)
        isDeleted = true
        await Promise.all(readers)
        expect(statuses[0]).toBe('before 200')
        expect([...new Set(statuses)].filter((one) => one.startsWith('after'))).toEqual(['after 404'])
      }
    },
  )

  test('the page of an image has the latest name of its gallery', async () => {
    const { gallery, image } = await galleryWithImage(api, { finalized: true, name: 'Before' })
    const shows = async (name: string) => (await api.follow(image.showUrl)).text.includes(`>${name}<`)
    for (const name of ['Once', 'Twice', 'Thrice']) {
      expect((await api.rename(gallery.managementToken, name)).status).toBe(200)
      expect([await shows(name), await shows(name)]).toEqual([true, true])
    }
  })

  test('a page is the same in every encoding, whoever requested it before', async () => {
    const { showUrl } = await uploadImage(api)
    const ask = async (encoding: string, language: string) => {
      const headers = { 'accept-encoding': encoding, 'accept-language': language }
      const { bytes, headers: got } = await api.follow(showUrl, { headers })
      expect(got['content-encoding']).toBe(encoding === 'identity' ? undefined : encoding)
      expect(got['content-language']).toBe(language)
      if (encoding === 'br') return brotliDecompressSync(bytes).toString()
      return (encoding === 'gzip' ? gunzipSync(bytes) : bytes).toString()
    }
    for (const language of ['de', 'ja']) {
      const pages: string[] = []
      for (const encoding of ['br', 'gzip', 'identity', 'identity', 'gzip', 'br'])
        pages.push(await ask(encoding, language))
      expect(pages[0]).toContain(`lang="${language}"`)
      expect(new Set(pages).size).toBe(1)
    }
  })
})

async function publicImage() {
  const { managementToken, ...image } = await uploadImage(api, WITH_TOKEN)
  return { links: linksOf(image), token: managementToken }
}

async function publicGallery() {
  const gallery = await createGallery(api)
  const images = [await uploadImage(api, gallery.fields), await uploadImage(api, gallery.fields)]
  await api.finalize(gallery.hash, gallery.uploadToken)
  return { links: images.flatMap(linksOf), token: gallery.managementToken }
}

function linksOf({ thumbnailUrl, originalUrl, showUrl }: Record<'thumbnailUrl' | 'originalUrl' | 'showUrl', string>) {
  return [thumbnailUrl, originalUrl, showUrl]
}
