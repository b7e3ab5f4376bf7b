import { expect, test } from 'vitest'
import { uploadPage } from '../../../src/pages/upload/upload-page.tsx'
import { CONTEXT, contextIn, select } from '../samples.ts'

const PROPS = { context: CONTEXT, uploadUrl: 'https://one.example/images' }
const html = uploadPage(PROPS)

test.each([
  ['the formats and the size of a file', 'JPEG, PNG, GIF, WebP, and AVIF, up to 10 MB each'],
  ['the number of pixels', 'Up to 100 megapixels'],
  ['the life of an upload token', 'for up to 24 hours'],
])('the front page shows %s', (_what, text) => {
  expect(html).toContain(text)
})

test('it shows a whole upload', () => {
  expect(html).toContain('<code>curl -F img=@photo.jpg -F content_type=0 https://one.example/images</code>')
})

test('its title is the name of the service alone', () => {
  expect(html).toContain('<title>Tintype</title>')
})

test('without a script its form sends one image, in the chosen language', async () => {
  const [form] = await select(uploadPage({ ...PROPS, context: { ...contextIn('de'), languageChosen: true } }), 'form')
  expect(form?.attributes.get('action')).toBe('/upload?lang=de')
  expect([form?.attributes.get('method'), form?.attributes.get('enctype')]).toEqual(['post', 'multipart/form-data'])
  const [input] = await select(html, 'form input[type=file][name=img]')
  expect(input?.attributes.get('accept')?.split(',')).toContain('image/avif')
})

test('the reason for a rejected image is at the field, as text', async () => {
  const refused = uploadPage({ ...PROPS, error: 'Not <b>this</b> one.' })
  expect((await select(refused, '#upload-error[role=alert]')).map(({ text }) => text)).toEqual([
    'Not &lt;b&gt;this&lt;/b&gt; one.',
  ])
})
