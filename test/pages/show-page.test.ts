import { expect, test } from 'vitest'
import { languages } from '../../src/pages/language.ts'
import { showPage } from '../../src/pages/show-page.tsx'
import { GALLERY_LINK, SHOW, select } from './samples.ts'

const ORIGINAL = 'https://img1.one.example/images/7/4711_cat.jpg'

test.each([
  ['og:image', `<meta property="og:image" content="${ORIGINAL}">`],
  [
    'the picture under its name',
    '<div id="show"><h1 class="show-title"><span data-elem="fixed">cat.jpg</span></h1>' +
      `<div class="image"><img id="image" class="image-img" src="${ORIGINAL}" alt="4711_cat.jpg"></div></div>`,
  ],
  ['the gallery', '<a class="link" href="https://one.example/gallery/abcdefghij"><h2>Cats</h2></a>'],
])('programs find %s, whatever the language and the kind of content', (_what, markup) => {
  for (const language of languages()) {
    for (const nsfw of [false, true]) {
      expect(showPage({ ...SHOW, language, nsfw, gallery: GALLERY_LINK })).toContain(markup)
    }
  }
})

test('the first URL with /images/ is that of the original, even in a gallery with a name made up against it', () => {
  const html = showPage({ ...SHOW, gallery: { ...GALLERY_LINK, title: 'https://evil.example/images/1/2_x.jpg' } })
  expect(html.slice(0, html.indexOf('/images/')).endsWith('"https://img1.one.example')).toBe(true)
  expect(html.indexOf(ORIGINAL)).toBeLessThan(html.indexOf('evil.example'))
})

test('local links are kept as they are', () => {
  const html = showPage({ ...SHOW, originalUrl: 'http://localhost:8787/images/7/4711_cat.jpg' })
  expect(html).toContain('<meta property="og:image" content="http://localhost:8787/images/7/4711_cat.jpg">')
})

test('a picture outside of galleries links to none', async () => {
  expect(await select(showPage(SHOW), 'a.link')).toEqual([])
})

test('a picture of an untitled gallery shows the translated label', () => {
  const html = showPage({ ...SHOW, language: 'de', gallery: { ...GALLERY_LINK, title: '' } })
  expect(html).toContain('<h2>Galerie ohne Titel</h2>')
})

test('the title of a gallery is text, never markup', () => {
  const title = `</h2><script>alert("1")</script>&amp;'`
  const html = showPage({ ...SHOW, gallery: { ...GALLERY_LINK, title } })
  expect(html).toContain('<h2>&lt;/h2&gt;&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&amp;amp;&#39;</h2>')
})

test('the name and the URLs are escaped too, though they need no escaping by the rules for names', async () => {
  const hostile = `"><img src=x onerror='1'>`
  const html = showPage({ ...SHOW, name: hostile, originalUrl: hostile, pageUrl: hostile, thumbnailUrl: hostile })
  expect(await select(html, 'img')).toHaveLength(1)
  expect(html).toContain('alt="4711_&quot;&gt;&lt;img src=x onerror=&#39;1&#39;&gt;"')
})

test.each(["Picture doesn't exist", "Gallery doesn't exist"])(
  'a gallery called "%s" does not make its pictures pass for missing',
  (title) => {
    expect(showPage({ ...SHOW, gallery: { ...GALLERY_LINK, title } })).not.toContain(title)
  },
)

test.each([
  [false, 0],
  [true, 1],
])('NSFW %j: %i labels, and the picture is there', async (nsfw, labels) => {
  const html = showPage({ ...SHOW, nsfw })
  expect(await select(html, 'p.label')).toHaveLength(labels)
  expect(await select(html, 'meta[name=rating]')).toHaveLength(labels)
  expect(await select(html, 'img#image')).toHaveLength(1)
})

test('it tells the size and the day', () => {
  const html = showPage(SHOW)
  expect(html).toContain('<dd>4,000 × 3,000 pixels</dd>')
  expect(html).toContain('<time datetime="2026-01-02T23:59:59.000Z">January 2, 2026</time>')
})

test('it offers the link, BBCode and HTML to share, all to the page and not to the original', async () => {
  const values = (await select(showPage(SHOW), 'input[readonly]')).map(({ attributes }) => attributes.get('value'))
  const page = 'https://one.example/show/7/4711_cat.jpg'
  const thumbnail = 'https://t1.one.example/thumbs/7/4711_cat.jpg'
  expect(values.map(unescapeHtml)).toEqual([
    page,
    `[url=${page}][img]${thumbnail}[/img][/url]`,
    `<a href="${page}"><img src="${thumbnail}" width="200" height="150" alt="cat.jpg"></a>`,
  ])
})

test('it names itself as the canonical address', async () => {
  const [link] = await select(showPage(SHOW), 'head > link[rel=canonical]')
  expect(link?.attributes.get('href')).toBe(SHOW.pageUrl)
})

function unescapeHtml(text: string | undefined): string | undefined {
  return text?.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&')
}
