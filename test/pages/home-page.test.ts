import { expect, test } from 'vitest'
import { homePage } from '../../src/pages/home-page.tsx'

const html = homePage({ language: 'en', uploadUrl: 'https://api.one.example/images' })

test.each([
  ['the formats', 'Formats: JPEG, PNG, GIF, WebP, AVIF'],
  ['the size of a file', 'At most 10 MB a picture'],
  ['the number of pixels', 'At most 100 million pixels a picture'],
  ['the thumbnails', 'Thumbnails from 150 to 500 pixels'],
  ['the life of an upload token', 'Galleries that take pictures for 24 hours'],
])('the front page tells %s', (_what, text) => {
  expect(html).toContain(text)
})

test('it shows a whole upload', () => {
  expect(html).toContain('<code>curl -F img=@photo.jpg -F content_type=0 https://api.one.example/images</code>')
})

test('its title is the name of the service alone', () => {
  expect(html).toContain('<title>Tintype</title>')
})
