import { expect, test } from 'vitest'
import { readGallery, readUploaded } from '../../../../src/pages/upload/script/service/responses.ts'

const UPLOAD = {
  name: 'cat.webp',
  show_url: 'https://one.example/show/1/2_cat.webp',
  th_url: 'https://t1.one.example/thumbs/1/2_cat.webp',
  thumb_width: 200,
  thumb_height: 133,
}
const OPTIMIZATION = { applied: true, source_bytes: 3000, stored_bytes: 1000, source_width: 4000, stored_width: 3840 }
const GALLERY = {
  gallery_name: '',
  gallery_hash: 'abcdefghijkl',
  gallery_url: 'https://one.example/gallery/abcdefghijkl',
  gallery_upload_hash: 'secret',
}

test('the response to an upload is parsed', () => {
  expect(readUploaded(JSON.stringify({ ...UPLOAD, manage_url: 'https://one.example/manage/x' }), 'Sent.JPG')).toEqual({
    title: 'Sent.JPG',
    name: 'cat.webp',
    pageUrl: UPLOAD.show_url,
    thumbnailUrl: UPLOAD.th_url,
    thumbWidth: 200,
    thumbHeight: 133,
    manageUrl: 'https://one.example/manage/x',
    optimization: undefined,
  })
})

test.each([
  ['a smaller image', { ...OPTIMIZATION, stored_height: 2160 }, { width: 3840, height: 2160 }],
  ['an image of the same size', { ...OPTIMIZATION, stored_width: 4000, stored_height: 2250 }, undefined],
  ['a report without sizes', { applied: true, source_bytes: 3000, stored_bytes: 1000 }, undefined],
])('the size is shown of %s', (_what, optimization, storedSize) => {
  expect(readUploaded(JSON.stringify({ ...UPLOAD, optimization }), 'a.jpg')?.optimization).toEqual({
    applied: true,
    originalBytes: 3000,
    storedBytes: 1000,
    storedSize,
    isConverted: false,
    reason: undefined,
  })
})

test('the response to the creation of a gallery is parsed', () => {
  expect(readGallery(JSON.stringify(GALLERY))).toEqual({
    hash: 'abcdefghijkl',
    url: GALLERY.gallery_url,
    uploadToken: 'secret',
    manageUrl: undefined,
  })
})

test.each([
  '',
  'null',
  '[]',
  '"text"',
  '<!DOCTYPE html>',
  '{}',
  JSON.stringify({ ...UPLOAD, thumb_width: '200' }),
  JSON.stringify({ ...UPLOAD, show_url: undefined }),
  JSON.stringify({ ...GALLERY, gallery_url: 1 }),
])('%j is no response of the service', (text) => {
  expect([readUploaded(text, 'a.jpg'), readGallery(text)]).toEqual([undefined, undefined])
})
