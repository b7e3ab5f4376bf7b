import { expect, test } from 'vitest'
import { galleryPage } from '../../src/pages/gallery-page.tsx'
import { GALLERY, GALLERY_LINK, galleryImage, select } from './samples.ts'

const IMAGES =
  '<div class="images">' +
  '<a href="https://one.example/show/7/1_cat.jpg"><img src="https://t1.one.example/thumbs/7/1_cat.jpg" alt="1_cat.jpg"></a>' +
  '<a href="https://one.example/show/7/2_cat.jpg"><img src="https://t1.one.example/thumbs/7/2_cat.jpg" alt="2_cat.jpg"></a>' +
  '</div>'

test.each([
  ['the title', '<a class="link" href="https://one.example/gallery/abcdefghij"><h2>Cats</h2></a>'],
  ['the pictures, in order', IMAGES],
])('programs find %s', (_what, markup) => {
  expect(galleryPage(GALLERY)).toContain(markup)
})

test('NSFW pictures stand among the others, under a label', async () => {
  const html = galleryPage({ ...GALLERY, images: [galleryImage(1), galleryImage(2, true)] })
  expect(html).toContain(IMAGES)
  expect(await select(html, 'p.label')).toHaveLength(1)
  expect(await select(galleryPage(GALLERY), 'p.label')).toEqual([])
})

test('each thumbnail stands in the page once: programs collect them by their URLs', () => {
  const html = galleryPage(GALLERY)
  expect(html.match(/\/thumbs\//g)).toHaveLength(2)
  expect(html).not.toContain('/images/')
})

test('a full page of 100 pictures has 100 links', async () => {
  const images = Array.from({ length: 100 }, (_, index) => galleryImage(index))
  const html = galleryPage({ ...GALLERY, images, imageCount: 1234, pageCount: 13 })
  expect(await select(html, '.images > a > img')).toHaveLength(100)
  expect(html).toContain('<p>1,234 pictures</p>')
})

test.each([
  ['en', 'Untitled gallery'],
  ['de', 'Galerie ohne Titel'],
  ['fr', 'Galerie sans titre'],
  ['es', 'Galería sin título'],
  ['ja', '無題のギャラリー'],
] as const)('an empty name reads, in %s, %s', (language, label) => {
  const html = galleryPage({ ...GALLERY, language, name: '' })
  expect(html).toContain(`<h2>${label}</h2>`)
  expect(html).toContain(`<title>${label} – Tintype</title>`)
})

test('a name is text, never markup', async () => {
  const html = galleryPage({ ...GALLERY, name: `</title><script>1</script>"'&lt;` })
  expect(await select(html, 'script')).toEqual([])
  expect(html).toContain('<h2>&lt;/title&gt;&lt;script&gt;1&lt;/script&gt;&quot;&#39;&amp;lt;</h2>')
})

test('a gallery called "Gallery doesn\'t exist" does not pass for missing', () => {
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
  const links = await select(html, 'nav a')
  expect(links.map(({ attributes }) => attributes.get('rel'))).toEqual(relations)
  expect(html.includes(`Page ${position.page} of ${position.pageCount}`)).toBe(position.pageCount > 1)
})

test('the links between pages stand outside of the pictures and are escaped', () => {
  const html = galleryPage({ ...GALLERY, page: 2, pageCount: 3, previousUrl: PREVIOUS, nextUrl: NEXT })
  expect(html).toContain(`<a rel="prev" href="${PREVIOUS}">Previous page</a>`)
  expect(html).toContain(`<a rel="next" href="${PREVIOUS}?page=3&amp;x=1">Next page</a>`)
  expect(html).toContain(`${IMAGES}<nav`)
})
