import { expect, test } from 'vitest'
import { showPage } from '../../../src/pages/image/show-page.tsx'
import { languages } from '../../../src/pages/shell/language.ts'
import { CONTEXT, contextIn, GALLERY_LINK, PREVIEW, SHOW, select } from '../samples.ts'

const ORIGINAL = 'https://img1.one.example/images/7/4711_cat.jpg'

test.each([
  ['og:image of an image without a preview', `<meta property="og:image" content="${ORIGINAL}">`],
  [
    'the image under its name',
    '<div id="show"><h1 class="show-title"><span data-elem="fixed">cat.jpg</span></h1>' +
      `<div class="image"><img id="image" class="image-img" src="${ORIGINAL}" alt="4711_cat.jpg"></div></div>`,
  ],
  ['the gallery', '<a class="link" href="https://one.example/gallery/abcdefghij"><h2>Cats</h2></a>'],
])('programs find %s, whatever the language and the kind of content', (_what, markup) => {
  for (const language of languages()) {
    for (const nsfw of [false, true]) {
      const html = showPage({ ...SHOW, context: contextIn(language), nsfw, gallery: GALLERY_LINK })
      const expected = nsfw ? markup.replace('jpg"></div>', 'jpg" loading="lazy"></div>') : markup
      expect(html.includes(expected)).toBe(!(nsfw && markup.includes('og:image')))
    }
  }
})

test('other sites show the preview, and know its size and type; the first URL with /images/ is that of the original', async () => {
  const html = showPage({ ...SHOW, preview: PREVIEW })
  const found = await select(html, 'meta[property^="og:image"]')
  expect(found.map(({ attributes }) => [attributes.get('property'), attributes.get('content')])).toEqual([
    ['og:image', PREVIEW.url],
    ['og:image:width', '1280'],
    ['og:image:height', '960'],
    ['og:image:type', 'image/jpeg'],
    ['og:image:alt', 'cat.jpg'],
  ])
  expect(html).toContain('<meta name="twitter:card" content="summary_large_image">')
  expect(html.slice(html.indexOf('/images/')).startsWith('/images/7/4711_cat.jpg" alt="4711_cat.jpg"')).toBe(true)
})

test('an adult image is shown nowhere else: no preview, and no URL of it before the page', () => {
  const html = showPage({ ...SHOW, nsfw: true, preview: PREVIEW })
  expect(html).not.toMatch(/og:image|twitter:image|summary_large_image/)
  expect(html.slice(0, html.indexOf('<div id="show">'))).not.toContain(PREVIEW.url)
  expect(html.indexOf('/images/')).toBeGreaterThan(html.indexOf('<div id="show">'))
})

test('the first URL with /images/ is that of the original, even in a gallery with a name designed against it', () => {
  const html = showPage({ ...SHOW, gallery: { ...GALLERY_LINK, title: 'https://evil.example/images/1/2_x.jpg' } })
  expect(html.slice(0, html.indexOf('/images/')).endsWith('"https://img1.one.example')).toBe(true)
  expect(html.indexOf(ORIGINAL)).toBeLessThan(html.indexOf('evil.example'))
})

test('local links are unchanged', () => {
  const html = showPage({ ...SHOW, originalUrl: 'http://localhost:8787/images/7/4711_cat.jpg' })
  expect(html).toContain('<meta property="og:image" content="http://localhost:8787/images/7/4711_cat.jpg">')
})

test('an image outside of galleries links to none', async () => {
  expect(await select(showPage(SHOW), 'a.link')).toEqual([])
})

test('an image shows its position in its gallery, and links to both neighbours, also at the ends', async () => {
  const gallery = { ...GALLERY_LINK, nextUrl: SHOW.pageUrl }
  const html = showPage({ ...SHOW, gallery })
  expect(html).toContain(
    `<p class="place">2 of 40 in <a href="${GALLERY_LINK.url}" data-page="1"><bdi>Cats</bdi></a></p>`,
  )
  const links = await select(html, 'nav > a.button')
  expect(
    links.map(({ attributes }) => [attributes.get('rel'), attributes.get('href'), attributes.get('aria-disabled')]),
  ).toEqual([
    [undefined, undefined, 'true'],
    ['next', SHOW.pageUrl, undefined],
  ])
})

test('the thumbnail replaces only a loading JPEG, because all others may be transparent', () => {
  expect(showPage(SHOW)).toContain(`background:url("${SHOW.thumbnailUrl}")`)
  expect(showPage({ ...SHOW, formatName: 'PNG' })).not.toContain('background:url')
  expect(showPage({ ...SHOW, nsfw: true })).not.toContain('background:url')
  expect(showPage({ ...SHOW, thumbnailUrl: '</style>"' })).toContain('url("\\3c /style>\\"")')
})

test('an image of an untitled gallery shows the translated label', () => {
  const html = showPage({ ...SHOW, context: contextIn('de'), gallery: { ...GALLERY_LINK, title: '' } })
  expect(html).toContain('<h2>Galerie ohne Titel</h2>')
})

test('the title of a gallery is text, never markup', () => {
  const title = `</h2><script>alert("1")</script>&amp;'`
  const html = showPage({ ...SHOW, gallery: { ...GALLERY_LINK, title } })
  expect(html).toContain('<h2>&lt;/h2&gt;&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&amp;amp;&#39;</h2>')
})

test('the name and the URLs are escaped too, although valid names need no escaping', async () => {
  const hostile = `"><img src=x onerror='1'>`
  const html = showPage({ ...SHOW, name: hostile, originalUrl: hostile, pageUrl: hostile, thumbnailUrl: hostile })
  expect(await select(html, 'img')).toHaveLength(1)
  expect(html).toContain('alt="4711_&quot;&gt;&lt;img src=x onerror=&#39;1&#39;&gt;"')
})

test.each(["Picture doesn't exist", "Gallery doesn't exist"])(
  'a gallery called "%s" does not make its images look missing',
  (title) => {
    expect(showPage({ ...SHOW, gallery: { ...GALLERY_LINK, title } })).not.toContain(title)
  },
)

test.each([
  [false, 0],
  [true, 1],
])('NSFW %j: %i content warnings, with the image', async (nsfw, warnings) => {
  const html = showPage({ ...SHOW, nsfw })
  expect(await select(html, 'input.consent[type=checkbox]')).toHaveLength(warnings)
  expect(await select(html, 'label.content-warning[for=consent]')).toHaveLength(warnings)
  expect(await select(html, 'meta[name=rating]')).toHaveLength(warnings)
  expect(await select(html, 'img#image')).toHaveLength(1)
})

test('it shows the size, the bytes, the format and the day', () => {
  const html = showPage(SHOW)
  expect(html).toContain('Original, 2.3 MB')
  for (const fact of ['4,000 × 3,000', '2.3 MB', 'JPEG']) expect(html).toContain(`<dd>${fact}</dd>`)
  expect(html).toContain('<time datetime="2026-01-02T23:59:59.000Z">January 2, 2026</time>')
})

test('the browser chooses the thumbnail or the preview, and programs find the original', async () => {
  const [image] = await select(showPage({ ...SHOW, preview: PREVIEW }), '#image')
  expect([...(image?.attributes ?? [])].slice(0, 4).map(([name]) => name)).toEqual(['id', 'class', 'src', 'alt'])
  expect(image?.attributes.get('src')).toBe(ORIGINAL)
  expect(image?.attributes.get('srcset')).toBe(`${SHOW.thumbnailUrl} 350w, ${PREVIEW.url} 1280w`)
})

test.each([
  ['has no preview', {}],
  ['is its own preview', { preview: { ...PREVIEW, url: ORIGINAL } }],
  ['may be an animation', { preview: PREVIEW, mayMove: true }],
  ['is a tall strip', { preview: { ...PREVIEW, width: 128 }, width: 800, height: 8000 }],
])('an image that %s is shown as its original', async (_which, props) => {
  const [image] = await select(showPage({ ...SHOW, ...props }), '#image')
  expect(image?.attributes.get('srcset')).toBeUndefined()
})

test('a tall image has a checkbox that unfolds it, named like its label', async () => {
  const html = showPage({ ...SHOW, width: 800, height: 8000 })
  expect((await select(html, 'input#unfold'))[0]?.attributes.get('aria-label')).toBe('Show all')
  expect((await select(html, 'label[for=unfold] > span'))[0]?.text).toBe('Show all')
  expect(await select(showPage(SHOW), '#unfold, [for=unfold]')).toEqual([])
})

test('its size is known before the image arrives', () => {
  expect(showPage(SHOW)).toContain('#image{aspect-ratio:4000 / 3000;width:min(100%,4000px,')
})

test.each([
  ['none', {}, []],
  ['the next', { nextUrl: 'https://one.example/show/7/2_b.png' }, ['next']],
  [
    'both',
    { previousUrl: 'https://one.example/show/7/1_a.png', nextUrl: 'https://one.example/show/7/3_c.png' },
    ['prev', 'next'],
  ],
])('neighbours in the gallery: %s', async (_which, neighbours, relations) => {
  const context = { ...contextIn('fr'), languageChosen: true }
  const links = await select(
    showPage({ ...SHOW, context, gallery: { ...GALLERY_LINK, ...neighbours } }),
    'nav a[rel=prev], nav a[rel=next]',
  )
  expect(links.map(({ attributes }) => attributes.get('rel'))).toEqual(relations)
  for (const { attributes } of links) expect(attributes.get('href')).toMatch(/\?lang=fr$/)
})

test('it can be downloaded under its own address', async () => {
  const [link] = await select(showPage(SHOW), 'a[download]')
  expect(link?.attributes.get('href')).toBe(`${ORIGINAL}?download`)
})

test('programs learn how to embed it', async () => {
  const [link] = await select(showPage({ ...SHOW, context: CONTEXT }), 'link[type="application/json+oembed"]')
  expect(link?.attributes.get('href')).toBe(SHOW.oembedUrl)
})

test.each([
  ['six codes', undefined],
  ['nine codes', PREVIEW],
  ['six codes', { ...PREVIEW, url: ORIGINAL }],
])('it has the link, %s that link to the page, and the file', async (_, preview) => {
  const values = (await select(showPage({ ...SHOW, preview }), 'input[readonly]')).map(({ attributes }) =>
    attributes.get('value'),
  )
  const page = 'https://one.example/show/7/4711_cat.jpg'
  const medium = preview && preview.url !== ORIGINAL ? [preview.url] : []
  const codes = ['https://t1.one.example/thumbs/7/4711_cat.jpg', ...medium, ORIGINAL].flatMap((image) => [
    `<a href="${page}"><img src="${image}" alt="cat.jpg"></a>`,
    `[![cat.jpg](${image})](${page})`,
    `[url=${page}][img]${image}[/img][/url]`,
  ])
  expect(values.map(unescapeHtml)).toEqual([page, ...codes, ORIGINAL])
})

test('its canonical address is its own', async () => {
  const [link] = await select(showPage(SHOW), 'head > link[rel=canonical]')
  expect(link?.attributes.get('href')).toBe(SHOW.pageUrl)
})

function unescapeHtml(text: string | undefined): string | undefined {
  return text?.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&')
}
