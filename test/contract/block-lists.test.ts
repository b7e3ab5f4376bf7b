import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Api, apiAt, mayStartServices } from './support/api.ts'
import { header } from './support/client.ts'
import { runHere } from './support/command.ts'
import { encoder, photo, png } from './support/images.ts'
import { file } from './support/multipart-body.ts'
import { expectTextError } from './support/responses.ts'
import { type Service, startService, temporaryData } from './support/service.ts'
import { LEAST_IMAGE, uploadImage } from './support/steps.ts'

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** D67: lists of blocked images, imported and withdrawn by `npm run moderate`. */
describe.skipIf(!mayStartServices())('block lists (needs a service of its own)', () => {
  let data: { path: string; remove: () => Promise<void> }
  let folder: string
  let service: Service
  let api: Api

  beforeAll(async () => {
    data = await temporaryData()
    folder = await mkdtemp(join(tmpdir(), 'tintype-lists-'))
    service = await startService({ data: data.path })
    api = apiAt(service.baseUrl)
  }, 240_000)

  afterAll(async () => {
    await service.stop()
    await data.remove()
    await rm(folder, { recursive: true, force: true })
  })

  const moderate = async (...args: string[]) => {
    const ended = await runHere('moderate', ['--port', String(service.port), '--data', data.path, ...args])
    return { code: ended.code, text: ended.stdout + ended.stderr }
  }
  const upload = (bytes: Buffer) => api.uploadImage({ ...LEAST_IMAGE, img: file('a.png', bytes) })
  const expectBlocked = async (bytes: Buffer) => {
    const response = await upload(bytes)
    expectTextError(response, 422)
    expect(header(response, 'x-error-code')).toBe('blocked_content')
  }
  const listOf = async (lines: readonly string[]) => {
    const path = join(folder, `${Math.random()}.txt`)
    await writeFile(path, lines.join('\n'))
    return path
  }

  test('a list blocks its files until it is withdrawn, and an import may be repeated', async () => {
    const [one, other] = [await png(photo(60, 40)), await png(photo(61, 40))]
    const path = await listOf([
      '# a list',
      '',
      `${sha256(one).toUpperCase()}  one.png # why`,
      `sha256:${sha256(other)}`,
    ])
    const imported = await moderate('import', path, '--list', 'partner-1')
    expect(imported).toEqual({ code: 0, text: '2 entries read, 2 new in partner-1.\n' })
    expect((await moderate('import', path, '--list', 'partner-1')).text).toBe('2 entries read, 0 new in partner-1.\n')
    await expectBlocked(one)
    await expectBlocked(other)
    expect((await upload(await png(photo(62, 40)))).status).toBe(200)
    expect((await moderate('lists')).text).toMatch(/^partner-1 {2}2 files, 0 fingerprints, since \d{4}-\d\d-\d\d\n$/)

    // The same entry in another list.
    await moderate('import', await listOf([sha256(one)]), '--list', 'partner-2')
    expect((await moderate('withdraw', 'partner-1')).text).toBe('partner-1 is withdrawn.\n')
    await expectBlocked(one)
    expect((await upload(other)).status).toBe(200)
    await moderate('withdraw', 'partner-2')
    expect((await upload(one)).status).toBe(200)
    expect((await moderate('lists')).text).toBe('No list is imported.\n')
    expect((await moderate('withdraw', 'partner-2')).text).toMatch(/^There is no list partner-2/)
  })

  test('what one service blocks can be imported into another, also images that only look the same', async () => {
    const original = photo(320, 240)
    const { showUrl } = await uploadImage(api, { img: file('a.png', await png(original)) })
    expect((await moderate('remove', showUrl, '--block')).text).toContain('1 image blocked')
    const { text } = await moderate('export')
    const entries = text.trim().split('\n')
    expect(entries.slice(0, -1)).toEqual([
      `sha256:${sha256(await png(original))}`,
      expect.stringMatching(/^fingerprint:[0-9a-f]{16}$/),
    ])
    expect((await moderate('unblock', showUrl)).text).toBe('1 image unblocked.\n')
    const similar = await encoder(original).resize(200).jpeg({ quality: 70 }).toBuffer()
    expect((await upload(similar)).status).toBe(200)
    await moderate('import', await listOf(entries), '--list', 'ours')
    await expectBlocked(similar)
    expect((await moderate('export', '--list', 'ours')).text).toBe(text)
    await moderate('withdraw', 'ours')
    expect((await upload(similar)).status).toBe(200)
  })

  test('a list from an address, of more entries than one request takes', async () => {
    const image = await png(photo(63, 40))
    const lines = Array.from({ length: 4500 }, (_, at) => sha256(Buffer.from(String(at))))
    const server = createServer((_, response) => void response.end([...lines, sha256(image)].join('\r\n')))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    const port = typeof address === 'object' && address ? address.port : 0
    const { text } = await moderate('import', `http://127.0.0.1:${port}/list`, '--list', 'long')
    server.close()
    expect(text).toBe('4501 entries read, 4501 new in long.\n')
    await expectBlocked(image)
    expect((await moderate('export', '--list', 'long')).text.trim().split('\n')).toHaveLength(4502)
    await moderate('withdraw', 'long')
    expect((await upload(image)).status).toBe(200)
    const audit = (await moderate('audit')).text
    expect(audit).toContain('operator  import  long, 4501 changed')
    expect(audit).toContain('operator  withdraw  long, 4501 changed')
  })

  test.each([
    ['pdq:f8f8f0cee0f4a84f06370a22038f63f0b36e2ed596621e1d33e6b39c4e9c9b22', 'line 1 is a PDQ hash'],
    ['d41d8cd98f00b204e9800998ecf8427e', 'an entry must be sha256: and 64 hexadecimal digits'],
    ['x'.repeat(1001), 'line 1 has over 1000 characters'],
    ['# nothing', 'has no entry'],
  ])('%s is refused with a sentence, and nothing is blocked', async (line, sentence) => {
    const { code, text } = await moderate('import', await listOf([line]), '--list', 'wrong')
    expect([code, text]).toEqual([1, expect.stringContaining(sentence)])
    expect((await moderate('lists')).text).toBe('No list is imported.\n')
  })

  test('import needs a name, and other commands take none', async () => {
    expect(await moderate('import', 'x')).toEqual({ code: 2, text: expect.stringContaining('--list NAME') })
    expect((await moderate('blocks', '--list', 'x')).code).toBe(2)
    expect((await moderate('import', await listOf(['0'.repeat(64)]), '--list', 'a b')).text).toContain('list must be')
  })
})
