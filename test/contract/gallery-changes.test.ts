import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { mayStartServices, sharedApi } from './support/api.ts'
import type { ApiResponse } from './support/client.ts'
import { inParallel } from './support/in-parallel.ts'
import { type CreatedGallery, expectUploaded, type Uploaded } from './support/responses.ts'
import { createGallery, galleryWithImage, LEAST_IMAGE, statusOf, uploadImage } from './support/steps.ts'

const api = sharedApi()
const UNKNOWN = 'u'.repeat(43)
/** Extensions of this service (D63), which others need not have. */
const extensions = describe.skipIf(!mayStartServices())

interface Made {
  gallery: CreatedGallery
  images: Uploaded[]
}

/** Creates a public gallery of this many images. */
async function galleryOf(count: number): Promise<Made> {
  const gallery = await createGallery(api)
  const images: Uploaded[] = []
  for (let made = 0; made < count; made++) images.push(await uploadImage(api, gallery.fields))
  await api.finalize(gallery.hash, gallery.uploadToken)
  return { gallery, images }
}

const change = (gallery: CreatedGallery, operation: string, body: unknown) =>
  api.postJson(`/management/${gallery.managementToken}/${operation}`, body)
const add = (gallery: CreatedGallery) => api.postMultipart(`/management/${gallery.managementToken}/images`, LEAST_IMAGE)

/** Returns the show URLs on the page of a gallery, in its order. */
async function shownIn(gallery: CreatedGallery): Promise<string[]> {
  const { text, status } = await api.follow(gallery.url)
  expect(status).toBe(200)
  const [, listed = ''] = /<div class="images">(.*?)<\/div>/s.exec(text) ?? []
  return [...listed.matchAll(/<a href="([^"]+)"/g)].map(([, url = '']) => url)
}

const urlsOf = (images: readonly Uploaded[]) => images.map(({ showUrl }) => showUrl)

function expectChanged(response: ApiResponse, { url }: CreatedGallery): void {
  expect([response.status, JSON.parse(response.text)]).toEqual([
    200,
    { success: true, resource_type: 'gallery', gallery_url: url },
  ])
}

extensions('an image that is added by the management token', () => {
  test('is in the gallery, last, and links stay', async () => {
    const { gallery, images } = await galleryOf(1)
    const added = expectUploaded(await add(gallery))
    expect(added.manageUrl).toBeUndefined()
    expect(await shownIn(gallery)).toEqual(urlsOf([...images, added]))
    expect(await statusOf(api, added.showUrl)).toBe('available')
    expect((await api.follow(added.thumbnailUrl)).status).toBe(200)
  })

  test('goes into an unfinished gallery too, and is pending there', async () => {
    const { gallery, image } = await galleryWithImage(api)
    const added = expectUploaded(await add(gallery))
    expect(await statusOf(api, added.showUrl)).toBe('pending')
    await api.finalize(gallery.hash, gallery.uploadToken)
    expect(await shownIn(gallery)).toEqual(urlsOf([image, added]))
  })

  test('is stored once by an Idempotency-Key, whose response is replayed after the gallery is deleted', async () => {
    const { gallery } = await galleryOf(1)
    const keyed = { headers: { 'idempotency-key': randomUUID() } }
    const post = () => api.postMultipart(`/management/${gallery.managementToken}/images`, LEAST_IMAGE, keyed)
    const first = await post()
    expect((await post()).text).toBe(first.text)
    expect(await shownIn(gallery)).toHaveLength(2)
    await api.remove(gallery.managementToken)
    expect((await post()).text).toBe(first.text)
  })

  test.for(['/order', '/remove', '/edit', '/images'])('the token is judged before the body: %s', async (operation) => {
    const { gallery } = await galleryOf(1)
    const post = (token: string) => api.postUrlencoded(`/management/${token}${operation}`, {})
    expect(await codeOf(post(UNKNOWN))).toEqual([404, 'management_token_not_found'])
    expect((await post(gallery.managementToken)).status).toBe(400)
    await api.remove(gallery.managementToken)
    expect(await codeOf(post(gallery.managementToken))).toEqual([410, 'content_deleted'])
  })

  test('the token of an image adds, moves and removes nothing', async () => {
    const own = await uploadImage(api, { include_manage_url: '1' })
    for (const operation of ['order', 'remove', 'cover']) {
      const response = api.postJson(`/management/${own.managementToken}/${operation}`, { images: [own.showUrl] })
      expect(await codeOf(response)).toEqual([422, 'operation_not_allowed'])
    }
    const added = api.postMultipart(`/management/${own.managementToken}/images`, LEAST_IMAGE)
    expect(await codeOf(added)).toEqual([422, 'operation_not_allowed'])
  })
})

extensions('positions at upload', () => {
  test('order images that are sent at once; those without one come after, in order of arrival', async () => {
    const gallery = await createGallery(api)
    const positions = [3, 1, 4, 0, 2]
    const sent = await inParallel(positions, 5, async (position) => ({
      position,
      image: await uploadImage(api, { ...gallery.fields, position: String(position) }),
    }))
    const last = await uploadImage(api, gallery.fields)
    await api.finalize(gallery.hash, gallery.uploadToken)
    const inOrder = sent.toSorted((one, other) => one.position - other.position).map(({ image }) => image)
    expect(await shownIn(gallery)).toEqual(urlsOf([...inOrder, last]))
  })

  test.for([
    ['9007199254740991', 200],
    ['9007199254740992', 422],
    ['-1', 422],
    ['1.5', 422],
    ['', 200],
  ] as const)('%s is %i', async ([position, status]) => {
    const { fields } = await createGallery(api)
    expect((await api.uploadImage({ ...LEAST_IMAGE, ...fields, position })).status).toBe(status)
  })
})

extensions('the order of a gallery', () => {
  let made: Made
  beforeAll(async () => {
    made = await galleryOf(4)
  })

  test('is that of a list of all images; a part is moved before or after another, or to the beginning', async () => {
    const { gallery, images } = made
    const [a = '', b = '', c = '', d = ''] = urlsOf(images)
    expectChanged(await change(gallery, 'order', { images: [d, c, b, a] }), gallery)
    expect(await shownIn(gallery)).toEqual([d, c, b, a])
    expectChanged(await change(gallery, 'order', { images: [a, d], before: c }), gallery)
    expectChanged(await change(gallery, 'order', { images: [a, d], before: c }), gallery)
    expect(await shownIn(gallery)).toEqual([a, d, c, b])
    expectChanged(await change(gallery, 'order', { images: a, after: b }), gallery)
    expect(await shownIn(gallery)).toEqual([d, c, b, a])
    const text = await api.postUrlencoded(`/management/${gallery.managementToken}/order`, {
      images: [a, b].map((url) => new URL(url).pathname).join('\n'),
    })
    expectChanged(text, gallery)
    expect(await shownIn(gallery)).toEqual([a, b, d, c])
  })

  test('is that of the neighbours, the ZIP and the images that are added later', async () => {
    const { gallery, images } = await galleryOf(3)
    const [a, b, c] = images
    await change(gallery, 'order', { images: urlsOf(images).toReversed() })
    const added = expectUploaded(await add(gallery))
    const order = urlsOf([c, b, a, added].filter((image) => image !== undefined))
    expect(await shownIn(gallery)).toEqual(order)
    const page = await api.follow(order[1] ?? '')
    expect([
      /rel="prev" href="([^"?]+)/.exec(page.text)?.[1],
      /rel="next" href="([^"?]+)/.exec(page.text)?.[1],
    ]).toEqual([order[0], order[2]])
  })

  test.for([
    ['no image', {}, 'missing_field'],
    ['a number', { images: [1] }, 'invalid_option'],
    ['both sides', { images: ['x'], before: 'y', after: 'z' }, 'invalid_option'],
    ['too many', { images: Array<string>(1001).fill('x') }, 'invalid_option'],
    ['an unknown image', { images: ['x'] }, 'image_not_in_gallery'],
  ] as const)('refuses %s', async ([, body, code]) => {
    expect((await codeOf(change(made.gallery, 'order', body)))[1]).toBe(code)
  })

  test('refuses images of other galleries, and to move an image beside itself', async () => {
    const { gallery, images } = made
    const other = await uploadImage(api)
    const [a = ''] = urlsOf(images)
    expect((await codeOf(change(gallery, 'order', { images: [other.showUrl] })))[1]).toBe('image_not_in_gallery')
    expect((await codeOf(change(gallery, 'order', { images: [a], before: other.showUrl })))[1]).toBe(
      'image_not_in_gallery',
    )
    expect((await codeOf(change(gallery, 'order', { images: [a], after: a })))[1]).toBe('invalid_option')
  })
})

extensions('images that are removed', () => {
  test('are deleted, all or none, and again without an error', async () => {
    const { gallery, images } = await galleryOf(3)
    const [a = '', b = '', c = ''] = urlsOf(images)
    const other = await uploadImage(api)
    const mixed = change(gallery, 'remove', { images: [a, other.showUrl] })
    expect((await codeOf(mixed))[1]).toBe('image_not_in_gallery')
    expect(await shownIn(gallery)).toEqual([a, b, c])
    expectChanged(await change(gallery, 'remove', { images: [a, b] }), gallery)
    expectChanged(await change(gallery, 'remove', { images: [a, b] }), gallery)
    expect(await shownIn(gallery)).toEqual([c])
    expect([await statusOf(api, a), await statusOf(api, other.showUrl)]).toEqual(['deleted', 'available'])
    expect((await api.follow(images[0]?.thumbnailUrl ?? '')).status).toBe(404)
    // A list of all images stays valid.
    expectChanged(await change(gallery, 'order', { images: [c, b, a] }), gallery)
    expect((await codeOf(change(gallery, 'order', { images: [c], before: a })))[1]).toBe('image_not_in_gallery')
  })
})

extensions('the cover image', () => {
  const preview = async (gallery: CreatedGallery) =>
    /property="og:image" content="([^"]+)"/.exec((await api.follow(gallery.url)).text)?.[1]
  const isOf = ({ showUrl }: Uploaded) => expect.stringContaining(showUrl.split('/show/')[1] ?? '?')

  test('is that of link previews until it is removed or none is chosen', async () => {
    const { gallery, images } = await galleryOf(3)
    const [a, b, c] = images
    if (!a || !b || !c) throw new Error('three images')
    expect(await preview(gallery)).toEqual(isOf(a))
    expectChanged(await change(gallery, 'cover', { image: c.showUrl }), gallery)
    expect(await preview(gallery)).toEqual(isOf(c))
    expect(await shownIn(gallery)).toEqual(urlsOf(images))
    await change(gallery, 'cover', { image: '' })
    expect(await preview(gallery)).toEqual(isOf(a))
    await change(gallery, 'cover', { image: b.showUrl })
    await change(gallery, 'remove', { images: [b.showUrl] })
    expect(await preview(gallery)).toEqual(isOf(a))
    expect((await codeOf(change(gallery, 'cover', { image: b.showUrl })))[1]).toBe('image_not_in_gallery')
  })
})

extensions('captions and alternative texts', () => {
  test('are on the pages of the image and its gallery, whose markup for programs stays', async () => {
    const gallery = await createGallery(api)
    const fields = { ...gallery.fields, caption: ' A  "cat"\r\n</style><b> 🐈 ', alt: 'Two cats & a dog' }
    const image = await uploadImage(api, fields)
    await api.finalize(gallery.hash, gallery.uploadToken)
    const id = image.showUrl.split('/').at(-1)
    const page = await api.follow(image.showUrl)
    expect(page.text).toMatch(
      new RegExp(`<img id="image" class="image-img" src="[^"]+" alt="${id}"[^>]* aria-label="Two cats`),
    )
    expect(page.text).toContain('<p class="caption" dir="auto">A &quot;cat&quot; &lt;/style&gt;&lt;b&gt; 🐈</p>')
    expect(page.text).toContain('<meta property="og:image:alt" content="Two cats &amp; a dog"')
    const { text } = await api.follow(gallery.url)
    expect(text).toMatch(
      new RegExp(`<a href="${image.showUrl}"><img src="[^"]+" alt="${id}"[^>]* aria-label="Two cats`),
    )
    expect(text).toContain(String.raw`{--badge:"A \"cat\" \3c /style>\3c b> 🐈"}`)
  })

  test('are edited, erased and kept, one by one', async () => {
    const { gallery, images } = await galleryOf(1)
    const [image] = urlsOf(images)
    const edit = async (body: object) => JSON.parse((await change(gallery, 'edit', { image, ...body })).text)
    expect(await edit({ caption: 'C', alt: 'A' })).toEqual({
      success: true,
      resource_type: 'image',
      show_url: image,
      caption: 'C',
      alt: 'A',
    })
    expect(await edit({ caption: '' })).toMatchObject({ caption: '', alt: 'A' })
    expect((await api.follow(image ?? '')).text).not.toContain('class="caption"')
  })

  test('of a standalone image are edited by its own token', async () => {
    const { managementToken = '', showUrl } = await uploadImage(api, { include_manage_url: '1', caption: 'before' })
    expect((await api.follow(showUrl)).text).toContain('before</p>')
    const edited = await api.postUrlencoded(`/management/${managementToken}/edit`, { caption: 'after' })
    expect(edited.status).toBe(200)
    expect((await api.follow(showUrl)).text).toContain('after</p>')
  })

  test.for([
    ['1,000 characters of four bytes', '🐈'.repeat(1000), 200],
    ['one more', '🐈'.repeat(1001), 422],
    ['a control character', 'a\u0007b', 422],
    ['a right-to-left override', 'a\u202eb', 422],
    ['a zero-width joiner', '👩\u200d🚀', 200],
  ] as const)('%s', async ([, caption, status]) => {
    expect((await api.uploadImage({ ...LEAST_IMAGE, caption })).status).toBe(status)
  })

  test('need an image of the gallery, and a text', async () => {
    const { gallery, images } = await galleryOf(1)
    expect((await codeOf(change(gallery, 'edit', { caption: 'x' })))[1]).toBe('missing_field')
    expect((await codeOf(change(gallery, 'edit', { image: images[0]?.showUrl })))[1]).toBe('missing_field')
    expect((await codeOf(change(gallery, 'edit', { image: 'x', alt: 'x' })))[1]).toBe('image_not_in_gallery')
  })
})

/** Returns the status and the code of an error. */
async function codeOf(response: Promise<ApiResponse>): Promise<[status: number, code: string]> {
  const { status, text } = await response
  return [status, JSON.parse(text).error]
}
