import { describe, expect, test } from 'vitest'
import { type Api, sharedApi } from './support/api.ts'
import { FORMATS, photo, plain, png } from './support/images.ts'
import { type Fields, file } from './support/multipart-body.ts'
import { expectTextError, expectUploaded } from './support/responses.ts'
import { createGallery, LEAST_COVER, LEAST_IMAGE, SMALL_PNG, statusOf } from './support/steps.ts'

const api = sharedApi()

/** The field tables of POST /images and POST /covers (D12, D14). A field that is `undefined` is left out. */
type Change = Readonly<Record<string, string | undefined>>

const OPERATIONS = [
  ['POST /images', (service: Api, form: Fields) => service.uploadImage(form), LEAST_IMAGE],
  ['POST /covers', (service: Api, form: Fields) => service.uploadCover(form), LEAST_COVER],
] as const

const SHARED_ROWS: [row: string, change: Change, status: number][] = [
  ['content_type: 0 = safe for work', { content_type: '0' }, 200],
  ['content_type: 1 = NSFW', { content_type: '1' }, 200],
  ['content_type: required', { content_type: undefined }, 400],
  ['content_type: empty is missing', { content_type: '' }, 400],
  ...[
    '2',
    '-1',
    '-0',
    '00',
    '01',
    '+1',
    '1.0',
    '1e0',
    '0x1',
    ' 1',
    '1 ',
    'true',
    'yes',
    '１',
    '١',
    '1\0',
    '9'.repeat(40),
  ].map((value): [string, Change, number] => [
    `content_type: 0 or 1, not ${JSON.stringify(value)}`,
    { content_type: value },
    422,
  ]),
  ...['optimize_for_web', 'include_manage_url'].flatMap((field): [string, Change, number][] => [
    [`${field}: 0`, { [field]: '0' }, 200],
    [`${field}: 1`, { [field]: '1' }, 200],
    [`${field}: empty means its default`, { [field]: '' }, 200],
    ...['2', '-1', '01', 'true', 'on', ' 1', '1 ', '１'].map((value): [string, Change, number] => [
      `${field}: 0 or 1, not ${JSON.stringify(value)}`,
      { [field]: value },
      422,
    ]),
  ]),
  ['gallery_hash: supply together with gallery_upload_hash', { gallery_hash: 'abcdefghij' }, 400],
  ['gallery_upload_hash: supply together with gallery_hash', { gallery_upload_hash: 'a'.repeat(32) }, 400],
  ['gallery_hash empty and gallery_upload_hash sent', { gallery_hash: '', gallery_upload_hash: 'a'.repeat(32) }, 400],
  ['gallery_hash sent and gallery_upload_hash empty', { gallery_hash: 'abcdefghij', gallery_upload_hash: '' }, 400],
  ['both gallery fields empty: not into a gallery', { gallery_hash: '', gallery_upload_hash: '' }, 200],
  ['both gallery fields absent: not into a gallery', {}, 200],
  ['unknown fields are ignored', { something_else: 'x', 'img[]': 'y', MAX_FILE_SIZE: '1' }, 200],
  ['field names are exact', { Content_Type: '7', OPTIMIZE_FOR_WEB: '7' }, 200],
]

describe.for(OPERATIONS)('%s', ([, upload, least]) => {
  test.for(SHARED_ROWS)('%s', async ([, change, status]) => {
    const response = await upload(api, without({ ...least, ...change }))
    if (status === 200) expectUploaded(response)
    else expectTextError(response, status)
  })

  test('an error names the field and quotes the value', async () => {
    const { text } = await upload(api, { ...least, content_type: '7' })
    expect(text).toContain('content_type')
    expect(text).toContain('7')
  })

  test.for(FORMATS)('accepts $format', async ({ format, extension, encode }) => {
    const image = file(`picture.${extension}`, await encode(photo(40, 30)))
    const form = least === LEAST_IMAGE ? { img: image } : { img_left: image }
    expect(expectUploaded(await upload(api, { ...least, ...form })).name, format).toBe(`picture.${extension}`)
  })

  test('uploads go into an unfinished gallery with both gallery fields', async () => {
    const gallery = await createGallery(api)
    const { showUrl } = expectUploaded(await upload(api, { ...least, ...gallery.fields }))
    expect(await statusOf(api, showUrl)).toBe('pending')
  })
})

describe('POST /images: img and max_th_size', () => {
  test('img: required', async () => {
    expectTextError(await api.uploadImage({ content_type: '0' }), 400)
  })

  const wide = png(plain(1000, 600, [10, 20, 30]))
  const ROWS: [sent: string | undefined, status: number, thumbnailWidth?: number][] = [
    [undefined, 200, 200],
    ['', 200, 200],
    ['150', 200, 150],
    ['151', 200, 151],
    ['200', 200, 200],
    ['499', 200, 499],
    ['500', 200, 500],
    ['149', 422],
    ['501', 422],
    ['0', 422],
    ['1', 422],
    ['-200', 422],
    ['9000', 422],
    ['0200', 422],
    ['+200', 422],
    ['2e2', 422],
    ['200.0', 422],
    ['200px', 422],
    ['0xC8', 422],
    [' 200', 422],
    ['200 ', 422],
    ['200\n', 422],
    ['２００', 422],
    ['99999999999999999999', 422],
    ['NaN', 422],
  ]
  test.for(ROWS)('max_th_size %j: %i, thumbnail %s wide', async ([sent, status, width]) => {
    const response = await api.uploadImage(
      without({ img: file('a.png', await wide), content_type: '0', max_th_size: sent }),
    )
    if (width === undefined) expectTextError(response, status)
    else expect(expectUploaded(response).thumbnail).toEqual({ width, height: Math.floor((600 * width) / 1000) })
  })

  test('an image smaller than max_th_size is not enlarged', async () => {
    const { thumbnail } = expectUploaded(await api.uploadImage({ ...LEAST_IMAGE, max_th_size: '500' }))
    expect(thumbnail).toEqual({ width: 30, height: 20 })
  })

  test('the error of max_th_size says what to send', async () => {
    const { text } = await api.uploadImage({ ...LEAST_IMAGE, max_th_size: '9000' })
    expect(text).toMatch(/max_th_size.*150.*500.*9000/)
  })
})

describe('POST /covers: img_left and img_right', () => {
  test('img_left: required', async () => {
    expectTextError(await api.uploadCover({ content_type: '0' }), 400)
    expectTextError(await api.uploadCover({ img_right: file('right.png', SMALL_PNG), content_type: '0' }), 400)
  })

  test('img_right: not required', async () => {
    expectUploaded(await api.uploadCover(LEAST_COVER))
  })

  test('img_right: the same formats, the same errors', async () => {
    expectTextError(await api.uploadCover({ ...LEAST_COVER, img_right: file('a.png', Buffer.from('no picture')) }), 414)
    expectTextError(await api.uploadCover({ ...LEAST_COVER, img_right: file('a.png', SMALL_PNG.subarray(0, 40)) }), 422)
  })

  test('max_th_size is no field of covers: it is ignored and the box is 200 (D35)', async () => {
    const left = file('a.png', await png(plain(1000, 600, [1, 2, 3])))
    const response = await api.uploadCover({ img_left: left, content_type: '0', max_th_size: '9000' })
    expect(expectUploaded(response).thumbnail).toEqual({ width: 200, height: 120 })
  })
})

function without(fields: Readonly<Record<string, Fields[string] | undefined>>): Fields {
  return Object.fromEntries(
    Object.entries(fields).filter((entry): entry is [string, Fields[string]] => entry[1] !== undefined),
  )
}
