import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeEach, expect, test } from 'vitest'
import { handleRequest } from '../../src/app.ts'
import { emptyStore, PIXEL_GIF, rows, storedKeys } from '../domain/store.ts'

const BOUNDARY = 'boundary'
const BODY = new Blob([
  ...['content_type', '0', 'optimize_for_web', '1', 'include_manage_url', '1'].flatMap((text, i) =>
    i % 2 === 0 ? [`--${BOUNDARY}\r\nContent-Disposition: form-data; name="${text}"\r\n\r\n`] : [`${text}\r\n`],
  ),
  `--${BOUNDARY}\r\nContent-Disposition: form-data; name="img"; filename="a.gif"\r\n\r\n`,
  PIXEL_GIF,
  `\r\n--${BOUNDARY}--\r\n`,
])

beforeEach(emptyStore)

test('an upload continues without its client: Cloudflare is told to wait for it', async () => {
  const context = createExecutionContext()
  // Nobody waits for the response.
  void handleRequest(uploadOf(BODY.stream()), { ...env, PUBLIC_DOMAINS: 'd.example' }, context)
  await waitOnExecutionContext(context)
  expect(await rows('SELECT name FROM images')).toEqual([{ name: 'a.gif' }])
  expect(await rows('SELECT * FROM file_cleanup')).toEqual([])
  expect(await storedKeys()).toHaveLength(2)
})

test('a body that breaks off leaves nothing, at any byte', async () => {
  const bytes = new Uint8Array(await BODY.arrayBuffer())
  const lengths = Array.from({ length: bytes.length + 1 }, (_, length) => length)
  // The last of them: after the closing boundary.
  for (const length of lengths.filter((one) => one % 7 === 0 || one > bytes.length - 4)) {
    const context = createExecutionContext()
    const broken = new ReadableStream({
      type: 'bytes',
      start(controller) {
        if (length > 0) controller.enqueue(bytes.slice(0, length))
      },
      pull(controller) {
        controller.error(new Error('Network connection lost.'))
      },
    })
    const response = await handleRequest(uploadOf(broken), { ...env, PUBLIC_DOMAINS: 'd.example' }, context)
    await waitOnExecutionContext(context)
    expect([length, response.status]).toEqual([length, 400])
  }
  expect(await rows('SELECT * FROM images')).toEqual([])
  expect(await rows('SELECT * FROM file_cleanup')).toEqual([])
  expect(await storedKeys()).toEqual([])
})

function uploadOf(body: ReadableStream): Request {
  const headers = { 'Content-Type': `multipart/form-data; boundary=${BOUNDARY}` }
  return new Request('https://d.example/images', { method: 'POST', headers, body })
}
