import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import {
  exportUploads,
  forget,
  importUploads,
  isRemembered,
  isRemembering,
  type Remembered,
  remember,
  remembered,
  setRemembering,
} from '../../../../src/pages/upload/script/remembering.ts'

const UPLOAD: Remembered = {
  kind: 'picture',
  name: 'cat.jpg',
  pageUrl: 'https://one.example/show/1/2_cat.jpg',
  thumbnailUrl: 'https://t1.one.example/thumbs/1/2_cat.jpg',
  manageUrl: `https://one.example/manage/${'a'.repeat(43)}`,
  timeMs: 1,
}

/** Returns a storage with its entries as its own properties, as in browsers. */
function storage(): object {
  const methods = {
    getItem: (key: string) => Reflect.get(entries, key) ?? null,
    setItem: (key: string, value: string) => void Reflect.set(entries, key, value),
    removeItem: (key: string) => void Reflect.deleteProperty(entries, key),
  }
  const entries = Object.create(methods)
  return entries
}

beforeEach(() => void vi.stubGlobal('localStorage', storage()))
afterAll(() => void vi.unstubAllGlobals())

test('uploads are remembered, the latest first, each once', () => {
  const later = { ...UPLOAD, pageUrl: `${UPLOAD.pageUrl}2`, timeMs: 3 }
  for (const upload of [UPLOAD, later, { ...UPLOAD, timeMs: 2 }]) expect(remember(upload)).toBe(true)
  expect(remembered()).toEqual([later, { ...UPLOAD, timeMs: 2 }])
  expect(isRemembered(UPLOAD.pageUrl)).toBe(true)
  forget(UPLOAD.pageUrl)
  expect([remembered(), isRemembered(UPLOAD.pageUrl)]).toEqual([[later], false])
})

test('the choice to remember is stored, and is no upload', () => {
  expect(isRemembering()).toBe(true)
  setRemembering(false)
  expect([isRemembering(), remembered()]).toEqual([false, []])
  setRemembering(true)
  expect(isRemembering()).toBe(true)
})

test('a browser without storage remembers nothing, without errors', () => {
  vi.stubGlobal('localStorage', undefined)
  expect([isRemembering(), remember(UPLOAD), isRemembered(UPLOAD.pageUrl), remembered()]).toEqual([
    false,
    false,
    false,
    [],
  ])
})

test('what is exported is imported', () => {
  const gallery: Remembered = { ...UPLOAD, kind: 'gallery', name: '', thumbnailUrl: undefined }
  expect(importUploads(exportUploads([UPLOAD, gallery]))).toEqual([UPLOAD, gallery])
})

test.each(['', 'null', '[]', '{}', '{"kind":"uploads"}', '{"kind":"other","uploads":[]}'])(
  'the file %j is no list of uploads',
  (text) => {
    expect(importUploads(text)).toBeUndefined()
  },
)

test.each([
  { pageUrl: 'javascript:alert(1)' },
  { pageUrl: 'data:text/html,x' },
  { manageUrl: 'javascript:alert(1)' },
  { manageUrl: undefined },
  { kind: 'other' },
  { name: 1 },
  { timeMs: '1' },
])('an imported entry with %j is left out', (wrong) => {
  const text = JSON.stringify({ kind: 'uploads', uploads: [{ ...UPLOAD, ...wrong }, UPLOAD] })
  expect(importUploads(text)).toEqual([UPLOAD])
})

test('the thumbnail of an imported entry is loaded from the web or not at all', () => {
  const text = JSON.stringify({ kind: 'uploads', uploads: [{ ...UPLOAD, thumbnailUrl: 'blob:x' }] })
  expect(importUploads(text)).toEqual([{ ...UPLOAD, thumbnailUrl: undefined }])
})
