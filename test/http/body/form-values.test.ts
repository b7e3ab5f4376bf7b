import { describe, expect, test } from 'vitest'
import { Failure } from '../../../src/domain/failure.ts'
import { COVER_FORM, GALLERY_FORM, IMAGE_FORM, RENAME_FORM, type Rows } from '../../../src/forms.ts'
import { valuesOf } from '../../../src/http/body/form-values.ts'

const FILE = { filename: 'a.png', bytes: new Uint8Array(1) }

function formOf(texts: Record<string, string>, files: readonly string[] = []) {
  return { texts: new Map(Object.entries(texts)), files: new Map(files.map((name) => [name, FILE])) }
}

function refusalOf(rows: Rows, texts: Record<string, string>, files: readonly string[] = []): string {
  try {
    valuesOf(rows, formOf(texts, files))
    return 'none'
  } catch (error) {
    if (error instanceof Failure) return `${error.code}: ${error.message}`
    throw error
  }
}

test('each value has the type and default of its row', () => {
  expect(valuesOf(IMAGE_FORM, formOf({ content_type: '1', max_th_size: '' }, ['img']))).toEqual({
    img: FILE,
    content_type: true,
    optimize_for_web: false,
    gallery_hash: undefined,
    gallery_upload_hash: undefined,
    include_manage_url: false,
    max_th_size: 200,
  })
  expect(valuesOf(COVER_FORM, formOf({ content_type: '0' }, ['img_left']))).toMatchObject({ img_right: undefined })
  expect(valuesOf(GALLERY_FORM, formOf({ gallery_name: ' a  b ' }))).toEqual({
    gallery_name: 'a b',
    include_manage_url: false,
  })
})

describe('missing values are rejected before invalid ones (D14)', () => {
  test.for<[texts: Record<string, string>, files: string[], refusal: RegExp]>([
    [{ max_th_size: '9' }, [], /^missing_field: img is missing/],
    [{ max_th_size: '9' }, ['img'], /^missing_field: content_type is missing/],
    [{ content_type: '' }, ['img'], /^missing_field: content_type is missing/],
    [{ content_type: '2', gallery_hash: 'a' }, ['img'], /^missing_field: gallery_upload_hash is missing: /],
    [{ content_type: '2', gallery_upload_hash: 'a', gallery_hash: '' }, ['img'], /^missing_field: gallery_hash is /],
    [{ content_type: '2', max_th_size: '9' }, ['img'], /^invalid_option: content_type must be 0 or 1/],
    [{ content_type: '0', max_th_size: '9' }, ['img'], /^invalid_option: max_th_size must be an integer from 150 to/],
  ])('%j with the files %j', ([texts, files, refusal]) => {
    expect(refusalOf(IMAGE_FORM, texts, files)).toMatch(refusal)
  })

  test('of a cover, too', () => {
    expect(refusalOf(COVER_FORM, { content_type: '2' })).toMatch(/^missing_field: img_left is missing/)
    expect(refusalOf(COVER_FORM, { content_type: '2' }, ['img_left'])).toMatch(/^invalid_option: content_type/)
  })
})

test('a new name may be empty, but is required', () => {
  expect(valuesOf(RENAME_FORM, formOf({ name: '' }))).toEqual({ name: '' })
  expect(refusalOf(RENAME_FORM, {})).toBe('missing_field: name is missing: send the new name, empty for none')
  expect(refusalOf(RENAME_FORM, { name: '<' })).toMatch(/^invalid_gallery_name: /)
})
