import { describe, expect, test } from 'vitest'
import { readZip } from '../support/zip.ts'
import { sharedApi } from './support/api.ts'
import { file } from './support/multipart-body.ts'
import type { Uploaded } from './support/responses.ts'
import { expectApiError, expectJson } from './support/responses.ts'
import { createGallery, galleryWithImage, SMALL_PNG, statusOf, uploadCover, uploadImage } from './support/steps.ts'

const api = sharedApi()
const WITH_TOKEN = { include_manage_url: '1' }

describe('Management token: states', () => {
  test('active | delete succeeds | valid token | revoked | further use returns 410', async () => {
    const { managementToken } = await uploadImage(api, WITH_TOKEN)
    expectJson(await api.remove(managementToken))
    expectApiError(await api.remove(managementToken), 410)
    expectApiError(await api.rename(managementToken, 'x'), 410)
    expect((await api.get(`/manage/${managementToken}`)).status).toBe(410)
  })

  test('active | rename succeeds (gallery token) | valid name | active | gallery URL unchanged', async () => {
    const { managementToken, url } = await createGallery(api, 'first')
    expect(expectJson(await api.rename(managementToken, 'second'))).toMatchObject({ gallery_url: url })
    expect(expectJson(await api.rename(managementToken, 'third'))).toMatchObject({
      gallery_url: url,
      gallery_name: 'third',
    })
  })

  test('revoked | any management call | 410', async () => {
    const { managementToken } = await createGallery(api)
    expectJson(await api.remove(managementToken))
    for (let time = 0; time < 2; time++) {
      expectApiError(await api.remove(managementToken), 410)
      expectApiError(await api.rename(managementToken, 'x'), 410)
      expect((await api.get(`/manage/${managementToken}`)).status).toBe(410)
    }
  })
})

describe('a missing or invalid management token is 404', () => {
  const length = 43
  test.for([
    ['unknown', 'u'.repeat(length)],
    ['too short', 'u'.repeat(length - 1)],
    ['too long', 'u'.repeat(length + 1)],
    ['a character outside A-Z a-z 0-9 _ -', `${'u'.repeat(length - 1)}.`],
    ['percent-encoded', `${'u'.repeat(length - 1)}%41`],
    ['a broken percent-encoding', `${'u'.repeat(length - 1)}%zz`],
    ['bytes that are no UTF-8', '%ff'],
    ['a NUL', '%00'],
    ['very long', 'u'.repeat(4000)],
  ] as const)('%s', async ([, token]) => {
    expectApiError(await api.remove(token), 404)
    expectApiError(await api.rename(token, 'x'), 404)
    expect((await api.get(`/manage/${token}`)).status).toBe(404)
  })

  test('tokens of other kinds, and changed letter case', async () => {
    const gallery = await createGallery(api)
    const swapped = gallery.managementToken.replace(/[a-z]/gi, (c) =>
      c === c.toLowerCase() ? c.toUpperCase() : c.toLowerCase(),
    )
    for (const token of [gallery.uploadToken, gallery.hash, swapped]) {
      expectApiError(await api.remove(token), 404)
    }
    expectJson(await api.remove(gallery.managementToken))
  })
})

describe('POST /management/{token}/delete', () => {
  test('deletes a standalone image: page, thumbnail and original are gone', async () => {
    const { managementToken, showUrl, thumbnailUrl, originalUrl } = await uploadImage(api, WITH_TOKEN)
    for (const link of [showUrl, thumbnailUrl, originalUrl]) expect((await api.follow(link)).status).toBe(200)
    expectJson(await api.remove(managementToken))
    for (const link of [showUrl, thumbnailUrl, originalUrl]) expect((await api.follow(link)).status).toBe(404)
    expect(await statusOf(api, showUrl)).toBe('deleted')
  })

  test('deletes a standalone cover', async () => {
    const { managementToken, showUrl } = await uploadCover(api, WITH_TOKEN)
    expectJson(await api.remove(managementToken))
    expect(await statusOf(api, showUrl)).toBe('deleted')
  })

  test.for([false, true])('deletes a gallery with all its images (finalized: %s)', async (finalized) => {
    const { gallery, image } = await galleryWithImage(api, { finalized })
    expectJson(await api.remove(gallery.managementToken))
    expect(await statusOf(api, image.showUrl)).toBe('deleted')
    for (const link of [gallery.url, image.showUrl, image.thumbnailUrl, image.originalUrl]) {
      expect((await api.follow(link)).status).toBe(404)
    }
  })

  test('deletes nothing else', async () => {
    const [first, second] = [await uploadImage(api, WITH_TOKEN), await uploadImage(api, WITH_TOKEN)]
    expectJson(await api.remove(first.managementToken))
    expect(await statusOf(api, second.showUrl)).toBe('available')
    expect((await api.follow(second.originalUrl)).status).toBe(200)
  })

  test.for([
    ['image', async () => (await uploadImage(api, WITH_TOKEN)).managementToken],
    ['gallery', async () => (await galleryWithImage(api)).gallery.managementToken],
  ] as const)(
    'exactly one of several simultaneous deletes of a %s is 200, the others are 410 (D17)',
    async ([, make]) => {
      for (let round = 0; round < 5; round++) {
        const token = await make()
        const responses = await Promise.all(Array.from({ length: 12 }, () => api.remove(token)))
        const statuses = responses.map(({ status }) => status).sort()
        expect(statuses).toEqual([200, ...Array.from({ length: 11 }, () => 410)])
      }
    },
  )

  test('works on every host of the service, not only the one that issued the token', async () => {
    const { managementToken } = await uploadImage(api, WITH_TOKEN, { host: 'one.example' })
    expectJson(await api.remove(managementToken, { host: 'api.two.example' }))
  })
})

describe('POST /management/{token}/rename', () => {
  test('only gallery tokens support rename', async () => {
    const image = await uploadImage(api, WITH_TOKEN)
    const cover = await uploadCover(api, WITH_TOKEN)
    expectApiError(await api.rename(image.managementToken, 'x'), 422)
    expectApiError(await api.rename(cover.managementToken, 'x'), 422)
    expect(await statusOf(api, image.showUrl)).toBe('available')
  })

  test('a renamed gallery shows its new name', async () => {
    const { gallery } = await galleryWithImage(api, { finalized: true, name: 'old name' })
    expect((await api.follow(gallery.url)).text).toContain('old name')
    await api.rename(gallery.managementToken, 'new name')
    const { text } = await api.follow(gallery.url)
    expect(text).toContain('new name')
    expect(text).not.toContain('old name')
  })

  test('renaming to the same name is a success', async () => {
    const { managementToken } = await createGallery(api, 'same')
    expect(expectJson(await api.rename(managementToken, 'same')).gallery_name).toBe('same')
  })

  test('renaming to an empty name makes it untitled', async () => {
    const { managementToken } = await createGallery(api, 'titled')
    expect(expectJson(await api.rename(managementToken, '')).gallery_name).toBe('')
  })
})

describe('opening manage_url in a browser (GET) only shows a confirmation page and never modifies or deletes', () => {
  test.for(['image', 'gallery'] as const)('%s', async (kind) => {
    const { gallery, image } = await galleryWithImage(api, { finalized: true, name: 'kept' })
    const standalone = await uploadImage(api, WITH_TOKEN)
    const token = kind === 'image' ? standalone.managementToken : gallery.managementToken
    const query = ['', '?action=delete', '?action=rename&name=changed']
    for (const end of query) {
      expect(await api.get(`/manage/${token}${end}`)).toMatchObject({ status: 200 })
      expect(await api.get(`/manage/${token}${end}`, { method: 'HEAD' })).toMatchObject({ status: 200, text: '' })
    }
    expect(await statusOf(api, standalone.showUrl)).toBe('available')
    expect(await statusOf(api, image.showUrl)).toBe('available')
    expect((await api.follow(gallery.url)).text).toContain('kept')
  })

  test('GET and HEAD on the operations themselves change nothing either', async () => {
    const { managementToken, showUrl } = await uploadImage(api, WITH_TOKEN)
    for (const method of ['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS']) {
      await api.send({ method, path: `/management/${managementToken}/delete` })
    }
    expect(await statusOf(api, showUrl)).toBe('available')
  })

  test('the page of an image offers no rename, that of a gallery does', async () => {
    const image = await api.get(`/manage/${(await uploadImage(api, WITH_TOKEN)).managementToken}`)
    const gallery = await api.get(`/manage/${(await createGallery(api)).managementToken}`)
    expect([image.text.includes('rename'), gallery.text.includes('rename')]).toEqual([false, true])
  })

  test('posting the form of the page deletes', async () => {
    const { managementToken, showUrl } = await uploadImage(api, WITH_TOKEN)
    const { text } = await api.get(`/manage/${managementToken}`)
    const action = /<form[^>]*method="post"[^>]*action="([^"]+)"|<form[^>]*action="([^"]+)"[^>]*method="post"/.exec(
      text,
    )
    const target = new URL(action?.[1] ?? action?.[2] ?? '', `https://one.example/manage/${managementToken}`)
    const posted = await api.postUrlencoded(target.pathname, { action: 'delete', confirm: 'yes' })
    expect(posted.status).toBeLessThan(400)
    expect(await statusOf(api, showUrl)).toBe('deleted')
  })

  test('posting the form of the page renames', async () => {
    const { gallery } = await galleryWithImage(api, { finalized: true, name: 'before' })
    const posted = await api.postUrlencoded(`/manage/${gallery.managementToken}`, { action: 'rename', name: 'by form' })
    expect(posted.status).toBeLessThan(400)
    expect((await api.follow(gallery.url)).text).toContain('by form')
  })
})

/** D58: "The management page of a gallery deletes single images." */
describe('the management page of a gallery', () => {
  const pathOf = ({ showUrl }: Uploaded) => new URL(showUrl).pathname.replace('/show/', '')
  const remove = (token: string, image: Uploaded) =>
    api.postUrlencoded(`/manage/${token}`, { action: 'delete-image', image: pathOf(image) })

  async function publicGallery(names: readonly string[]) {
    const gallery = await createGallery(api)
    const images: Uploaded[] = []
    for (const name of names) images.push(await uploadImage(api, { img: file(name, SMALL_PNG), ...gallery.fields }))
    await api.finalize(gallery.hash, gallery.uploadToken)
    return { gallery, images, token: gallery.managementToken }
  }

  test('lists its images, with no other token than its own', async () => {
    const { images, token } = await publicGallery(['a.png', 'b.png'])
    const { text, headers } = await api.get(`/manage/${token}`)
    const listed = [...text.matchAll(/name="image" value="([^"]+)"/g)].map(([, path]) => path)
    expect(listed).toEqual(images.map(pathOf))
    expect(new Set(text.match(/[A-Za-z0-9_-]{43}/g))).toEqual(new Set([token]))
    expect(headers['cache-control']).toBe('no-store')
  })

  test('deletes one of them, everywhere at once: page, files, status, count, first image, neighbours and ZIP', async () => {
    const { gallery, images, token } = await publicGallery(['a.png', 'b.png', 'c.png'])
    const [first, second, third] = images
    if (!first || !second || !third) throw new Error('three images are uploaded')
    // Whatever is cached by now must not be seen again.
    for (const { showUrl, originalUrl, thumbnailUrl } of images) {
      for (const url of [showUrl, originalUrl, thumbnailUrl, gallery.url]) await api.follow(url)
    }
    const removed = await remove(token, first)
    expect(removed.status).toBe(200)
    expect(removed.text).toContain('a.png deleted.')
    expect(removed.text).not.toContain(`value="${pathOf(first)}"`)
    for (const url of [first.showUrl, first.originalUrl, first.thumbnailUrl]) {
      expect((await api.follow(url)).status, url).toBe(404)
    }
    expect(await Promise.all(images.map(({ showUrl }) => statusOf(api, showUrl)))).toEqual([
      'deleted',
      'available',
      'available',
    ])
    const { text } = await api.follow(gallery.url)
    expect(text).toContain('2 pictures')
    expect(text).not.toContain(pathOf(first))
    const preview = /<meta property="og:image" content="([^"]+)"/.exec(text)?.[1] ?? ''
    expect(preview).toContain(pathOf(second))
    const neighbour = (await api.follow(second.showUrl)).text
    expect(neighbour).toContain('1 of 2 in')
    expect(neighbour).not.toContain(pathOf(first))
    const zip = await api.get(`${new URL(gallery.url).pathname}/download`)
    expect(readZip(zip.bytes).map(({ name }) => name)).toEqual(['b.png', 'c.png'])
  })

  test('exactly one of several simultaneous deletes is 200, the others are 410, and the gallery stays', async () => {
    const { images, token } = await publicGallery(['a.png', 'b.png'])
    const [first, second] = images
    if (!first || !second) throw new Error('two images are uploaded')
    const statuses = (await Promise.all([1, 2, 3, 4].map(() => remove(token, first)))).map(({ status }) => status)
    expect(statuses.toSorted()).toEqual([200, 410, 410, 410])
    expect((await remove(token, first)).text).toContain('Already deleted')
    expect(await statusOf(api, second.showUrl)).toBe('available')
  })

  test('the last image may go: the gallery is empty, keeps its address and its token, and can be deleted', async () => {
    const { gallery, images, token } = await publicGallery(['a.png'])
    for (const image of images) expect((await remove(token, image)).status).toBe(200)
    const { status, text } = await api.follow(gallery.url)
    expect([status, text.includes('0 pictures')]).toEqual([200, true])
    expect((await api.get(`${new URL(gallery.url).pathname}/download`)).status).toBe(200)
    expect((await api.get(`/manage/${token}`)).status).toBe(200)
    expect((await api.remove(token)).status).toBe(200)
  })

  test('deletes nothing of another gallery, of none, or by another token', async () => {
    const [one, other] = [await publicGallery(['a.png']), await publicGallery(['a.png'])]
    const alone = await uploadImage(api, WITH_TOKEN)
    const [theirs] = other.images
    if (!theirs) throw new Error('an image is uploaded')
    const refused = [
      await remove(one.token, theirs),
      await remove(one.token, alone),
      await remove(alone.managementToken, theirs),
      await remove('A'.repeat(43), theirs),
      await api.postUrlencoded(`/manage/${one.token}`, { action: 'delete-image' }),
      await api.postUrlencoded(`/manage/${other.token}`, { action: 'delete-image', image: `${pathOf(theirs)}x` }),
    ]
    expect(refused.map(({ status }) => status)).toEqual([404, 404, 422, 404, 404, 404])
    for (const { showUrl } of [theirs, alone]) expect(await statusOf(api, showUrl)).toBe('available')
  })

  test('an image of an unfinished gallery is not listed, since nobody may see it, but can be deleted', async () => {
    const gallery = await createGallery(api)
    const [first, second] = [await uploadImage(api, gallery.fields), await uploadImage(api, gallery.fields)]
    expect((await api.get(`/manage/${gallery.managementToken}`)).text).not.toContain(pathOf(first))
    expect((await remove(gallery.managementToken, first)).status).toBe(200)
    await api.finalize(gallery.hash, gallery.uploadToken)
    expect((await api.follow(gallery.url)).text).toContain('1 picture')
    expect(await statusOf(api, second.showUrl)).toBe('available')
  })
})
