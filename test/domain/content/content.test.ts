import { beforeEach, expect, test } from 'vitest'
import { findContent, parseContentPath, stateOf } from '../../../src/domain/content/content.ts'
import { deleteManaged } from '../../../src/domain/content/management.ts'
import { madeGallery, madeImage, NOW_MS } from '../made-content.ts'
import { emptyStore, store } from '../store.ts'

beforeEach(emptyStore)

const IMAGE = { kind: 'image', image: { id: 11, path: '1/11_a.jpg' } }

test.each([
  ['/show/1/11_a.jpg', IMAGE],
  ['/images/1/11_a.jpg', IMAGE],
  ['/thumbs/1/11_a.jpg', IMAGE],
  ['/gallery/abcDEF123456', { kind: 'gallery', hash: 'abcDEF123456' }],
  ['/show/1/11_a.jpg/', undefined],
  ['/show/1/11_A.jpg', undefined],
  ['/other/1/11_a.jpg', undefined],
  ['/gallery/', undefined],
  ['/gallery/abc/def', undefined],
  ['/gallery/a%20b', undefined],
  ['/manage/abcDEF123456', undefined],
  ['/', undefined],
] as const)('%s is the path of %j', (path, address) => {
  expect(parseContentPath(path)).toEqual(address)
})

test('an image and a gallery are available, and deleted after their deletion', async () => {
  const [image, gallery] = [await madeImage(), await madeGallery()]
  for (const { address, token } of [image, gallery]) {
    expect(await state(address)).toBe('available')
    await deleteManaged(store, token, NOW_MS)
    expect(await state(address)).toBe('deleted')
  }
  expect(await state(gallery.image.address)).toBe('deleted')
})

test('an unfinished gallery and its image are pending', async () => {
  const gallery = await madeGallery({ finalized: false })
  expect(await state(gallery.address)).toBe('pending')
  expect(await state(gallery.image.address)).toBe('pending')
})

test('an image under another name, and content that never existed, are not found', async () => {
  const { address } = await madeImage()
  const path = address.image.path.replace('_a.', '_b.')
  expect(await state({ kind: 'image', image: { id: address.image.id, path } })).toBeUndefined()
  expect(await state({ kind: 'gallery', hash: 'unknown' })).toBeUndefined()
})

async function state(address: Parameters<typeof findContent>[1]) {
  const content = await findContent(store, address)
  return content && stateOf(content, NOW_MS)
}
