import { describe, expect, test } from 'vitest'
import { sharedApi } from './support/api.ts'
import { type ApiResponse, header } from './support/client.ts'
import { photo, png } from './support/images.ts'
import { file } from './support/multipart-body.ts'
import { expectApiError, expectJson } from './support/responses.ts'
import { createGallery, galleryWithImage, previewUrlOf, uploadImage } from './support/steps.ts'

/** oEmbed 1.0: https://oembed.com. */

const api = sharedApi()
const PROVIDER = { version: '1.0', provider_name: 'Tintype', provider_url: 'https://one.example/' }
const CACHE_AGE_S = 4 * 3600
const photoFile = file('lake.png', await png(photo(400, 300)))

function embed(url: string, more: Readonly<Record<string, string>> = {}): Promise<ApiResponse> {
  return api.get(`/oembed?${new URLSearchParams({ url, ...more })}`)
}

describe('an image is a photo', () => {
  test('the original if it fits, with its thumbnail', async () => {
    const { showUrl, originalUrl, thumbnailUrl } = await uploadImage(api, { img: photoFile })
    expect(expectJson(await embed(showUrl))).toEqual({
      type: 'photo',
      url: originalUrl,
      width: 400,
      height: 300,
      ...PROVIDER,
      title: 'lake.png',
      cache_age: CACHE_AGE_S,
      thumbnail_url: thumbnailUrl,
      thumbnail_width: 200,
      thumbnail_height: 150,
    })
  })

  test.for([
    ['400', '300', 'photo', 400],
    ['399', '300', 'photo', 200],
    ['400', '299', 'photo', 200],
    ['200', '150', 'photo', 200],
    ['199', '150', 'link', undefined],
    ['200', '149', 'link', undefined],
    ['', '', 'photo', 400],
  ] as const)('maxwidth %s, maxheight %s: a %s, %s wide', async ([maxwidth, maxheight, type, width]) => {
    const { showUrl, thumbnailUrl } = await uploadImage(api, { img: photoFile })
    const response = expectJson(await embed(showUrl, { maxwidth, maxheight }))
    expect([response.type, response.width]).toEqual([type, width])
    expect(response.thumbnail_url).toBe(type === 'photo' ? thumbnailUrl : undefined)
    if (width === 200) expect(response.url).toBe(thumbnailUrl)
  })

  test('the preview of a larger image', async () => {
    const { showUrl, thumbnailUrl } = await uploadImage(api, { img: file('large.png', await png(photo(1600, 1200))) })
    expect(expectJson(await embed(showUrl))).toMatchObject({
      type: 'photo',
      url: previewUrlOf({ thumbnailUrl }),
      width: 1280,
      height: 960,
      thumbnail_url: thumbnailUrl,
    })
  })

  test('the links are on the requested domain', async () => {
    const { showUrl } = await uploadImage(api)
    const response = await api.get(`/oembed?url=${encodeURIComponent(showUrl)}`, { host: 'www.two.example' })
    expect(expectJson(response)).toMatchObject({
      url: expect.stringMatching(/^https:\/\/img1\.two\.example\/images\//),
      provider_url: 'https://two.example/',
    })
  })
})

test('an adult image is a link without any image', async () => {
  const { showUrl, name } = await uploadImage(api, { img: photoFile, content_type: '1' })
  const response = await embed(showUrl)
  expect(expectJson(response)).toEqual({ type: 'link', ...PROVIDER, title: name, cache_age: CACHE_AGE_S })
  expect(response.text).not.toMatch(/thumbs|images/)
})

test('a gallery is a link with its name', async () => {
  const { gallery } = await galleryWithImage(api, { finalized: true, name: 'Trip & 3' })
  expect(expectJson(await embed(gallery.url))).toEqual({
    type: 'link',
    ...PROVIDER,
    title: 'Trip & 3',
    cache_age: CACHE_AGE_S,
  })
})

test('an untitled gallery has its label for a title', async () => {
  const { gallery } = await galleryWithImage(api, { finalized: true })
  expect(expectJson(await embed(gallery.url)).title).toMatch(/untitled/i)
})

describe('discovery: pages name the address, whose content describes the page', () => {
  test.for([
    ['an image', async () => (await uploadImage(api)).showUrl],
    ['an adult image', async () => (await uploadImage(api, { content_type: '1' })).showUrl],
    ['a gallery', async () => (await galleryWithImage(api, { finalized: true, name: 'A & B' })).gallery.url],
  ] as const)('%s', async ([, made]) => {
    const url = await made()
    const { text } = await api.follow(url)
    const [link = ''] = text.match(/<link [^>]*type="application\/json\+oembed"[^>]*>/) ?? []
    expect(link).toContain(' rel="alternate"')
    const href = /href="([^"]*)"/.exec(link)?.[1]?.replaceAll('&amp;', '&') ?? ''
    expect(expectJson(await api.follow(href))).toEqual(expectJson(await embed(url)))
  })
})

describe('format', () => {
  test('json is the default and can be requested', async () => {
    const { showUrl } = await uploadImage(api)
    expect(expectJson(await embed(showUrl, { format: 'json' }))).toEqual(expectJson(await embed(showUrl)))
  })

  test('xml has the same fields', async () => {
    const { gallery, image } = await galleryWithImage(api, { finalized: true, name: 'Trip & 3' })
    const response = await embed(gallery.url, { format: 'xml' })
    expect([response.status, header(response, 'content-type')]).toEqual([200, 'text/xml; charset=UTF-8'])
    expect(response.text).toBe(
      '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n' +
        '<oembed><type>link</type><version>1.0</version><title>Trip &amp; 3</title><provider_name>Tintype</provider_name>' +
        '<provider_url>https://one.example/</provider_url><cache_age>14400</cache_age></oembed>\n',
    )
    const { text } = await embed(image.showUrl, { format: 'xml' })
    for (const [name, value] of Object.entries(expectJson(await embed(image.showUrl)))) {
      expect(text).toContain(`<${name}>${String(value)}</${name}>`)
    }
  })

  test.for(['html', 'JSON', 'constructor'])('%s is 501', async (format) => {
    const { showUrl } = await uploadImage(api)
    expectApiError(await embed(showUrl, { format }), 501)
  })
})

describe('content that cannot be embedded', () => {
  test.for([
    [400, 'no url', '/oembed'],
    [400, 'an empty url', '/oembed?url='],
    [400, 'a path', '/oembed?url=/gallery/abcdefghij12'],
    [400, 'another scheme', '/oembed?url=javascript:alert(1)'],
    [404, 'another site', '/oembed?url=https://other.example/gallery/abcdefghij12'],
    [404, 'a page of no content', '/oembed?url=https://one.example/'],
    [404, 'an unknown gallery', '/oembed?url=https://one.example/gallery/abcdefghij12'],
    [404, 'an unknown picture', '/oembed?url=https://one.example/show/1/2_a.png'],
  ] as const)('%i: %s', async ([status, , path]) => {
    expectApiError(await api.get(path), status)
  })

  test('404: an unfinished gallery and its image, a deleted image', async () => {
    const { gallery, image } = await galleryWithImage(api)
    const deleted = await uploadImage(api, { include_manage_url: '1' })
    await api.remove(deleted.managementToken)
    for (const url of [gallery.url, image.showUrl, deleted.showUrl, (await createGallery(api)).url]) {
      expectApiError(await embed(url), 404)
    }
  })

  test.for(['0', '-1', 'x', '1.5'])('422: maxwidth %s', async (maxwidth) => {
    const { showUrl } = await uploadImage(api)
    expectApiError(await embed(showUrl, { maxwidth }), 422)
    expectApiError(await embed(showUrl, { maxheight: maxwidth }), 422)
  })
})

test('any web page may send requests, and read errors too', async () => {
  const { showUrl } = await uploadImage(api)
  for (const response of [await embed(showUrl), await api.get('/oembed'), await embed(showUrl, { format: 'html' })]) {
    expect(header(response, 'access-control-allow-origin')).toBe('*')
  }
})

test('HEAD is like GET without a body', async () => {
  const { showUrl } = await uploadImage(api)
  const response = await api.get(`/oembed?url=${encodeURIComponent(showUrl)}`, { method: 'HEAD' })
  expect(response).toMatchObject({ status: 200, text: '' })
})
