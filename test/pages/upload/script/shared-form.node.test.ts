import { expect, test } from 'vitest'
import { readSharedForm } from '../../../../src/pages/upload/script/share/shared-form.ts'
import { below, pick, type Random, seededRandom } from '../../../support/random.ts'

interface Read {
  name: string
  type: string
  text: string
}

/** Returns a form whose body arrives in chunks of at most this many bytes. */
function requestOf(body: Uint8Array, contentType: string, nextLength: () => number): Pick<Request, 'body' | 'headers'> {
  let at = 0
  return {
    headers: new Headers({ 'Content-Type': contentType }),
    body: new ReadableStream<Uint8Array<ArrayBuffer>>({
      pull(controller) {
        if (at >= body.length) return controller.close()
        const end = at + nextLength()
        controller.enqueue(body.slice(at, end))
        at = end
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

/** Text that looks like the line breaks and boundaries around it. */
function contentOf(random: Random, boundary: string): string {
  const parts = ['\r', '\n', '\r\n', '--', '\r\n--', boundary.slice(0, 9), `\n--${boundary.slice(0, -1)}`, 'é', '']
  return Array.from({ length: below(30, random) }, () => pick(parts, random)).join('')
}

const SEED = Math.trunc(Math.random() * 2 ** 31)

test(`files are read as sent, however the form is split into chunks (seed ${SEED})`, async () => {
  const random = seededRandom(SEED)
  for (let round = 0; round < 300; round++) {
    const boundary = `----WebKitFormBoundary${below(1e9, random)}`
    const sent = Array.from({ length: below(4, random) }, (_, index) => ({
      name: pick(['a.jpg', 'é "quoted"; name="img".png', '', 'line\nbreak'], random),
      type: pick(['image/jpeg', 'application/octet-stream'], random),
      text: `${contentOf(random, boundary)}x${index}`,
    }))
    const escaped = (name: string) => name.replace(/"/g, '%22').replace(/\r/g, '%0D').replace(/\n/g, '%0A')
    const parts = sent.flatMap(({ name, type, text }) => [
      `--${boundary}\r\nContent-Disposition: form-data; name="title"\r\n\r\nno file\r\n`,
      `--${boundary}\r\nContent-Disposition: form-data; name="img"; filename="${escaped(name)}"\r\nContent-Type: ${type}\r\n\r\n${text}\r\n`,
      `--${boundary}\r\nContent-Disposition: form-data; name="other"; filename="x"\r\n\r\nanother field\r\n`,
    ])
    const body = new TextEncoder().encode(`${parts.join('')}--${boundary}--\r\n`)
    const longest = pick([1, 7, 100, 5000], random)
    const request = requestOf(body, `multipart/form-data; boundary=${boundary}`, () => 1 + below(longest, random))
    expect(await filesOf(request)).toEqual(sent)
  }
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
])('an incomplete form is an error: %s', async (contentType, body) => {
  const request = requestOf(new TextEncoder().encode(body), contentType, () => 1000)
  await expect(filesOf(request)).rejects.toThrow()
})
