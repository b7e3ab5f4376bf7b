import { describe, expect, test } from 'vitest'
import { freshAddress, sharedApi } from './support/api.ts'
import { plain, png } from './support/images.ts'
import { filePart, multipartBody, type Part, textPart } from './support/multipart-body.ts'
import { expectApiError, expectCreated, expectTextError, expectUploaded } from './support/responses.ts'
import { createGallery, SMALL_PNG, uploadImage } from './support/steps.ts'

const api = sharedApi()
const CONTENT_TYPE = textPart('content_type', '0')
const IMG = filePart('img', 'picture.png', SMALL_PNG)

/** A part with the Content-Disposition, and further header lines, exactly as a program sends them. */
const img = (head: string | Uint8Array, content: string | Uint8Array = SMALL_PNG): Part => ({ head, content })
const disposition = (parameters: string) => img(`Content-Disposition: form-data; ${parameters}`)

describe('D11: multipart dispositions are read as programs send them', () => {
  const ACCEPTED: [program: string, parts: Part[], name: string][] = [
    ['the file last', [CONTENT_TYPE, IMG], 'picture.png'],
    ['the file first', [IMG, CONTENT_TYPE], 'picture.png'],
    [
      'name=img unquoted (.NET)',
      [
        disposition('name=img; filename=picture.png'),
        { head: 'Content-Disposition: form-data; name=content_type', content: '0' },
      ],
      'picture.png',
    ],
    [
      'filename*= after filename',
      [disposition(`name="img"; filename="x.png"; filename*=UTF-8''star.png`), CONTENT_TYPE],
      'star.png',
    ],
    [
      'filename*= before filename',
      [disposition(`name="img"; filename*=UTF-8''star.png; filename="x.png"`), CONTENT_TYPE],
      'star.png',
    ],
    [
      'filename*= without filename',
      [disposition(`name="img"; filename*=UTF-8''st%C3%A4r.png`), CONTENT_TYPE],
      'star.png',
    ],
    [
      'filename*=utf-8 in lower case, with a language',
      [disposition(`name="img"; filename*=utf-8'en'star.png`), CONTENT_TYPE],
      'star.png',
    ],
    ['a raw UTF-8 name', [disposition('name="img"; filename="Ärger.png"'), CONTENT_TYPE], 'arger.png'],
    ['%22 in a name', [disposition('name="img"; filename="a%22b.png"'), CONTENT_TYPE], 'a-b.png'],
    ['an escaped quote in a name', [disposition('name="img"; filename="a\\"b.png"'), CONTENT_TYPE], 'a-b.png'],
    ['a semicolon in a name', [disposition('name="img"; filename="a;b.png"'), CONTENT_TYPE], 'a-b.png'],
    ['a full path', [disposition('name="img"; filename="C:\\pictures\\IMG_1.png"'), CONTENT_TYPE], 'img_1.png'],
    ['file-upload[0]', [disposition('name="img"; filename="file-upload[0]"'), CONTENT_TYPE], 'file-upload-0.png'],
    ['parameters in the other order', [disposition('filename="picture.png"; name="img"'), CONTENT_TYPE], 'picture.png'],
    [
      'no space after the semicolons',
      [img('Content-Disposition:form-data;name="img";filename="picture.png"'), CONTENT_TYPE],
      'picture.png',
    ],
    [
      'header names in lower case',
      [
        img('content-disposition: form-data; name="img"; filename="picture.png"\r\ncontent-type: image/png'),
        CONTENT_TYPE,
      ],
      'picture.png',
    ],
    [
      'header names in upper case',
      [img('CONTENT-DISPOSITION: form-data; name="img"; filename="picture.png"'), CONTENT_TYPE],
      'picture.png',
    ],
    [
      'Content-Type before the disposition',
      [
        img('Content-Type: image/png\r\nContent-Disposition: form-data; name="img"; filename="picture.png"'),
        CONTENT_TYPE,
      ],
      'picture.png',
    ],
    [
      'Content-Transfer-Encoding: binary',
      [
        img('Content-Disposition: form-data; name="img"; filename="picture.png"\r\nContent-Transfer-Encoding: binary'),
        CONTENT_TYPE,
      ],
      'picture.png',
    ],
    [
      'image/jpeg for everything',
      [
        img('Content-Disposition: form-data; name="img"; filename="picture.jpg"\r\nContent-Type: image/jpeg'),
        CONTENT_TYPE,
      ],
      'picture.png',
    ],
    [
      'text/plain for an image',
      [
        img('Content-Disposition: form-data; name="img"; filename="picture.txt"\r\nContent-Type: text/plain'),
        CONTENT_TYPE,
      ],
      'picture.png',
    ],
    [
      'a charset on the text field',
      [
        IMG,
        {
          head: 'Content-Disposition: form-data; name="content_type"\r\nContent-Type: text/plain; charset=utf-8',
          content: '0',
        },
      ],
      'picture.png',
    ],
    ['an empty file name, but bytes', [disposition('name="img"; filename=""'), CONTENT_TYPE], 'image.png'],
    [
      'unknown fields and files',
      [textPart('submit', 'Upload'), filePart('other', 'a.txt', 'x'), IMG, CONTENT_TYPE],
      'picture.png',
    ],
    ['unknown fields twice', [textPart('a', '1'), textPart('a', '2'), IMG, CONTENT_TYPE], 'picture.png'],
  ]
  test.for(ACCEPTED)('%s', async ([, parts, name]) => {
    expect(expectUploaded(await api.uploadImage(parts)).name).toBe(name)
  })

  const REFUSED: [form: string, parts: Part[], status: number][] = [
    ['img as a text field is a missing file', [textPart('img', SMALL_PNG), CONTENT_TYPE], 400],
    ['img as an empty text field', [textPart('img', ''), CONTENT_TYPE], 400],
    [
      'an empty file name and no bytes is a missing file',
      [img('Content-Disposition: form-data; name="img"; filename=""', ''), CONTENT_TYPE],
      400,
    ],
    ['a named file of no bytes', [filePart('img', 'a.png', ''), CONTENT_TYPE], 414],
    ['img twice', [IMG, IMG, CONTENT_TYPE], 400],
    ['content_type twice', [IMG, CONTENT_TYPE, CONTENT_TYPE], 400],
    ['content_type twice, once empty', [IMG, CONTENT_TYPE, textPart('content_type', '')], 400],
    ['max_th_size twice', [IMG, CONTENT_TYPE, textPart('max_th_size', '200'), textPart('max_th_size', '200')], 400],
    ['img as text and as file', [textPart('img', 'x'), IMG, CONTENT_TYPE], 400],
  ]
  test.for(REFUSED)('%s: %j', async ([, parts, status]) => {
    expectTextError(await api.uploadImage(parts), status)
  })

  const LEFT = filePart('img_left', 'left.png', SMALL_PNG)
  test.for([
    ['as a text field', textPart('img_right', 'x')],
    ['as an empty text field', textPart('img_right', '')],
    ['with an empty file name and no bytes', img('Content-Disposition: form-data; name="img_right"; filename=""', '')],
  ] as [string, Part][])('img_right %s is simply absent', async ([, right]) => {
    expect(expectUploaded(await api.uploadCover([LEFT, right, CONTENT_TYPE])).thumbnail).toEqual({
      width: 30,
      height: 20,
    })
  })

  test('img_right as a named file of no bytes is 414', async () => {
    expectTextError(await api.uploadCover([LEFT, filePart('img_right', 'r.png', ''), CONTENT_TYPE]), 414)
  })
})

describe('the declared part type and the extension are ignored: bytes decide', () => {
  test('a PNG named .gif and declared as GIF is a PNG', async () => {
    const part = img('Content-Disposition: form-data; name="img"; filename="a.gif"\r\nContent-Type: image/gif')
    const { name, originalUrl } = expectUploaded(await api.uploadImage([part, CONTENT_TYPE]))
    expect(name).toBe('a.png')
    expect((await api.follow(originalUrl)).headers['content-type']).toBe('image/png')
  })

  test('a text declared as PNG is 414', async () => {
    const part = img('Content-Disposition: form-data; name="img"; filename="a.png"\r\nContent-Type: image/png', 'hello')
    expectTextError(await api.uploadImage([part, CONTENT_TYPE]), 414)
  })
})

describe('the Content-Type of the request', () => {
  const { bytes } = multipartBody([IMG, CONTENT_TYPE], 'edge')
  test.for([
    ['multipart/form-data; boundary=edge', 200],
    ['multipart/form-data; boundary="edge"', 200],
    ['multipart/form-data; charset=utf-8; boundary=edge', 200],
    ['multipart/form-data;boundary=edge;charset=utf-8', 200],
    ['Multipart/Form-Data; Boundary=edge', 200],
    ['multipart/form-data', 400],
    ['multipart/form-data; boundary=', 400],
    ['multipart/form-data; boundary=other', 400],
    [`multipart/form-data; boundary=${'e'.repeat(71)}`, 400],
    ['multipart/mixed; boundary=edge', 400],
    ['application/x-www-form-urlencoded', 400],
    ['application/json', 400],
    ['image/png', 400],
    ['nonsense', 400],
    [undefined, 400],
  ] as [string | undefined, number][])('%s: %i', async ([contentType, status]) => {
    const headers = contentType === undefined ? {} : { 'content-type': contentType }
    for (const path of ['/images', '/covers']) {
      const response = await api.send({ path, body: path === '/images' ? bytes : asCover(bytes), headers })
      if (status === 200) expectUploaded(response)
      else expectTextError(response, status)
    }
  })
})

describe('malformed bodies are 400, never 500', () => {
  const { bytes, contentType } = multipartBody([IMG, CONTENT_TYPE], 'edge')
  const headers = { 'content-type': contentType }
  const text = bytes.toString('latin1')
  const many = multipartBody(
    Array.from({ length: 20_000 }, (_, i) => textPart(`f${i}`, '')),
    'edge',
  ).bytes
  const rows: [string, Uint8Array | string][] = [
    ['no body', ''],
    ['only the closing boundary', '--edge--\r\n'],
    ['no boundary in the body', 'hello'],
    ['truncated before the closing boundary', bytes.subarray(0, bytes.length - 10)],
    ['truncated within a header', bytes.subarray(0, 30)],
    ['line feeds alone', Buffer.from(text.replaceAll('\r\n', '\n'), 'latin1')],
    ['a part without a disposition', '--edge\r\nContent-Type: text/plain\r\n\r\nx\r\n--edge--\r\n'],
    ['a part without a name', '--edge\r\nContent-Disposition: form-data\r\n\r\nx\r\n--edge--\r\n'],
    ['20,000 fields', many],
    ['a header of a megabyte', `--edge\r\nX: ${'a'.repeat(1_000_000)}\r\n\r\nx\r\n--edge--\r\n`],
  ]
  test.for(rows)('%s', async ([, body]) => {
    expectTextError(await api.send({ path: '/images', body, headers }), 400)
    expectTextError(await api.send({ path: '/covers', body, headers }), 400)
  })

  test('text after the closing boundary, and before the first one, is ignored', async () => {
    const body = Buffer.concat([Buffer.from('a preamble\r\n'), bytes, Buffer.from('an epilogue')])
    expectUploaded(await api.send({ path: '/images', body, headers }))
  })

  test('text fields that are not UTF-8 are 400', async () => {
    expectTextError(await api.uploadImage([IMG, textPart('content_type', Buffer.from([0xff]))]), 400)
  })
})

describe('D10: a body without Content-Length (chunked) is accepted', () => {
  const { bytes, contentType } = multipartBody([IMG, CONTENT_TYPE])
  const headers = { 'content-type': contentType }

  test('in one chunk', async () => {
    expectUploaded(await api.send({ path: '/images', body: [bytes], headers }))
  })

  test('byte by byte', async () => {
    expectUploaded(await api.send({ path: '/images', body: Array.from(bytes, (byte) => Buffer.of(byte)), headers }))
  })

  test('an image whose bytes look like boundaries', async () => {
    const lookalike = Buffer.concat([SMALL_PNG, Buffer.from('\r\n--edg\r\n--edge\r\r\n-\r\n--')])
    const body = multipartBody([filePart('img', 'a.png', lookalike), CONTENT_TYPE], 'edge2')
    const sent = { path: '/images', headers: { 'content-type': body.contentType } }
    const { originalUrl } = expectUploaded(
      await api.send({ ...sent, body: Array.from(body.bytes, (b) => Buffer.of(b)) }),
    )
    expect((await api.follow(originalUrl)).bytes.equals(lookalike)).toBe(true)
  })

  test('a status and a gallery request, too', async () => {
    const headers = { 'content-type': 'application/json', 'cf-connecting-ip': freshAddress() }
    const json = { path: '/images/status', headers }
    expect((await api.send({ ...json, body: [Buffer.from('{"urls":'), Buffer.from('["x"]}')] })).status).toBe(200)
    const form = { path: '/galleries', headers: { 'content-type': 'application/x-www-form-urlencoded' } }
    const gallery = expectCreated(
      await api.send({ ...form, body: [Buffer.from('gallery_na'), Buffer.from('me=Chunks')] }),
    )
    expect(gallery.name).toBe('Chunks')
  })
})

describe('D13: galleries, finalize and rename accept urlencoded and multipart alike', () => {
  test('POST /galleries', async () => {
    expect(expectCreated(await api.postUrlencoded('/galleries', { gallery_name: 'A b' })).name).toBe('A b')
    expect(expectCreated(await api.postMultipart('/galleries', { gallery_name: 'A b' })).name).toBe('A b')
    const form = { 'content-type': 'application/x-www-form-urlencoded; charset=UTF-8' }
    const body = 'gallery_name=%C3%84+b%2Bc&include_manage_url=1'
    const gallery = expectCreated(await api.send({ path: '/galleries', body, headers: form }))
    expect(gallery).toMatchObject({ name: 'Ä b+c', manageUrl: expect.any(String) })
  })

  test.for([
    ['no body and no Content-Type', {}],
    ['no body, urlencoded', { headers: { 'content-type': 'application/x-www-form-urlencoded' } }],
    ['an empty body and no Content-Type', { body: '' }],
    ['an empty chunked body', { body: [] }],
    ['an empty urlencoded body', { body: '', headers: { 'content-type': 'application/x-www-form-urlencoded' } }],
  ] as const)('POST /galleries with %s is an untitled gallery', async ([, more]) => {
    expect(expectCreated(await api.send({ path: '/galleries', ...more })).name).toBe('')
  })

  test.for([
    ['gallery_name=a&gallery_name=b', 400],
    ['include_manage_url=1&include_manage_url=1', 400],
    ['include_manage_url=2', 422],
    ['include_manage_url=true', 422],
    ['include_manage_url=01', 422],
    ['include_manage_url=', 200],
    ['include_manage_url=0', 200],
    ['unknown=1&unknown=2', 200],
  ] as [string, number][])('POST /galleries with %s: %i', async ([body, status]) => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const response = await api.send({ path: '/galleries', body, headers })
    if (status === 200) expectCreated(response)
    else expectApiError(response, status)
  })

  test('POST /galleries with malformed multipart is 400', async () => {
    const headers = { 'content-type': 'multipart/form-data; boundary=edge' }
    expectApiError(await api.send({ path: '/galleries', body: 'hello', headers }), 400)
  })

  test.for([
    ['urlencoded', api.postUrlencoded],
    ['multipart', api.postMultipart],
  ] as const)('finalize, %s', async ([, post]) => {
    const gallery = await createGallery(api)
    await uploadImage(api, gallery.fields)
    const response = await post(`/galleries/${gallery.hash}/finalize`, { gallery_upload_hash: gallery.uploadToken })
    expect(response).toMatchObject({ status: 200, text: '' })
  })

  test.for([
    ['urlencoded', api.postUrlencoded],
    ['multipart', api.postMultipart],
    ['JSON', api.postJson],
  ] as const)('rename, %s', async ([, post]) => {
    const gallery = await createGallery(api)
    const response = await post(`/management/${gallery.managementToken}/rename`, { name: 'Ä b+c' })
    expect(JSON.parse(response.text)).toMatchObject({ gallery_name: 'Ä b+c' })
  })

  test('rename, JSON: additional properties are tolerated, the media type may carry a charset', async () => {
    const { managementToken } = await createGallery(api)
    const headers = { 'content-type': 'Application/JSON; charset=utf-8' }
    const body = JSON.stringify({ name: 'x', color: 'red', list: [{}] })
    expect((await api.send({ path: `/management/${managementToken}/rename`, body, headers })).status).toBe(200)
  })
})

describe('delete: no request body', () => {
  test.for([
    ['neither body nor Content-Type', {}],
    ['an empty form', { body: '', headers: { 'content-type': 'application/x-www-form-urlencoded' } }],
    ['JSON', { body: '{}', headers: { 'content-type': 'application/json' } }],
    ['bytes of no type', { body: Buffer.alloc(1000) }],
  ] as const)('%s', async ([, more]) => {
    const { managementToken } = await uploadImage(api, { include_manage_url: '1' })
    expect((await api.remove(managementToken, more)).status).toBe(200)
  })
})

test('the bytes of one form do not reach the next', async () => {
  const [red, green] = [await png(plain(20, 20, [255, 0, 0])), await png(plain(20, 20, [0, 255, 0]))]
  const responses = await Promise.all(
    [red, green, red, green].map((bytes) => api.uploadImage([filePart('img', 'a.png', bytes), CONTENT_TYPE])),
  )
  const stored = await Promise.all(responses.map((response) => api.follow(expectUploaded(response).originalUrl)))
  expect(stored.map(({ bytes }) => bytes.equals(red))).toEqual([true, false, true, false])
})

function asCover(bytes: Buffer): Buffer {
  return Buffer.from(bytes.toString('latin1').replace('name="img"', 'name="img_left"'), 'latin1')
}
