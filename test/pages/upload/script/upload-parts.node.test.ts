import { expect, test } from 'vitest'
import type { Pause } from '../../../../src/pages/shell/pause.ts'
import { pauseOf } from '../../../../src/pages/shell/script/pause.ts'
import {
  addressIn,
  compareNames,
  identityOf,
  isImageFile,
  namePasted,
} from '../../../../src/pages/upload/script/files/image-files.ts'
import {
  type Item,
  isFailed,
  isUnfinished,
  type Progress,
  sentShareOfAll,
} from '../../../../src/pages/upload/script/item.ts'
import { tabAfter } from '../../../../src/pages/upload/script/tab-keys.ts'

const UPLOADED = {
  name: 'a.jpg',
  title: 'a.jpg',
  pageUrl: '',
  thumbnailUrl: '',
  thumbWidth: 1,
  thumbHeight: 1,
  manageUrl: undefined,
  optimization: undefined,
}

function item(bytes: number, progress: Progress): Item {
  const file = new File([new Uint8Array(bytes)], 'a.jpg')
  return { id: 1, file, size: { width: 1, height: 1 }, key: undefined, mayHaveLocation: false, progress }
}

test.each<[number, string | null, Pause | undefined]>([
  [429, '90', { reason: 'limited', untilMs: 91_000 }],
  [503, '5', { reason: 'busy', untilMs: 6_000 }],
  [503, '0', { reason: 'busy', untilMs: 1_000 }],
  [503, null, undefined],
  [429, 'Sun, 22 Nov 2026 12:00:00 GMT', undefined],
  [429, '-1', undefined],
  [500, '5', undefined],
  [200, '5', undefined],
])('a response %i with Retry-After %s is retried: %j', (status, retryAfter, pause) => {
  expect(pauseOf({ status, retryAfter }, 1_000)).toEqual(pause)
})

test('shares of the batch are shares of its bytes', () => {
  const items = [
    item(600, { state: 'done', uploaded: UPLOADED }),
    item(200, { state: 'sending', sent: 0.5 }),
    item(100, { state: 'failed', failure: 'network' }),
    item(100, { state: 'waiting' }),
  ]
  expect([sentShareOfAll(items), sentShareOfAll([])]).toEqual([0.7, 0])
})

test.each<[Progress, boolean, boolean]>([
  [{ state: 'waiting' }, true, false],
  [{ state: 'held' }, true, false],
  [{ state: 'failed', failure: 'damaged' }, true, true],
  [{ state: 'done', uploaded: UPLOADED }, false, false],
])('an image that is %o is known to be unfinished or failed', (progress, unfinished, failed) => {
  const one = item(1, progress)
  expect([isUnfinished(one), isFailed(one)]).toEqual([unfinished, failed])
})

test.each([
  ['image.png', 'pasted-2026-01-02-03-04-05.png'],
  ['image.jpeg', 'pasted-2026-01-02-03-04-05.jpeg'],
  ['Screenshot 1.png', 'Screenshot 1.png'],
])('a pasted %s is called %s', (name, called) => {
  expect(namePasted(new File(['x'], name), new Date(2026, 0, 2, 3, 4, 5)).name).toBe(called)
})

test.each([
  [' https://one.example/a.jpg\n', 'https://one.example/a.jpg'],
  ['http://one.example/a b.jpg', undefined],
  ['see https://one.example/a.jpg', undefined],
  ['javascript:alert(1)', undefined],
  ['https://', undefined],
  ['', undefined],
])('the address in the pasted text %j is %s', (text, address) => {
  expect(addressIn(text)?.href).toBe(address)
})

test.each([
  ['photo.JPG', '', true],
  ['photo', 'image/avif', true],
  ['photo.heic', 'image/heic', false],
  ['Thumbs.db', '', false],
  ['jpg', '', false],
  ['drawing.svg', 'image/svg+xml', false],
])('a folder\'s %s of type "%s" is accepted: %s', (name, type, taken) => {
  expect(isImageFile({ name, type })).toBe(taken)
})

test('names are ordered as people count', () => {
  expect(['IMG_10.jpg', 'img_9.jpg', 'a.jpg'].sort(compareNames)).toEqual(['a.jpg', 'img_9.jpg', 'IMG_10.jpg'])
})

test.each(['name', 'size', 'lastModified'])('files that differ in their %s are two', (field) => {
  const file = { name: 'a.jpg', size: 1, lastModified: 2 }
  expect(identityOf({ ...file })).toBe(identityOf(file))
  expect(identityOf({ ...file, [field]: 3 })).not.toBe(identityOf(file))
})

test.each([
  ['ArrowRight', 0, false, 1],
  ['ArrowRight', 3, false, 0],
  ['ArrowLeft', 0, false, 3],
  ['ArrowLeft', 0, true, 1],
  ['ArrowRight', 0, true, 3],
  ['Home', 2, true, 0],
  ['End', 1, false, 3],
  ['ArrowDown', 2, false, 2],
])('%s on tab %i (right to left: %s) leads to tab %i', (key, index, rightToLeft, target) => {
  expect(tabAfter(key, index, { count: 4, rightToLeft })).toBe(target)
})
