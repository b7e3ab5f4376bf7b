import { describe, expect, test } from 'vitest'
import { sharedApi } from '../contract/support/api.ts'
import { jpeg, photo, plain, png, webp } from '../contract/support/images.ts'
import { statusOf } from '../contract/support/steps.ts'
import { expectResponse, type Outcome, textOf } from './support/outcome.ts'
import { callPackage, clientFile, mayRunClients } from './support/run-client.ts'

const api = sharedApi()
const SAFE = 0
const ADULT = 1

const pixhost = (method: string, ...parameters: unknown[]): Promise<Outcome> =>
  callPackage('pixhost', method, JSON.stringify(parameters))

/** Returns the original of a response's thumbnail URL, derived as programs do. */
async function originalOf(response: Record<string, unknown>): Promise<Buffer> {
  const link = textOf(response, 'th_url').replace('//t', '//img').replace('/thumbs/', '/images/')
  return (await api.follow(link)).bytes
}

describe.skipIf(!mayRunClients())('npm pixhost 0.1.0, as published', () => {
  test.for([
    ['safe for work', SAFE, false],
    ['NSFW', ADULT, true],
  ] as const)('uploads an image that is %s', async ([, contentType, labelled]) => {
    const bytes = await jpeg(photo(640, 480))
    const response = expectResponse(
      await pixhost('uploadImage', await clientFile('Beach Day.JPG', bytes), contentType, 300),
    )
    expect(response).toEqual({
      name: 'beach-day.jpg',
      show_url: expect.stringMatching(/^https:\/\/pixhost\.to\/show\/\d+\/\d+_beach-day\.jpg$/),
      th_url: expect.stringMatching(/^https:\/\/t1\.pixhost\.to\/thumbs\/\d+\/\d+_beach-day\.jpg$/),
      thumb_width: 300,
      thumb_height: 225,
    })
    expect(await originalOf(response)).toEqual(bytes)
    const page = await api.follow(textOf(response, 'show_url'))
    expect(page.text.includes('<meta name="rating" content="adult"')).toBe(labelled)
  })

  test('uploads a cover of two images, joined side by side', async () => {
    const left = await clientFile('left.png', await png(plain(90, 120, [255, 0, 0])))
    const right = await clientFile('right.jpg', await jpeg(plain(60, 120, [0, 0, 255])))
    const response = expectResponse(await pixhost('uploadCover', [left, right], SAFE))
    expect(response).toMatchObject({ name: 'left.jpg', thumb_width: 150, thumb_height: 120 })
  })

  test('makes a gallery: creates it, uploads into it in order, finalizes it', async () => {
    const gallery = expectResponse(await pixhost('createGallery', 'Lago di Garda é'))
    expect(gallery).toEqual({
      gallery_name: 'Lago di Garda é',
      gallery_hash: expect.stringMatching(/^[A-Za-z0-9]+$/),
      gallery_url: `https://pixhost.to/gallery/${gallery.gallery_hash}`,
      gallery_upload_hash: expect.stringMatching(/^[A-Za-z0-9]+$/),
    })
    const hashes = [gallery.gallery_hash, gallery.gallery_upload_hash]
    const images = [await jpeg(photo(200, 100)), await png(plain(20, 30, [0, 255, 0])), await webp(photo(50, 50))]
    const files = await Promise.all(images.map((bytes, index) => clientFile(`picture ${3 - index}.dat`, bytes)))

    const { response: uploaded } = await pixhost('uploadAll', files, SAFE, 200, ...hashes)
    expect(uploaded).toMatchObject([{ name: 'picture-3.jpg' }, { name: 'picture-2.png' }, { name: 'picture-1.webp' }])
    const responses = Array.isArray(uploaded) ? uploaded.map((response) => expectResponse({ response })) : []
    const shows = responses.map((response) => textOf(response, 'show_url'))
    expect(await statusOf(api, shows[0] ?? '')).toBe('pending')

    expect(await pixhost('finalizeGallery', ...hashes)).toEqual({ response: 200 })
    expect(await statusOf(api, shows[0] ?? '')).toBe('available')
    expect(await Promise.all(responses.map(originalOf))).toEqual(images)
    const { text } = await api.follow(textOf(gallery, 'gallery_url'))
    expect([...text.matchAll(/<a href="([^"]*\/show\/[^"]*)"/g)].map(([, link]) => link)).toEqual(shows)
  })

  test('puts a cover into a gallery', async () => {
    const { gallery_hash, gallery_upload_hash } = expectResponse(await pixhost('createGallery', ''))
    const left = await clientFile('left.png', await png(plain(90, 120, [255, 0, 0])))
    const cover = expectResponse(await pixhost('uploadCover', [left], ADULT, gallery_hash, gallery_upload_hash))
    expect(await statusOf(api, textOf(cover, 'show_url'))).toBe('pending')
  })

  test.for([
    ['a file that is no image', 'not a picture', 200, []],
    ['a thumbnail size out of bounds', undefined, 9000, []],
    ['a gallery that does not exist', undefined, 200, ['Nowhere12345', 'x'.repeat(43)]],
  ] as const)(
    'gets a sentence, and no response object, for a rejection: %s',
    async ([, text, thumbnailSize, hashes]) => {
      const bytes = text === undefined ? await png(plain(20, 30, [0, 255, 0])) : Buffer.from(text)
      const file = await clientFile('file.png', bytes)
      expect(await pixhost('uploadImage', file, SAFE, thumbnailSize, ...hashes)).toEqual({
        refusal: expect.stringMatching(/^pixhost uploadImage [^\s{["].{10,}$/),
      })
    },
  )

  test('receives 416 when it finalizes with a wrong token', async () => {
    const { gallery_hash } = expectResponse(await pixhost('createGallery', 'Mine'))
    expect(await pixhost('finalizeGallery', gallery_hash, 'x'.repeat(43))).toEqual({ response: 416 })
  })
})
