import { describe, expect, test } from 'vitest'
import { sharedApi } from './support/api.ts'
import { header } from './support/client.ts'
import { photo, png } from './support/images.ts'
import { inParallel } from './support/in-parallel.ts'
import { file } from './support/multipart-body.ts'
import { createGallery, galleryWithImage, SMALL_PNG, uploadImage } from './support/steps.ts'

const api = sharedApi()
const UNTITLED = { en: /untitled/i, de: /./, fr: /./, es: /./, ja: /[\u3040-\u30ff\u4e00-\u9fff]/ } as const

/** "Extractors need in the pages (attribute order and quotes as shown, absolute URLs)". */
describe('the show page', () => {
  test.for(['0', '1'])('has the markup that link extractors read (content_type %s)', async (nsfw) => {
    const img = file('Beach Day.png', await png(photo(400, 300)))
    const image = await uploadImage(api, { img, content_type: nsfw })
    const idName = image.showUrl.split('/').at(-1)
    const response = await api.follow(image.showUrl)
    expect(response.status).toBe(200)
    expect(header(response, 'content-type')).toMatch(/^text\/html; charset=utf-8$/i)
    const { text } = response
    expect(text).toMatch(/^<!DOCTYPE html>/i)
    // No other site may show adult images.
    expect(text.includes(`<meta property="og:image" content="${image.originalUrl}"`)).toBe(nsfw === '0')
    expect(text).toMatch(/<div id="show"><h1 class="show-title"><span data-elem="fixed">beach-day\.png<\/span><\/h1>/)
    expect(text).toContain(
      `<div class="image"><img id="image" class="image-img" src="${image.originalUrl}" alt="${idName}"`,
    )
    const first = /https?:\/\/[^"' ]*\/images\/[^"' ]*/.exec(text)?.[0]
    expect(first).toBe(image.originalUrl)
  })

  test('shows the name as it was sent, where no program reads it; downloads have it, too', async () => {
    const img = file('Été <1> 写真.PNG', await png(photo(40, 30)))
    const image = await uploadImage(api, { img })
    const { text } = await api.follow(image.showUrl)
    expect(text).toContain('<title>Été &lt;1&gt; 写真.PNG ')
    expect(text).toContain('<meta property="og:title" content="Été &lt;1&gt; 写真.PNG"')
    expect(text.replaceAll(/<\/?span>/g, '')).toMatch(
      /<h1 class="title"><bdi class="file-name">Été &lt;1&gt; 写真\.PNG<\/bdi><\/h1>/,
    )
    expect(text).toMatch(/<div id="show"><h1 class="show-title"><span data-elem="fixed">ete-1\.png<\/span><\/h1>/)
    expect(text).toContain('_ete-1.png"')
    const download = await api.follow(`${image.originalUrl}?download`)
    expect(header(download, 'content-disposition')).toBe(
      `attachment; filename="ete-1.png"; filename*=UTF-8''%C3%89t%C3%A9%201%20%E5%86%99%E7%9C%9F.PNG`,
    )
  })

  test('an image of a gallery links to the gallery, a standalone one to none', async () => {
    const { gallery, image } = await galleryWithImage(api, { finalized: true, name: 'Trip 3' })
    const page = await api.follow(image.showUrl)
    expect(page.text).toContain(`<a class="link" href="${gallery.url}"><h2>Trip 3</h2></a>`)
    expect((await api.follow((await uploadImage(api)).showUrl)).text).not.toContain('/gallery/')
  })

  test('HEAD is like GET without a body', async () => {
    const { showUrl } = await uploadImage(api)
    expect(await api.follow(showUrl, { method: 'HEAD' })).toMatchObject({ status: 200, text: '' })
  })
})

describe('the gallery page', () => {
  test('has the markup that link extractors read', async () => {
    const gallery = await createGallery(api, 'Märchen & "mehr"')
    const images = [
      await uploadImage(api, gallery.fields),
      await uploadImage(api, { ...gallery.fields, content_type: '1' }),
    ]
    await api.finalize(gallery.hash, gallery.uploadToken)
    const { text } = await api.follow(gallery.url)
    const list = text.slice(text.indexOf('<div class="images">'))
    for (const { showUrl, thumbnailUrl } of images) {
      expect(list).toContain(`<a href="${showUrl}"><img src="${thumbnailUrl}" alt="${showUrl.split('/').at(-1)}"`)
    }
    const inside = list.slice('<div class="images">'.length, list.indexOf('</div>'))
    expect(inside).not.toContain('<div')
    expect(inside.match(/<a href="[^"]*\/show\//g)).toHaveLength(2)
    expect(text).toMatch(/Märchen &amp; (&quot;|&#34;|")mehr/)
  })

  test('has 130 images on its first page: programs read no other (D38)', async () => {
    const gallery = await createGallery(api)
    await inParallel(Array.from({ length: 130 }), 4, () => uploadImage(api, gallery.fields))
    await api.finalize(gallery.hash, gallery.uploadToken)
    const { text } = await api.follow(gallery.url)
    expect(text.match(/<a href="[^"]*\/show\/[^"]*"><img /g)).toHaveLength(130)
    expect([linkOf(text, 'prev'), linkOf(text, 'next')]).toEqual([undefined, undefined])
  })

  test('names its images as they were sent: for assistive technology, and in the preview that other sites show', async () => {
    const gallery = await createGallery(api, 'Names')
    for (const name of ['Été <1> 写真.PNG', 'plain.png']) {
      await uploadImage(api, { img: file(name, SMALL_PNG), ...gallery.fields })
    }
    await api.finalize(gallery.hash, gallery.uploadToken)
    const { text } = await api.follow(gallery.url)
    expect(text).toContain('<meta property="og:image:alt" content="Été &lt;1&gt; 写真.PNG"')
    const images = text.slice(text.indexOf('<div class="images">')).match(/<img [^>]*>/g) ?? []
    expect(images.map((image) => /aria-label="([^"]*)"/.exec(image)?.[1])).toEqual([
      'Été &lt;1&gt; 写真.PNG',
      undefined,
    ])
  })

  test.for(['0', '3', '-1', 'x', '1e9', '99999999999999999999'])(
    '?page=%s is a page or a 404, never a failure',
    async (page) => {
      const { gallery } = await galleryWithImage(api, { finalized: true })
      const { status } = await api.follow(`${gallery.url}?page=${page}`)
      expect([200, 301, 302, 303, 307, 308, 404]).toContain(status)
    },
  )
})

describe('languages: the untitled label by Accept-Language', () => {
  const page = (async () => {
    const { gallery, image } = await galleryWithImage(api, { finalized: true })
    return { gallery, image }
  })()

  test('in five languages, all different', async () => {
    const { gallery } = await page
    const labels = await Promise.all(
      Object.entries(UNTITLED).map(async ([language, pattern]) => {
        const { text } = await api.follow(gallery.url, { headers: { 'accept-language': language } })
        expect(text).toMatch(new RegExp(`<html[^>]* lang="${language}"`))
        const label = /<a class="link" [^>]*><h2>([^<]+)<\/h2>/.exec(text)?.[1] ?? ''
        expect(label).toMatch(pattern)
        return label
      }),
    )
    expect(new Set(labels).size).toBe(labels.length)
  })

  test.for([
    ['de-AT', 'de'],
    ['de-AT,fr;q=0.5', 'de'],
    ['fr;q=0.5,ja;q=0.9', 'ja'],
    ['xx,es;q=0.1', 'es'],
    ['xx', 'en'],
    ['de;q=0,fr', 'fr'],
    ['*', 'en'],
    ['', 'en'],
    [';;;q=,', 'en'],
    ['DE', 'de'],
  ] as const)('Accept-Language: %s -> %s', async ([sent, language]) => {
    const { gallery } = await page
    const { text } = await api.follow(gallery.url, { headers: { 'accept-language': sent } })
    expect(text).toMatch(new RegExp(`<html[^>]* lang="${language}"`))
  })

  test('the page varies by Accept-Language for caches', async () => {
    const { image } = await page
    const response = await api.follow(image.showUrl)
    if (/\bno-store\b/.test(header(response, 'cache-control') ?? '')) return
    expect(header(response, 'vary')).toMatch(/accept-language/i)
  })
})

describe('missing things', () => {
  test('a missing image is 404 with an explanation', async () => {
    for (const path of ['/show/1/2_a.png', '/show/99999999999999999999/1_a.png']) {
      const response = await api.get(path)
      expect(response.status).toBe(404)
      expect(response.text).toContain("Picture doesn't exist")
      expect(header(response, 'cache-control')).toBe('no-store')
    }
  })

  test('a missing gallery is 404 with an explanation', async () => {
    const response = await api.get('/gallery/abcdefghij')
    expect([response.status, header(response, 'cache-control')]).toEqual([404, 'no-store'])
    expect(response.text).toContain("Gallery doesn't exist")
  })

  test('the page of an image under another name is 404, too', async () => {
    const { showUrl } = await uploadImage(api)
    expect((await api.follow(showUrl.replace('picture', 'other'))).text).toContain("Picture doesn't exist")
  })
})

test('hostile file names are harmless in pages', async () => {
  const { showUrl } = await uploadImage(api, { img: file('%22><script>alert(1)<%2Fscript>.png', SMALL_PNG) })
  expect((await api.follow(showUrl)).text).not.toContain('<script>alert')
})

test('the home page is served', async () => {
  expect(await api.get('/')).toMatchObject({ status: 200 })
})

test.for([`/docs?a=${'x'.repeat(8000)}`, `/docs?url=${'x'.repeat(8000)}`, `/${'x'.repeat(8000)}`])(
  'a long address makes no page longer',
  async (path) => {
    const short = await api.get(path.startsWith('/docs') ? '/docs' : '/x')
    const long = await api.get(path)
    expect(long.text.length).toBeLessThan(short.text.length + 8000)
  },
)

test('links to other languages keep only the parameters of a page', async () => {
  const { text } = await api.get('/report?url=https%3A%2F%2Fone.example%2F&a=1')
  expect(text).toContain('/report?url=https%3A%2F%2Fone.example%2F&amp;lang=de"')
})

function linkOf(page: string, rel: string): string | undefined {
  const tag = page.match(/<(?:a|link) [^>]*>/g)?.find((candidate) => candidate.includes(`rel="${rel}"`))
  return tag === undefined ? undefined : /href="([^"]*)"/.exec(tag)?.[1]?.replaceAll('&amp;', '&')
}
