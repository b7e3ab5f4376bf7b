import { describe, expect, test } from 'vitest'
import { sharedApi } from './support/api.ts'
import { FORMATS, photo } from './support/images.ts'
import { file } from './support/multipart-body.ts'
import { expectCreated, expectJson } from './support/responses.ts'
import { createGallery, galleryWithImage, SMALL_PNG, statusOf, uploadCover, uploadImage } from './support/steps.ts'

const api = sharedApi()
const port = new URL(api.baseUrl).port

describe('D5: every link has the domain of the requested host; an unknown host gets the first domain', () => {
  test.for([
    ['one.example', 'one.example'],
    ['www.one.example', 'one.example'],
    ['api.one.example', 'one.example'],
    ['two.example', 'two.example'],
    ['www.two.example', 'two.example'],
    ['api.two.example', 'two.example'],
    ['three.example', 'three.example'],
    ['api.three.example', 'three.example'],
    ['API.Two.Example', 'two.example'],
    ['unknown.example', 'one.example'],
    ['evil.example', 'one.example'],
    ['two.example.evil.example', 'one.example'],
    ['nottwo.example', 'one.example'],
    ['a.two.example', 'one.example'],
    ['api.www.two.example', 'one.example'],
    ['192.0.2.1', 'one.example'],
    ['example', 'one.example'],
  ] as const)('%s -> %s', async ([host, domain]) => {
    const image = await uploadImage(api, { include_manage_url: '1' }, { host })
    const cover = await uploadCover(api, { include_manage_url: '1' }, { host })
    for (const { showUrl, thumbnailUrl, manageUrl } of [image, cover]) {
      expect(showUrl).toMatch(new RegExp(`^https://${domain}/show/`))
      expect(thumbnailUrl).toMatch(new RegExp(`^https://t1\\.${domain}/thumbs/`))
      expect(manageUrl).toMatch(new RegExp(`^https://${domain}/manage/`))
    }
    const gallery = await createGallery(api, '', { host })
    expect(gallery.url).toBe(`https://${domain}/gallery/${gallery.hash}`)
    expect(gallery.manageUrl).toBe(`https://${domain}/manage/${gallery.managementToken}`)
    const renamed = expectJson(await api.rename(gallery.managementToken, 'x', { host }))
    expect(renamed.gallery_url).toBe(gallery.url)
  })

  test.for(['a b', '[', '<script>', 'one.example:port', 'ｅ', '%00'])(
    '%j makes no URL -> one.example',
    async (host) => {
      const { showUrl } = await uploadImage(api, {}, { host: Buffer.from(host).toString('latin1') })
      expect(showUrl).toMatch(/^https:\/\/one\.example\//)
      expect((await api.follow(showUrl, { host: 'a b' })).status).toBe(200)
    },
  )

  test('headers of the simulators do not change the domain', async () => {
    const headers = { 'MF-Original-URL': 'https://evil.example/x', 'MF-Route-Override': 'other', 'MF-CF-Blob': '{' }
    const { showUrl } = await uploadImage(api, {}, { host: 'two.example', headers })
    expect(showUrl).toMatch(/^https:\/\/two\.example\//)
  })

  test('forwarding headers do not change the domain', async () => {
    const headers = { 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example', 'x-forwarded-proto': 'http' }
    const { showUrl } = await uploadImage(api, {}, { host: 'two.example', headers })
    expect(showUrl).toMatch(/^https:\/\/two\.example\//)
  })

  test('the links of a page have the domain of the page', async () => {
    const { gallery, image } = await galleryWithImage(api, { finalized: true })
    for (const host of ['www.two.example', 'three.example']) {
      const domain = host.replace('www.', '')
      const show = (await api.follow(image.showUrl, { host })).text
      expect(show).toContain(image.originalUrl.replace('one.example', domain))
      expect(show).toContain(gallery.url.replace('one.example', domain))
      const page = (await api.follow(gallery.url, { host })).text
      expect(page).toContain(image.showUrl.replace('one.example', domain))
      expect(page).toContain(image.thumbnailUrl.replace('one.example', domain))
      expect(show + page).not.toContain('//one.example')
    }
  })
})

describe('D5: hosts below no public domain never look like this service', () => {
  test.for(['blog.one.example', 'unknown.example', 'a b', '192.0.2.1'])('%s', async (host) => {
    for (const path of ['/', '/uploads', '/manifest.webmanifest']) {
      const { status, text } = await api.get(path, { host })
      expect({ path, status }).toEqual({ path, status: 404 })
      expect(text).not.toContain(host)
    }
    expect((await api.get('/healthz', { host })).status).toBe(200)
  })
})

describe('D4: which host serves what', () => {
  test('D and www.D serve the pages', async () => {
    const { gallery, image } = await galleryWithImage(api, { finalized: true })
    for (const domain of ['one.example', 'two.example', 'three.example']) {
      for (const host of [domain, `www.${domain}`]) {
        for (const link of [image.showUrl, gallery.url, `https://x/manage/${gallery.managementToken}`, 'https://x/']) {
          expect((await api.follow(link, { host })).status, `${host} ${link}`).toBe(200)
        }
      }
    }
  })

  test('tN.D and imgN.D serve the thumbnails and the originals, for any digits N, of any domain', async () => {
    const { thumbnailUrl, originalUrl } = await uploadImage(api)
    for (const domain of ['one.example', 'two.example', 'three.example']) {
      for (const n of ['0', '1', '2', '9', '10', '007', '12345678901234567890']) {
        for (const host of [`t${n}.${domain}`, `img${n}.${domain}`]) {
          expect((await api.follow(thumbnailUrl, { host })).status, host).toBe(200)
          expect((await api.follow(originalUrl, { host })).status, host).toBe(200)
        }
      }
    }
  })

  test('every domain serves media on /thumbs/ and /images/, too (D6)', async () => {
    const { thumbnailUrl, originalUrl } = await uploadImage(api)
    for (const host of ['one.example', 'two.example', 'www.three.example', `localhost:${port}`, `127.0.0.1:${port}`]) {
      expect((await api.follow(thumbnailUrl, { host })).headers['content-type'], host).toBe('image/webp')
      expect((await api.follow(originalUrl, { host })).headers['content-type'], host).toBe('image/png')
    }
  })
})

describe('D6: localhost gets http links that keep the port, with media on the same host', () => {
  test.for([`localhost:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`, 'localhost:1234', 'localhost'])(
    '%s',
    async (host) => {
      const { showUrl, thumbnailUrl, manageUrl } = await uploadImage(api, { include_manage_url: '1' }, { host })
      const path = new URL(showUrl).pathname
      expect(showUrl).toBe(`http://${host}${path}`)
      expect(thumbnailUrl).toBe(`http://${host}${path.replace('/show/', '/thumbs/')}`)
      expect(manageUrl).toMatch(new RegExp(`^http://${host.replace(/[[\].]/g, '\\$&')}/manage/`))
      expect((await createGallery(api, '', { host })).url).toMatch(/^http:/)
      expect((await api.get(path.replace('/show/', '/images/'), { host })).status).toBe(200)
      expect((await api.get(path, { host })).text).toContain(`"http://${host}${path.replace('/show/', '/images/')}"`)
    },
  )

  test('the links also work under the public domains', async () => {
    const { showUrl } = await uploadImage(api, {}, { host: `localhost:${port}` })
    expect(await statusOf(api, `https://two.example${new URL(showUrl).pathname}`)).toBe('available')
  })
})

describe('D7: the forms of the links', () => {
  test.for(FORMATS)('$format', async ({ extension, encode }) => {
    const img = file(`name.${extension}`, await encode(photo(20, 20)))
    const { name, showUrl, thumbnailUrl } = await uploadImage(api, { img })
    const [, dir, id] =
      /^https:\/\/one\.example\/show\/(0|[1-9]\d*)\/(0|[1-9]\d*)_/.exec(showUrl) ?? expect.fail(showUrl)
    expect(name).toBe(`name.${extension}`)
    expect(showUrl).toBe(`https://one.example/show/${dir}/${id}_${name}`)
    expect(thumbnailUrl).toBe(`https://t1.one.example/thumbs/${dir}/${id}_${name}`)
    const original = `https://img1.one.example/images/${dir}/${id}_${name}`
    expect(thumbnailUrl.replace('//t', '//img').replace('/thumbs/', '/images/')).toBe(original)
    expect((await api.follow(original)).status).toBe(200)
    expect(Number.isSafeInteger(Number(id))).toBe(true)
  })

  test('inexact paths of media are 404', async () => {
    const { showUrl, originalUrl, thumbnailUrl } = await uploadImage(api)
    for (const link of [showUrl, originalUrl, thumbnailUrl]) {
      for (const other of [
        `${link}/`,
        link.replace('.png', '.gif'),
        link.replace('.png', ''),
        link.replace(/\/(\d+)_/, '/0$1_'),
      ]) {
        expect((await api.follow(other)).status, other).toBe(404)
      }
    }
  })
})

describe('D8: names', () => {
  test.for([
    ['file-upload[0]', 'file-upload-0.png'],
    ['photos/2026/IMG_7411.JPG', 'img_7411.png'],
    ['C:\\Users\\me\\Holiday 2026.png', 'holiday-2026.png'],
    ['a/b\\c.png', 'c.png'],
    ['simple.png', 'simple.png'],
    ['noextension', 'noextension.png'],
    ['ends.', 'ends.png'],
    ['a.tar.gz', 'a-tar.png'],
    ['a.b.c.png', 'a-b-c.png'],
    ['.png', 'image.png'],
    ['picture.jpeg.png', 'picture-jpeg.png'],
    ['UPPER.PNG', 'upper.png'],
    ['Ärger Über Öl.png', 'arger-uber-ol.png'],
    ['cafe\u0301.png', 'cafe.png'],
    ['\u00e9\u00e8.png', 'ee.png'],
    ['ﬁne.png', 'fine.png'],
    ['ＡＢＣ１.png', 'abc1.png'],
    ['x².png', 'x2.png'],
    ['\u0130stanbul.png', 'istanbul.png'],
    ['stra\u00dfe.png', 'stra-e.png'],
    ['写真.png', 'image.png'],
    ['写真 1.png', '1.png'],
    ['a😀b.png', 'a-b.png'],
    ['a   b.png', 'a-b.png'],
    ['a - b.png', 'a---b.png'],
    ['a--b.png', 'a--b.png'],
    ['a__b.png', 'a__b.png'],
    ['--a--.png', 'a.png'],
    ['__a__.png', '__a__.png'],
    ['(1).png', '1.png'],
    ['a%20b.png', 'a-b.png'],
    ['Beach%20Day%20%C3%A9.JPG', 'beach-day-e.png'],
    ['Beach Day%20%C3%A9.JPG', 'beach-day-20-c3-a9.png'],
    ['%E9t%E9.png', 'e9t-e9.png'],
    ["it's.png", 'it-s.png'],
    ['a<script>.png', 'a-script.png'],
    ['...png', 'image.png'],
    ['-.png', 'image.png'],
    [' .png', 'image.png'],
    ['folder/', 'image.png'],
    [`${'a'.repeat(100)}.png`, `${'a'.repeat(100)}.png`],
    [`${'a'.repeat(101)}.png`, `${'a'.repeat(100)}.png`],
    [`${'a'.repeat(5000)}.png`, `${'a'.repeat(100)}.png`],
    [`${'a'.repeat(99)} b.png`, `${'a'.repeat(99)}.png`],
    ['../../etc/passwd', 'passwd.png'],
    ['..', 'image.png'],
    ['con.png', 'con.png'],
    ['0.png', '0.png'],
  ] as const)('%s -> %s', async ([sent, name]) => {
    const image = await uploadImage(api, { img: file(sent, SMALL_PNG) })
    expect(image.name).toBe(name)
    expect((await api.follow(image.showUrl)).status).toBe(200)
    expect((await api.follow(image.originalUrl)).status).toBe(200)
  })
})

describe('D9: tokens and hashes are never the same', () => {
  test('of 50 galleries', async () => {
    const galleries = await Promise.all(Array.from({ length: 50 }, () => api.createGallery().then(expectCreated)))
    expect(new Set(galleries.map(({ hash }) => hash)).size).toBe(50)
    expect(new Set(galleries.map(({ uploadToken }) => uploadToken)).size).toBe(50)
    for (const { hash, uploadToken } of galleries) {
      expect(hash).toMatch(/^[A-Za-z0-9]{10,}$/)
      expect(uploadToken).toMatch(/^[A-Za-z0-9]{32,}$/)
    }
  })
})
