import { expect, test } from 'vitest'
import { galleryPage } from '../../../src/pages/gallery/gallery-page.tsx'
import { contextIn, GALLERY, GALLERY_LINK, galleryImage, PREVIEW, select } from '../samples.ts'

const IMAGES =
  '<div class="images">' +
  '<a href="https://one.example/show/7/1_cat.jpg"><img src="https://t1.one.example/thumbs/7/1_cat.jpg" alt="1_cat.jpg"></a>' +
  '<a href="https://one.example/show/7/2_cat.jpg"><img src="https://t1.one.example/thumbs/7/2_cat.jpg" alt="2_cat.jpg"></a>' +
  '</div>'

test.each([
  ['the title', '<a class="link" href="https://one.example/gallery/abcdefghij"><h2>Cats</h2></a>'],
  ['the images, in order', IMAGES],
])('programs find %s', (_what, markup) => {
  expect(galleryPage(GALLERY)).toContain(markup)
})

test('the links to its images keep a chosen language, and are exact for programs', async () => {
  const context = { ...contextIn('fr'), languageChosen: true }
  const links = await select(galleryPage({ ...GALLERY, context }), '.images > a, a.link')
  expect(links).toHaveLength(3)
  for (const { attributes } of links) expect(attributes.get('href')).toMatch(/\?lang=fr$/)
  expect(galleryPage({ ...GALLERY, context: { ...context, fromBrowser: false } })).toContain(IMAGES)
})

test('NSFW images are among the others, all behind a content warning, and requested only when they are shown', async () => {
  const html = galleryPage({ ...GALLERY, images: [galleryImage(1), galleryImage(2, true)] })
  expect(html).toContain(IMAGES.replaceAll('></a>', ' loading="lazy"></a>'))
  expect(await select(html, 'label.content-warning')).toHaveLength(1)
  expect(await select(galleryPage(GALLERY), 'label.content-warning')).toEqual([])
})

test('each thumbnail is among the images once, and once in the BBCode that programs find in .share > div > input', async () => {
  const html = galleryPage(GALLERY)
  expect(html.slice(html.indexOf('<body>')).match(/\/thumbs\//g)).toHaveLength(4)
  const [input, ...others] = await select(html, '.share > div > input')
  expect(others).toEqual([])
  expect(input?.attributes.get('value')).toBe(
    [1, 2]
      .map((id) => `${id}_cat.jpg`)
      .map((file) => `[url=https://one.example/show/7/${file}][img]https://t1.one.example/thumbs/7/${file}[/img][/url]`)
      .join(' '),
  )
  expect(html).not.toContain('/images/')
})

test.each([
  [false, 1],
  [true, 0],
])('with NSFW %j among them, other sites show %i of its images', async (nsfw, previews) => {
  const first = { ...galleryImage(1), preview: PREVIEW }
  const html = galleryPage({ ...GALLERY, images: [first, galleryImage(2, nsfw)], imageCount: 30 })
  const contents = async (name: string) =>
    (await select(html, `meta[property="${name}"]`)).map(({ attributes }) => attributes.get('content'))
  expect(await contents('og:image')).toEqual(previews ? [PREVIEW.url] : [])
  expect(await contents('og:image:width')).toEqual(previews ? ['1280'] : [])
  expect(await contents('og:image:type')).toEqual(previews ? ['image/jpeg'] : [])
  expect(await contents('og:description')).toEqual(['30 pictures'])
  expect(html).toContain(`<meta name="twitter:card" content="${previews ? 'summary_large_image' : 'summary'}">`)
})

test('a full page of 1,000 images has 1,000 links', async () => {
  const images = Array.from({ length: 1000 }, (_, index) => galleryImage(index))
  const html = galleryPage({ ...GALLERY, images, imageCount: 1234, pageCount: 2 })
  const thumbnails = await select(html, '.images > a > img')
  expect(thumbnails.map(({ attributes }) => attributes.get('loading'))).toEqual(
    thumbnails.map((_, index) => (index < 12 ? undefined : 'lazy')),
  )
  expect(html).toContain('1,234 pictures · <time')
  // The page is too long to print.
  expect(html.includes('a:nth-child(1000){--r:1.333')).toBe(true)
})

test.each([
  ['en', 'Untitled gallery'],
  ['de', 'Galerie ohne Titel'],
  ['fr', 'Galerie sans titre'],
  ['es', 'Galería sin título'],
  ['ja', '無題のギャラリー'],
] as const)('an empty name reads, in %s, %s', (language, label) => {
  const html = galleryPage({ ...GALLERY, context: contextIn(language), name: '' })
  expect(html).toContain(`<h2>${label}</h2>`)
  expect(html).toContain(`<title>${label} – Tintype</title>`)
})

test('a name is text, never markup', async () => {
  const html = galleryPage({ ...GALLERY, name: `</title><script>1</script>"'&lt;` })
  expect(html).not.toContain('<script>')
  expect(html).toContain('<h2>&lt;/title&gt;&lt;script&gt;1&lt;/script&gt;&quot;&#39;&amp;lt;</h2>')
})

test('a gallery called "Gallery doesn\'t exist" is not mistaken for missing', () => {
  const name = "Gallery doesn't exist"
  expect(galleryPage({ ...GALLERY, name })).not.toContain(name)
})

const PREVIOUS = GALLERY_LINK.url
const NEXT = `${GALLERY_LINK.url}?page=3&x=1`

test.each([
  ['a single page', { page: 1, pageCount: 1 }, []],
  ['the first page', { page: 1, pageCount: 3, nextUrl: NEXT }, ['next']],
  ['a middle page', { page: 2, pageCount: 3, previousUrl: PREVIOUS, nextUrl: NEXT }, ['prev', 'next']],
  ['the last page', { page: 3, pageCount: 3, previousUrl: PREVIOUS }, ['prev']],
])('%s links to %j %j', async (_which, position, relations) => {
  const html = galleryPage({ ...GALLERY, ...position })
  const links = await select(html, 'nav.pages a')
  expect(links.map(({ attributes }) => attributes.get('rel'))).toEqual(relations)
  expect(html.includes(`Page ${position.page} of ${position.pageCount}`)).toBe(position.pageCount > 1)
})

test('the links between pages are outside of the images and are escaped', () => {
  const html = galleryPage({ ...GALLERY, page: 2, pageCount: 3, previousUrl: PREVIOUS, nextUrl: NEXT })
  expect(html).toContain(`<a class="button" rel="prev" href="${PREVIOUS}">`)
  expect(html).toContain(`<a class="button" rel="next" href="${PREVIOUS}?page=3&amp;x=1">`)
  expect(html).toContain(`${IMAGES}<nav`)
})
