import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readSharedForm } from '../../../../src/pages/upload/script/share/shared-form.ts'
import { chunkLengths, chunksOf, parametersOf } from '../../../support/property.ts'

interface Read {
  name: string
  type: string
  text: string
}

/** Returns a form whose body arrives in chunks of these lengths, over and over. */
function requestOf(
  body: Uint8Array,
  contentType: string,
  lengths: readonly number[],
): Pick<Request, 'body' | 'headers'> {
  const chunks = chunksOf(body, lengths)
  return {
    headers: new Headers({ 'Content-Type': contentType }),
    body: new ReadableStream<Uint8Array<ArrayBuffer>>({
      pull(controller) {
        const { value, done } = chunks.next()
        if (done) controller.close()
        else controller.enqueue(value)
      },
    }),
  }
}

async function filesOf(request: Pick<Request, 'body' | 'headers'>): Promise<Read[]> {
  const files: Read[] = []
  await readSharedForm(request, 'img', async ({ name, type, content }) => {
    files.push({ name, type, text: await new Response(content).text() })
  })
  return files
}

const BOUNDARY = '----WebKitFormBoundary7MA4YWxkTrZu0gW'
/** Text that looks like the line breaks and boundaries around it. */
const text = fc.string({
  unit: fc.constantFrom(
    'x',
    '\r',
    '\n',
    '\r\n',
    '--',
    '\r\n--',
    BOUNDARY.slice(0, 9),
    `\n--${BOUNDARY.slice(0, -1)}`,
    `\r\n--${BOUNDARY}x`,
    'é',
  ),
  maxLength: 30,
})
const sharedFile = fc.record({
  name: fc.constantFrom('a.jpg', 'é "quoted"; name="img".png', '', 'line\nbreak'),
  type: fc.constantFrom('image/jpeg', 'application/octet-stream'),
  text,
})
const lengths = fc.oneof(chunkLengths(1), chunkLengths(7), chunkLengths(100), chunkLengths(5000))
const PARAMETERS = parametersOf(process.env.TINTYPE_SEED, Math.trunc(Math.random() * 2 ** 31), 300)

test(`files are read as sent, however the form is split into chunks (seed ${PARAMETERS.seed})`, async () => {
  const property = fc.asyncProperty(fc.array(sharedFile, { maxLength: 3 }), lengths, async (sent, lengths) => {
    const escaped = (name: string) => name.replace(/"/g, '%22').replace(/\r/g, '%0D').replace(/\n/g, '%0A')
    const parts = sent.flatMap(({ name, type, text }) => [
      `--${BOUNDARY}\r\nContent-Disposition: form-data; name="title"\r\n\r\nno file\r\n`,
      `--${BOUNDARY}\r\nContent-Disposition: form-data; name="img"; filename="${escaped(name)}"\r\nContent-Type: ${type}\r\n\r\n${text}\r\n`,
      `--${BOUNDARY}\r\nContent-Disposition: form-data; name="other"; filename="x"\r\n\r\nanother field\r\n`,
    ])
    const body = new TextEncoder().encode(`${parts.join('')}--${BOUNDARY}--\r\n`)
    const request = requestOf(body, `multipart/form-data; boundary=${BOUNDARY}`, lengths)
    expect(await filesOf(request)).toEqual(sent)
  })
  await fc.assert(property, PARAMETERS)
})

test('a form that a browser would send is read', async () => {
  const form = new FormData()
  form.append('img', new File(['one'], 'ä"b.jpg', { type: 'image/jpeg' }))
  form.append('img', new File([], 'empty.png', { type: 'image/png' }))
  expect(await filesOf(new Response(form))).toEqual([
    { name: 'ä"b.jpg', type: 'image/jpeg', text: 'one' },
    { name: 'empty.png', type: 'image/png', text: '' },
  ])
})

test('a file that is not read, or not to its end, is skipped', async () => {
  const form = new FormData()
  for (const name of ['1', '2', '3', '4']) form.append('img', new File(['x'.repeat(100_000)], name))
  const names: string[] = []
  await readSharedForm(new Response(form), 'img', async ({ name, content }) => {
    names.push(name)
    if (name === '2') await content.getReader().read()
    if (name === '3') await content.cancel()
  })
  expect(names).toEqual(['1', '2', '3', '4'])
})

test.each([
  ['multipart/form-data; boundary=x', '--x\r\nContent-Disposition: form-data; name="img"; filename="a"\r\n\r\nno end'],
  ['multipart/form-data; boundary=x', `--x\r\nContent-Disposition: ${'y'.repeat(20_000)}\r\n\r\n\r\n--x--`],
  ['text/plain', '--x--'],
])('what is no whole form is an error: %s', async (contentType, body) => {
  const request = requestOf(new TextEncoder().encode(body), contentType, [1000])
  await expect(filesOf(request)).rejects.toThrow()
})
