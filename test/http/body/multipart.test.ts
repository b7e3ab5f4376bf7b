import { env } from 'cloudflare:workers'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Failure } from '../../../src/domain/failure.ts'
import type { Incoming } from '../../../src/http/body/buffered-body.ts'
import { optionalFlag } from '../../../src/http/body/fields.ts'
import { type Form, readMultipart, requireFile } from '../../../src/http/body/multipart.ts'
import {
  DRAINED_MAX_BYTES,
  FORM_FIELD_MAX_BYTES,
  MULTIPART_MAX_BYTES,
  MULTIPART_MAX_HEADER_BYTES,
  MULTIPART_MAX_PARTS,
  UPLOAD_MAX_BYTES,
} from '../../../src/limits.ts'
import { byteStream, thenNothing } from '../../support/byte-stream.ts'
import { incoming } from '../../support/incoming.ts'
import { chunkLengths, chunksOf, parametersOf } from '../../support/property.ts'

const FIELDS = { texts: ['content_type', 'gallery_upload_hash'], files: ['img', 'img_right'] }
const TYPE = 'multipart/form-data; boundary=edge'
const TOKEN = 'Tk9vTWFueVNlY3JldHNIZXJlMTIzNDU2'
const PARAMETERS = parametersOf(env.TEST_SETTINGS.TINTYPE_SEED, 20261121, 300)
/** Of random bodies. */
const ROUNDS = Number(env.TEST_SETTINGS.FUZZ_ROUNDS ?? 200)

/** Encodes one character in each byte. */
const latin1 = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0))
const part = (disposition: string, content: string) =>
  `--edge\r\nContent-Disposition: ${disposition}\r\n\r\n${content}\r\n`
const text = (name: string, value: string) => part(`form-data; name="${name}"`, value)
const file = (parameters: string, content = 'bytes') => part(`form-data; ${parameters}`, content)
const closed = (...parts: string[]) => `${parts.join('')}--edge--\r\n`

type Cut = (bytes: Uint8Array) => Iterable<Uint8Array>
const whole: Cut = (bytes) => [bytes]
const byteByByte: Cut = (bytes) => Array.from(bytes, (byte) => Uint8Array.of(byte))
/** For long bodies: no boundary, header or limit here has this length. */
const inChunksOf61: Cut = (bytes) =>
  Array.from({ length: Math.ceil(bytes.length / 61) }, (_, at) => bytes.subarray(at * 61, (at + 1) * 61))

function requestOf(body: ReadableStream | Uint8Array | null, contentType: string | undefined = TYPE): Incoming {
  return incoming(new Request('http://test/images', { method: 'POST', headers: { 'Content-Type': contentType }, body }))
}

/** Returns a form as plain data, with files as `name (bytes in latin1)`. */
function plain({ texts, files }: Form) {
  const written = [...files].map(([name, { filename, bytes }]) => [name, [filename, toLatin1(bytes)]])
  return { texts: Object.fromEntries(texts), files: Object.fromEntries(written) }
}

function toLatin1(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
}

/** Returns the form, or the code of the failure. Rethrows everything else. */
async function outcome(body: string | Uint8Array, cut: Cut = whole, contentType = TYPE) {
  const bytes = typeof body === 'string' ? latin1(body) : body
  return readMultipart(requestOf(byteStream(cut(bytes)), contentType), FIELDS).then(plain, codeOf)
}

function codeOf(error: unknown) {
  if (error instanceof Failure) return error.code
  throw error
}

async function failureOf(reading: Promise<Form>): Promise<Failure> {
  const failure = await reading.then(
    () => undefined,
    (error: unknown) => error,
  )
  if (failure instanceof Failure) return failure
  throw new Error(`expected a Failure, got ${String(failure)}`)
}

function imageNamed(filename: string, content = 'bytes') {
  return { texts: {}, files: { img: [filename, content] } }
}

/** Yields a file part of this many bytes while it is read. */
function* hugePart(bytes: number, parameters = 'name="img"; filename="a.jpg"'): Generator<Uint8Array> {
  yield latin1(`--edge\r\nContent-Disposition: form-data; ${parameters}\r\n\r\n`)
  const chunk = new Uint8Array(65_536).fill(0x0d)
  for (let left = bytes; left > 0; left -= chunk.length) yield chunk.subarray(0, left)
  yield latin1('\r\n')
}

describe('the Content-Type of the request', () => {
  const body = closed(file('name=img; filename=a.jpg'))
  test.for([
    ['multipart/form-data; boundary=edge'],
    ['multipart/form-data; boundary="edge"'],
    ['multipart/form-data; charset=utf-8; boundary=edge'],
    ['multipart/form-data;boundary=edge;charset=utf-8'],
    ['multipart/form-data ; boundary = edge ; charset="utf-8";'],
    ['Multipart/Form-Data; Boundary=edge'],
    ['multipart/form-data; note="; boundary=other"; boundary=edge'],
  ])('%s is read', async ([contentType]) => {
    expect(await outcome(body, whole, contentType)).toEqual(imageNamed('a.jpg'))
  })

  test.for([
    ['no boundary', 'multipart/form-data'],
    ['an empty boundary', 'multipart/form-data; boundary='],
    ['an empty quoted boundary', 'multipart/form-data; boundary=""'],
    ['another boundary', 'multipart/form-data; boundary=other'],
    ['two boundaries', 'multipart/form-data; boundary=edge; boundary=edge'],
    ['an open quote', 'multipart/form-data; boundary="edge'],
    ['a boundary outside ASCII', 'multipart/form-data; boundary=\xe9'],
    ['another multipart', 'multipart/mixed; boundary=edge'],
    ['a longer type', 'multipart/form-data2; boundary=edge'],
    ['urlencoded', 'application/x-www-form-urlencoded'],
    ['nothing', ''],
  ] as const)('%s is malformed', async ([, contentType]) => {
    expect(await outcome(body, whole, contentType)).toBe('malformed_request')
  })

  test.for([
    [70, imageNamed('a.jpg')],
    [71, 'malformed_request'],
  ] as const)('a boundary of %i characters', async ([length, expected]) => {
    const boundary = 'e'.repeat(length)
    const sent = body.replaceAll('edge', boundary)
    expect(await outcome(sent, whole, `multipart/form-data; boundary=${boundary}`)).toEqual(expected)
  })

  test("a boundary may hold any of RFC 2046's characters", async () => {
    const boundary = "a'()+_,-./:=? b"
    const sent = body.replaceAll('edge', boundary)
    expect(await outcome(sent, whole, `multipart/form-data; boundary="${boundary}"`)).toEqual(imageNamed('a.jpg'))
  })
})

describe('bodies that are read, both whole and byte by byte', () => {
  const IMG = 'name="img"; filename="a.jpg"'
  const rows: [form: string, body: string, expected: ReturnType<typeof plain>][] = [
    ['a text and a file', closed(text('content_type', '0'), file(IMG)), withTexts({ content_type: '0' })],
    ['the file first', closed(file(IMG), text('content_type', '0')), withTexts({ content_type: '0' })],
    ['no parts', '--edge--\r\n', nothing()],
    ['a preamble', `preamble\r\n--edg\r\n${closed(file(IMG))}`, imageNamed('a.jpg')],
    ['an empty line first', `\r\n${closed(file(IMG))}`, imageNamed('a.jpg')],
    ['a boundary within a line of the preamble', `see --edge\r\n${closed(file(IMG))}`, imageNamed('a.jpg')],
    ['a boundary that goes on at the start', `--edgeX\r\n${closed(file(IMG))}`, imageNamed('a.jpg')],
    ['an epilogue', `${closed(file(IMG))}epilogue\r\n--edge\r\nmore`, imageNamed('a.jpg')],
    ['no final line end', closed(file(IMG)).trimEnd(), imageNamed('a.jpg')],
    ['blanks after the boundaries', closed(file(IMG)).replace('--edge\r', '--edge \t \r'), imageNamed('a.jpg')],
    ['blanks after the last boundary', closed(file(IMG)).replace('edge--', 'edge-- '), imageNamed('a.jpg')],
    ['an empty file with a name', closed(file(IMG, '')), imageNamed('a.jpg', '')],
    ['content of line ends', closed(file(IMG, '\r\n\r\n\r\n')), imageNamed('a.jpg', '\r\n\r\n\r\n')],
    ['the start of a boundary', closed(file(IMG, 'a\r\n--edg\r\n--ed')), imageNamed('a.jpg', 'a\r\n--edg\r\n--ed')],
    ['a boundary after a line feed', closed(file(IMG, '\n--edge\r\n')), imageNamed('a.jpg', '\n--edge\r\n')],
    ['a boundary within a line', closed(file(IMG, 'a--edge--')), imageNamed('a.jpg', 'a--edge--')],
    ['a boundary that goes on', closed(file(IMG, '\r\n--edgeX\r\n')), imageNamed('a.jpg', '\r\n--edgeX\r\n')],
    ['a boundary and one dash', closed(file(IMG, '\r\n--edge-\r\n')), imageNamed('a.jpg', '\r\n--edge-\r\n')],
    ['a boundary and a line feed', closed(file(IMG, '\r\n--edge\n')), imageNamed('a.jpg', '\r\n--edge\n')],
    [
      'a boundary and a hundred blanks',
      closed(file(IMG, `\r\n--edge${' '.repeat(100)}\r\n`)),
      imageNamed('a.jpg', `\r\n--edge${' '.repeat(100)}\r\n`),
    ],
    ['a carriage return before the boundary', closed(file(IMG, 'a\r')), imageNamed('a.jpg', 'a\r')],
    ['NUL in the content', closed(file(IMG, '\0\0')), imageNamed('a.jpg', '\0\0')],
    ['a folded header', closed(file('name="img";\r\n\t filename="a.jpg"')), imageNamed('a.jpg')],
    [
      'headers in any case and order',
      closed(file(IMG).replace('Content-Disposition', 'content-type: X\r\nCONTENT-DISPOSITION')),
      imageNamed('a.jpg'),
    ],
    ['no blanks in the disposition', closed(file(IMG).replaceAll(/(?<=[:;]) /g, '')), imageNamed('a.jpg')],
    ['parameters in any case', closed(file('NAME="img"; FileName="a.jpg"')), imageNamed('a.jpg')],
    ['Form-Data', closed(part('Form-Data; name="img"; filename="a.jpg"', 'bytes')), imageNamed('a.jpg')],
    ['parameters in the other order', closed(file('filename="a.jpg"; name="img"')), imageNamed('a.jpg')],
    ['a last semicolon', closed(file(`${IMG};`)), imageNamed('a.jpg')],
    ['unknown parameters', closed(file(`size=5; ${IMG}; x`)), imageNamed('a.jpg')],
    ['unquoted names', closed(file('name=img; filename=a.jpg')), imageNamed('a.jpg')],
    ['an unquoted name with blanks', closed(file('name=img ; filename=my cat.jpg ')), imageNamed('my cat.jpg')],
    ['a semicolon in a name', closed(file('name="img"; filename="a; name=b.jpg"')), imageNamed('a; name=b.jpg')],
    ['%22 in a name', closed(file('name="img"; filename="a%22b%0D%0a.jpg"')), imageNamed('a"b\r\n.jpg')],
    ['other percents in a name', closed(file('name="img"; filename="100%25%.jpg"')), imageNamed('100%25%.jpg')],
    ['an escaped quote', closed(file('name="img"; filename="a\\"b.jpg"')), imageNamed('a"b.jpg')],
    ['a path', closed(file('name="img"; filename="C:\\new\\a.jpg"')), imageNamed('C:\\new\\a.jpg')],
    ['an escaped path', closed(file('name="img"; filename="C:\\\\new\\\\a.jpg"')), imageNamed('C:\\new\\a.jpg')],
    ['a path with slashes', closed(file('name="img"; filename="/home/me/a.jpg"')), imageNamed('/home/me/a.jpg')],
    ['a raw UTF-8 name', closed(file('name="img"; filename="\xc3\xa9\xe2\x82\xac.jpg"')), imageNamed('é€.jpg')],
    ['a name in windows-1252', closed(file('name="img"; filename="\xe9\x80.jpg"')), imageNamed('é€.jpg')],
    ['filename* alone', closed(file("name=img; filename*=UTF-8''%c3%a9.jpg")), imageNamed('é.jpg')],
    ['filename* with a language', closed(file("name=img; filename*=utf-8'en'%C3%A9.jpg")), imageNamed('é.jpg')],
    ['filename* in quotes', closed(file(`name=img; filename*="UTF-8''%c3%a9.jpg"`)), imageNamed('é.jpg')],
    ['filename* before', closed(file("name=img; filename*=UTF-8''%c3%a9.jpg; filename=a.jpg")), imageNamed('é.jpg')],
    ['filename* after', closed(file("name=img; filename=a.jpg; filename*=UTF-8''%c3%a9.jpg")), imageNamed('é.jpg')],
    ['filename* in another charset', closed(file("name=img; filename*=klingon''a; filename=b")), imageNamed('b')],
    ['filename* with a bad percent', closed(file("name=img; filename*=UTF-8''%zz; filename=b")), imageNamed('b')],
    ['filename* that is no UTF-8', closed(file("name=img; filename*=UTF-8''%ff; filename=b")), imageNamed('b')],
    ['filename* of nothing but bad UTF-8', closed(file("name=img; filename*=UTF-8''%ff", '')), imageNamed('', '')],
    ['filename* without quotes', closed(file('name=img; filename*=a.jpg', '')), imageNamed('', '')],
    ['an empty file name and bytes', closed(file('name="img"; filename=""')), imageNamed('')],
    ['an empty file name and no bytes', closed(file('name="img"; filename=""', '')), nothing()],
    ['an empty filename* and no bytes', closed(file(`name="img"; filename*=UTF-8''`, '')), nothing()],
    ['an empty unquoted file name', closed(file('name=img; filename=', '')), nothing()],
    ['a file field without a file name', closed(text('img', 'bytes')), nothing()],
    ['unknown texts and files, twice', closed(text('a', '1'), text('a', '2'), file('name=b; filename=c')), nothing()],
    ['an empty field name', closed(file('name=""; filename="a"')), nothing()],
    ['a field name in another case', closed(text('Content_Type', '0')), nothing()],
    ['an empty text', closed(text('content_type', '')), { texts: { content_type: '' }, files: {} }],
    ['a text with line ends', closed(text('content_type', '1\r\n')), { texts: { content_type: '1\r\n' }, files: {} }],
    ['a UTF-8 text', closed(text('content_type', '\xc3\xa9')), { texts: { content_type: 'é' }, files: {} }],
    [
      'a text with a byte order mark, which stays',
      closed(text('content_type', '\xef\xbb\xbf1')),
      { texts: { content_type: '\ufeff1' }, files: {} },
    ],
  ]
  test.for(rows)('%s', async ([, body, expected]) => {
    expect(await outcome(body)).toEqual(expected)
    expect(await outcome(body, byteByByte)).toEqual(expected)
  })

  function withTexts(texts: Record<string, string>) {
    return { ...imageNamed('a.jpg'), texts }
  }

  function nothing() {
    return { texts: {}, files: {} }
  }
})

describe('bodies that are rejected, both whole and byte by byte', () => {
  const IMG = 'name="img"; filename="a.jpg"'
  const good = closed(file(IMG))
  const rows: [form: string, body: string, code: string][] = [
    ['nothing', '', 'malformed_request'],
    ['no boundary', 'hello', 'malformed_request'],
    ['line feeds alone', good.replaceAll('\r\n', '\n'), 'malformed_request'],
    ['a line feed between headers', good.replace('\r\n\r\n', '\nX: y\r\n\r\n'), 'malformed_request'],
    ['a carriage return within a header', good.replace('a.jpg', 'a\r.jpg'), 'malformed_request'],
    ['a first boundary within a line', `x${good.replace('\r\n--edge--', '')}`, 'malformed_request'],
    ['no headers', closed('--edge\r\n\r\nbytes\r\n'), 'malformed_request'],
    ['no Content-Disposition', closed('--edge\r\nX: form-data; name="img"\r\n\r\nbytes\r\n'), 'malformed_request'],
    [
      'two Content-Dispositions',
      good.replace('\r\n\r\n', '\r\nContent-Disposition: form-data; name="img"\r\n\r\n'),
      'malformed_request',
    ],
    ['another disposition', closed(part(`attachment; ${IMG}`, 'bytes')), 'malformed_request'],
    ['no disposition type', closed(part(IMG, 'bytes')), 'malformed_request'],
    ['no field name', closed(part('form-data; filename="a.jpg"', 'bytes')), 'malformed_request'],
    ['two field names', closed(file(`${IMG}; name="img"`)), 'malformed_request'],
    ['two file names', closed(file(`${IMG}; filename="b.jpg"`)), 'malformed_request'],
    ['an open quote', closed(file('name="img"; filename="a.jpg')), 'malformed_request'],
    ['text after a quote', closed(file('name="img"; filename="a"b.jpg"')), 'malformed_request'],
    ['NUL in a file name', closed(file('name="img"; filename="a\0.jpg"')), 'malformed_request'],
    ['NUL in a field name', closed(file('name="i\0mg"; filename="a.jpg"')), 'malformed_request'],
    ['NUL in a header name', good.replace('\r\n\r\n', '\r\nX\0: y\r\n\r\n'), 'malformed_request'],
    ['a header without a colon', good.replace('\r\n\r\n', '\r\njunk\r\n\r\n'), 'malformed_request'],
    ['a header without a name', good.replace('\r\n\r\n', '\r\n: junk\r\n\r\n'), 'malformed_request'],
    ['a text that is no UTF-8', closed(text('content_type', '\xff')), 'malformed_request'],
    ['a text sent as a file', closed(file('name="content_type"; filename="a"')), 'malformed_request'],
    ['a text twice', closed(text('content_type', '0'), text('content_type', '')), 'duplicate_field'],
    ['a file twice', closed(file(IMG), file(IMG)), 'duplicate_field'],
    ['a file twice, once empty', closed(file('name="img"; filename=""', ''), file(IMG)), 'duplicate_field'],
    ['a file as text and as file', closed(text('img', 'x'), file(IMG)), 'duplicate_field'],
  ]
  test.for(rows)('%s', async ([, body, code]) => {
    expect(await outcome(body)).toBe(code)
    expect(await outcome(body, byteByByte)).toBe(code)
  })

  test('no body at all', async () => {
    expect((await failureOf(readMultipart(requestOf(null), FIELDS))).code).toBe('malformed_request')
  })

  test('a body that ends anywhere before its closing boundary', async () => {
    const body = latin1(closed(text('content_type', '0'), file(IMG)))
    const complete = body.length - '\r\n'.length
    for (let length = 0; length < complete; length++) {
      expect(await outcome(body.subarray(0, length)), `${length} bytes`).toBe('malformed_request')
      expect(await outcome(body.subarray(0, length), byteByByte), `${length} bytes`).toBe('malformed_request')
    }
    expect(await outcome(body.subarray(0, complete))).toEqual(await outcome(body))
  })

  test('a body that breaks off is always a malformed request', async () => {
    const bytes = latin1(closed(text('content_type', '0'), file(IMG)))
    for (const length of [0, 1, 20, 60, bytes.length]) {
      const body = byteStream(
        (function* () {
          yield bytes.subarray(0, length)
          throw new Error('connection reset')
        })(),
      )
      expect((await failureOf(readMultipart(requestOf(body), FIELDS))).code, `${length} bytes`).toBe(
        'malformed_request',
      )
    }
  })

  test('a message never repeats a token', async () => {
    const token = text('gallery_upload_hash', TOKEN)
    const bodies = [
      closed(token, token),
      token,
      closed(text('gallery_upload_hash', `${TOKEN}\xff`)),
      closed(token, file('name=content_type; filename=a')),
    ]
    for (const body of bodies) {
      const { message } = await failureOf(readMultipart(requestOf(latin1(body)), FIELDS))
      expect(message).not.toContain(TOKEN.slice(0, 8))
    }
  })
})

describe('limits, from both sides', () => {
  const IMG = 'name="img"; filename="a.jpg"'

  function* chain(...bodies: Iterable<Uint8Array>[]): Generator<Uint8Array> {
    for (const body of bodies) yield* body
    yield latin1('--edge--\r\n')
  }

  const read = (chunks: Iterable<Uint8Array>) => readMultipart(requestOf(byteStream(chunks)), FIELDS)

  test('a file of 10,485,760 bytes is read', async () => {
    const form = await read(chain(hugePart(UPLOAD_MAX_BYTES)))
    expect(UPLOAD_MAX_BYTES).toBe(10_485_760)
    expect(requireFile(form, 'img').bytes.length).toBe(UPLOAD_MAX_BYTES)
  })

  test('a file of one byte more is rejected', async () => {
    const failure = await failureOf(read(chain(hugePart(UPLOAD_MAX_BYTES + 1))))
    expect(failure).toMatchObject({ code: 'file_too_large', message: 'img must be at most 10485760 bytes' })
  })

  test('a file that is too large is cancelled: a little is skipped, the rest of the body is never read', async () => {
    let taken = 0
    let cancelled = false
    function* counted() {
      try {
        for (const chunk of hugePart(10 * UPLOAD_MAX_BYTES)) {
          taken += chunk.length
          yield chunk
        }
      } finally {
        cancelled = true
      }
    }
    const body = byteStream(counted())
    expect((await failureOf(readMultipart(requestOf(body), FIELDS))).code).toBe('file_too_large')
    expect(cancelled).toBe(true)
    expect(taken).toBeLessThan(UPLOAD_MAX_BYTES + DRAINED_MAX_BYTES + 3 * 65_536)
  })

  test('a rejected sender may send the rest, because most clients only then read the response', async () => {
    let ended = false
    function* chunks() {
      yield latin1(text('content_type', '0') + text('content_type', '0'))
      yield* hugePart(UPLOAD_MAX_BYTES)
      ended = true
    }
    const body = byteStream(chunks())
    expect((await failureOf(readMultipart(requestOf(body), FIELDS))).code).toBe('duplicate_field')
    expect(ended).toBe(true)
  })

  test('the response to a rejected sender does not wait for its pause', async () => {
    const body = byteStream(thenNothing([latin1(text('content_type', '0') + text('content_type', '0'))]))
    expect((await failureOf(readMultipart(requestOf(body), FIELDS))).code).toBe('duplicate_field')
  })

  test('two files of 10 MB are read, and an unknown one is skipped', async () => {
    const right = hugePart(UPLOAD_MAX_BYTES, 'name="img_right"; filename="b.jpg"')
    const form = await read(chain(hugePart(UPLOAD_MAX_BYTES), right))
    expect([...form.files.values()].map(({ bytes }) => bytes.length)).toEqual([UPLOAD_MAX_BYTES, UPLOAD_MAX_BYTES])
    const unknown = await read(chain(hugePart(2 * UPLOAD_MAX_BYTES, 'name="other"; filename="b.jpg"')))
    expect(unknown.files.size).toBe(0)
  })

  test.for([
    [0, 'read'],
    [1, 'body_too_large'],
  ] as const)('a body of the limit and %i bytes: %s', async ([more, expected]) => {
    const body = latin1(closed(file(IMG)))
    const epilogue = new Uint8Array(MULTIPART_MAX_BYTES - body.length + more)
    expect(await read([body, epilogue]).then(() => 'read', codeOf)).toBe(expected)
  })

  test.for([
    [FORM_FIELD_MAX_BYTES, '1'.repeat(FORM_FIELD_MAX_BYTES)],
    // Its beginning, and invalid content for every field.
    [FORM_FIELD_MAX_BYTES + 1, `${'1'.repeat(80)}\ud800`],
    [FORM_FIELD_MAX_BYTES * 3, `${'1'.repeat(80)}\ud800`],
  ] as const)('a text of %i bytes is read, and rejected in its turn', async ([length, expected]) => {
    const body = latin1(closed(text('content_type', '1'.repeat(length)), file(IMG)))
    for (const chunks of [[body], inChunksOf61(body)]) {
      const form = await read(chunks)
      expect(form.texts.get('content_type')).toBe(expected)
      expect(form.files.get('img')?.bytes.length).toBe('bytes'.length)
      expect(() => optionalFlag(form.texts, 'content_type')).toThrow('must be 0 or 1: received "11111111111111111111…"')
    }
  })

  test('an unknown text may be longer', async () => {
    expect((await read([latin1(closed(text('other', '1'.repeat(FORM_FIELD_MAX_BYTES + 1))))])).texts.size).toBe(0)
  })

  test.for([
    [MULTIPART_MAX_PARTS, 'read'],
    [MULTIPART_MAX_PARTS + 1, 'malformed_request'],
  ] as const)('%i parts: %s', async ([count, expected]) => {
    const body = closed(...Array.from({ length: count }, (_, at) => text(`field${at}`, '')))
    expect(await read([latin1(body)]).then(() => 'read', codeOf)).toBe(expected)
  })

  test.for([
    [MULTIPART_MAX_HEADER_BYTES, 'read'],
    [MULTIPART_MAX_HEADER_BYTES + 1, 'malformed_request'],
  ] as const)('headers of %i bytes: %s', async ([length, expected]) => {
    const disposition = `\r\nContent-Disposition: form-data; ${IMG}\r\nX: `
    const headers = disposition + 'x'.repeat(length - disposition.length)
    const body = latin1(closed(`--edge${headers}\r\n\r\nbytes\r\n`))
    expect(await read([body]).then(() => 'read', codeOf)).toBe(expected)
    expect(await read(inChunksOf61(body)).then(() => 'read', codeOf)).toBe(expected)
  })

  test.for([
    ['200,000 fields', () => text('field', '')],
    ['a header of a megabyte and more', (at: number) => (at === 0 ? '--edge\r\nX: ' : 'x'.repeat(100))],
    [
      'quotes without an end',
      (at: number) => (at === 0 ? '--edge\r\nContent-Disposition: form-data; a="' : '\\"'.repeat(50)),
    ],
  ] as const)('%s are rejected after a thousandth of them', async ([, chunk]) => {
    const body = byteStream(thenNothing(Array.from({ length: 200 }, (_, at) => latin1(chunk(at)))))
    expect((await failureOf(readMultipart(requestOf(body), FIELDS))).code).toBe('malformed_request')
  })
})

describe('D14: faults of texts before a file precede its size', () => {
  const judge = (texts: ReadonlyMap<string, string>) => {
    if (texts.has('content_type')) optionalFlag(texts, 'content_type')
  }
  test.for([
    ['right', text('content_type', '1'), 'file_too_large'],
    ['invalid', text('content_type', '2'), 'invalid_option'],
    ['not there yet', '', 'file_too_large'],
  ] as const)('content_type is %s', async ([, before, code]) => {
    const request = requestOf(byteStream([latin1(before), ...hugePart(UPLOAD_MAX_BYTES + 1)]))
    expect((await failureOf(readMultipart(request, FIELDS, judge))).code).toBe(code)
  })

  test('a form of allowed size is passed on unchecked', async () => {
    const request = requestOf(latin1(closed(text('content_type', '2'))))
    expect((await readMultipart(request, FIELDS, judge)).texts.get('content_type')).toBe('2')
  })
})

describe(`random bodies, seed ${PARAMETERS.seed}`, () => {
  const seedBodies = [
    closed(text('content_type', '0'), file('name="img"; filename="a.jpg"', '\r\n--edg\r\n--edgeX\r\n\r--edge')),
    `pre\r\n${closed(file('name=img; filename*=UTF-8\'\'%e2%82%ac; filename="C:\\a"'), text('other', 'x'))}post`,
    closed(file('name="img_right"; filename=""', ''), text('gallery_upload_hash', TOKEN)).replace(
      'edge\r',
      'edge \t\r',
    ),
  ]
  const SPECIAL = ['', ' ', '\r\n', '\r', '\n', '--edge', '--edge--', '"', '\\', ';', '=', ':', '\0', '\xff', '%', "'"]
  const body = fc.constantFrom(...seedBodies)
  const change = fc.record({ at: fc.nat(), added: fc.constantFrom(...SPECIAL), removed: fc.nat({ max: 3 }) })
  const cutBy =
    (lengths: readonly number[]): Cut =>
    (bytes) =>
      chunksOf(bytes, lengths)
  const lengths = fc.oneof(chunkLengths(5), chunkLengths(60))

  test('any division into chunks has the same result', async () => {
    const property = fc.asyncProperty(body, lengths, async (body, lengths) => {
      const expected = await outcome(body)
      expect(expected).toBeTypeOf('object')
      expect(await outcome(body, cutBy(lengths))).toEqual(expected)
    })
    await fc.assert(property, PARAMETERS)
  })

  test('a mutated body is read or rejected, equally in any chunks, without another exception', async () => {
    const outcomes = new Set<string>()
    const changes = fc.array(change, { minLength: 1, maxLength: 3 })
    const property = fc.asyncProperty(body, changes, chunkLengths(9), async (body, changes, lengths) => {
      const mutated = changes.reduce((text, { at, added, removed }) => {
        const from = at % text.length
        return text.slice(0, from) + added + text.slice(from + removed)
      }, body)
      const whole = await outcome(mutated)
      expect(await outcome(mutated, cutBy(lengths)), JSON.stringify(mutated)).toEqual(whole)
      outcomes.add(typeof whole === 'string' ? whole : 'read')
    })
    await fc.assert(property, { ...PARAMETERS, numRuns: ROUNDS })
    expect([...outcomes].filter((one) => !['malformed_request', 'read'].includes(one))).toEqual([])
  })
})

test('the bytes of an endless file are freed with the body', async () => {
  const sent = requestOf(latin1(file('name="img"; filename="a.png"', 'x'.repeat(100_000))))
  const owned: Uint8Array<ArrayBuffer>[] = []
  const memory = { ...sent.memory, own: (bytes: Uint8Array<ArrayBuffer>) => owned.push(bytes) }
  expect((await failureOf(readMultipart({ ...sent, memory }, FIELDS))).code).toBe('malformed_request')
  expect(owned.reduce((sum, { length }) => sum + length, 0)).toBeGreaterThanOrEqual(100_000)
})

test('a file that was not sent is missing, and the message names it', async () => {
  const form = await readMultipart(requestOf(latin1(closed())), FIELDS)
  expect(() => requireFile(form, 'img')).toThrow(
    new Failure('missing_field', 'img is missing: send it as a file with a file name'),
  )
})
