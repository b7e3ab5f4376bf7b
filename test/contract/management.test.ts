import { describe, expect, test } from 'vitest'
import { sharedApi } from './support/api.ts'
import { expectApiError, expectJson } from './support/responses.ts'
import { createGallery, galleryWithImage, statusOf, uploadCover, uploadImage } from './support/steps.ts'

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
