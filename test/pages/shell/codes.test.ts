import { expect, test } from 'vitest'
import { CODE_FORMATS, CODE_SIZES, codeOf, originalOf, previewOf } from '../../../src/pages/shell/codes.ts'

const IMAGE = {
  pageUrl: 'https://one.example/show/7/1_cat.jpg',
  originalUrl: 'https://img1.one.example/images/7/1_cat.jpg',
  thumbnailUrl: 'https://t1.one.example/thumbs/7/1_cat.jpg',
  preview: { url: 'https://t1.one.example/previews/7/1_cat.jpg' },
  name: 'cat.jpg',
}

test.each(CODE_FORMATS.flatMap((format) => CODE_SIZES.map((size) => [format, size] as const)))(
  'the %s of the %s shows it and links to the page',
  (format, size) => {
    const code = codeOf(IMAGE, format, size)
    expect(code).toContain(IMAGE.pageUrl)
    expect(code.includes(IMAGE.thumbnailUrl)).toBe(size === 'thumbnail')
    expect(code.includes(IMAGE.preview.url)).toBe(size === 'preview')
    expect(code.includes(IMAGE.originalUrl)).toBe(size === 'full')
  },
)

test('the preview of a thumbnail', () => {
  expect(previewOf(IMAGE.thumbnailUrl)).toBe(IMAGE.preview.url)
})

test.each([
  ['https://t1.one.example/thumbs/7/1_cat.jpg', 'https://img1.one.example/images/7/1_cat.jpg'],
  ['http://localhost:8787/thumbs/7/1_cat.jpg', 'http://localhost:8787/images/7/1_cat.jpg'],
  ['http://tower:8787/thumbs/7/1_t1.jpg', 'http://tower:8787/images/7/1_t1.jpg'],
])('the original of %s', (thumbnail, original) => {
  expect(originalOf(thumbnail)).toBe(original)
})
