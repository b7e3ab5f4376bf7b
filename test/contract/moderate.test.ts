import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Api, apiAt, freshAddress, mayStartServices } from './support/api.ts'
import { runCommand, runHere } from './support/command.ts'
import { sendReport } from './support/report.ts'
import { freePort, type Service, startService, temporaryData } from './support/service.ts'
import { galleryWithImage, statusOf, uploadImage } from './support/steps.ts'

const WITH_TOKEN = { include_manage_url: '1' }
/** The published name of the number of images. */
const IMAGES_FIELD = 'pictures'

/** `npm run moderate` as the operator runs it, against a service of its own. */
describe.skipIf(!mayStartServices())('npm run moderate (needs a service of its own)', () => {
  let data: { path: string; remove: () => Promise<void> }
  let service: Service
  let api: Api

  beforeAll(async () => {
    data = await temporaryData()
    service = await startService({ data: data.path })
    api = apiAt(service.baseUrl)
  }, 240_000)

  afterAll(async () => {
    await service.stop()
    await data.remove()
  })

  const moderate = (...args: string[]) => run(['--port', String(service.port), '--data', data.path, ...args])

  /**
   * Dismisses every open report, so that a test sees only its own. It does so without the command, whose many starts
   * take long.
   */
  const settleAll = async () => {
    const headers = { authorization: `Bearer ${(await readFile(join(data.path, 'operator.key'), 'utf8')).trim()}` }
    const list = () => api.send({ method: 'GET', path: '/operator/reports', host: 'localhost', headers })
    for (const { url } of JSON.parse((await list()).text).reported) {
      await api.send({ path: '/operator/dismiss', host: 'localhost', headers, body: JSON.stringify({ url }) })
    }
    expect(JSON.parse((await list()).text).reported).toEqual([])
  }

  test.for([
    ['0', ['blocks']],
    ['1', ['remove', '/gallery/unknown12345']],
    ['2', ['delete', 'x']],
  ] as const)('as a process of its own it exits with %s, and prints the same as here', async ([code, args]) => {
    const whole = [...args, '--port', String(service.port), '--data', data.path]
    const ended = await runCommand('moderate', whole)
    expect(String(ended.code)).toBe(code)
    expect(await run(whole)).toEqual(ended)
  })

  const TIME = String.raw`\d{4}-\d\d-\d\d \d\d:\d\d UTC`
  const here = (link: string) => `http://localhost:${service.port}${new URL(link).pathname}`

  test('list has a line for each reported item, child abuse first; show has the details', async () => {
    await settleAll()
    const [first, second] = [await uploadImage(api), await galleryWithImage(api, { finalized: true, name: 'Trip' })]
    await sendReport(api, {
      url: first.showUrl,
      reason: 'copyright',
      details: 'mine\r\nall mine',
      contact: 'me@x.example',
    })
    await sendReport(api, { url: second.gallery.url, reason: 'violence' })
    await sendReport(api, { url: second.gallery.url, reason: 'violence' })
    await sendReport(api, { url: second.gallery.url, reason: 'child' })
    const { stdout, code } = await moderate('list')
    expect(code).toBe(0)
    expect(stdout).toMatch(
      new RegExp(
        [
          `^${here(second.gallery.url)}  gallery, 3 reports since ${TIME}: child 1, violence 2`,
          `${here(first.showUrl)}  image, 1 report since ${TIME}: copyright 1\n$`,
        ].join('\n'),
      ),
    )
    expect((await moderate('show', first.thumbnailUrl)).stdout).toMatch(
      new RegExp(
        [
          `^${here(first.showUrl)}  image, 1 open report`,
          `  ${TIME}  copyright`,
          '    mine',
          '    all mine',
          '    contact: me@x.example\n$',
        ].join('\n'),
      ),
    )
  })

  test('list --json and show --json have all fields', async () => {
    await settleAll()
    const { showUrl } = await uploadImage(api)
    await sendReport(api, { url: showUrl, reason: 'other', details: 'why', contact: 'me' })
    const time = expect.stringMatching(/^\d{4}-.*Z$/)
    const content = {
      url: expect.stringContaining(new URL(showUrl).pathname),
      resource_type: 'image',
      status: 'available',
      created_at: time,
    }
    expect(JSON.parse((await moderate('--json', 'list')).stdout)).toEqual({
      open_reports: 1,
      reported_contents: 1,
      unavailable_shards: [],
      reported: [
        { ...content, open_reports: 1, reasons: { other: 1 }, first_reported_at: time, last_reported_at: time },
      ],
    })
    expect(JSON.parse((await moderate('--json', 'show', showUrl)).stdout)).toEqual({
      ...content,
      reports: [{ reason: 'other', details: 'why', contact: 'me', created_at: time }],
    })
  })

  test('hide makes content private at once and deletes nothing, unhide restores it byte for byte', async () => {
    await settleAll()
    const { gallery, image } = await galleryWithImage(api, { finalized: true, name: 'Trip' })
    const alone = await uploadImage(api, WITH_TOKEN)
    for (const [what, url, links] of [
      ['image', alone.showUrl, [alone.showUrl, alone.thumbnailUrl, alone.originalUrl]],
      ['gallery', gallery.url, [gallery.url, image.showUrl, image.thumbnailUrl, image.originalUrl]],
    ] as const) {
      const before = await Promise.all(links.map(async (link) => api.follow(link)))
      await sendReport(api, { url })
      expect((await moderate('hide', url)).stdout).toBe(
        `The ${what} is hidden: show it again with unhide, or remove it.\n`,
      )
      for (const link of links) expect([link, (await api.follow(link)).status]).toEqual([link, 404])
      expect((await moderate('list')).stdout).toContain(`  ${what}, hidden, 1 report since`)
      expect((await moderate('hidden')).stdout).toMatch(new RegExp(`^${here(url)}  ${what}, since ${TIME}\n$`))
      expect((await moderate('dismiss', url)).stdout).toBe(`The ${what} stays hidden, 1 report settled.\n`)
      expect((await moderate('unhide', url)).stdout).toBe(`The ${what} is no longer hidden.\n`)
      for (const [at, link] of links.entries()) {
        const after = await api.follow(link)
        expect([link, after.status]).toEqual([link, 200])
        if (!link.includes('/show/') && link !== gallery.url) expect(after.bytes).toEqual(before[at]?.bytes)
      }
      expect((await moderate('hidden')).stdout).toBe('Nothing is hidden.\n')
    }
  })

  test('hidden content has the status pending, and its owner can delete it (D48)', async () => {
    const { showUrl, managementToken } = await uploadImage(api, WITH_TOKEN)
    await moderate('hide', showUrl)
    expect(await statusOf(api, showUrl)).toBe('pending')
    expect((await api.remove(managementToken)).status).toBe(200)
    expect(await statusOf(api, showUrl)).toBe('deleted')
    expect((await moderate('unhide', showUrl)).stdout).toBe('The image is deleted.\n')
    expect(await statusOf(api, showUrl)).toBe('deleted')
  })

  test('audit lists who decided what and when, by the name of the key', async () => {
    const { showUrl } = await uploadImage(api)
    await sendReport(api, { url: showUrl })
    await moderate('hide', showUrl)
    const [{ decisions }] = [JSON.parse((await moderate('audit', '--json')).stdout)]
    expect(decisions[0]).toEqual({
      decided_at: expect.stringMatching(/^\d{4}-.*Z$/),
      operator: 'operator',
      action: 'hide',
      url: here(showUrl),
      resource_type: 'image',
      completed: true,
      changed: true,
      reports_handled: 0,
      [IMAGES_FIELD]: 0,
    })
    await moderate('remove', showUrl)
    // The name is forgotten with the files, after the response.
    await expect
      .poll(async () => (await moderate('audit')).stdout)
      .toMatch(
        new RegExp(
          [
            `${TIME}  operator  hide  ${here(showUrl).replace(/_[^/]*$/, '_')}`,
            // The names of deleted content are stored nowhere.
            `${TIME}  operator  remove  ${here(showUrl).replace(/_[^/]*$/, '_')}, 1 report settled\n$`,
          ].join('\n'),
        ),
      )
  })

  test('remove deletes an image like its management link, and settles its reports', async () => {
    await settleAll()
    const { showUrl, thumbnailUrl, originalUrl, managementToken } = await uploadImage(api, WITH_TOKEN)
    await sendReport(api, { url: showUrl })
    await sendReport(api, { url: showUrl })
    expect(await moderate('remove', showUrl)).toMatchObject({
      code: 0,
      stdout: 'The image is deleted, 2 reports settled.\n',
    })
    for (const link of [showUrl, thumbnailUrl, originalUrl]) expect((await api.follow(link)).status).toBe(404)
    expect(await statusOf(api, showUrl)).toBe('deleted')
    expect((await api.remove(managementToken)).status).toBe(410)
    expect((await moderate('list')).stdout).toBe('No open reports.\n')
    expect((await moderate('remove', showUrl)).stdout).toBe('The image was deleted already, 0 reports settled.\n')
  })

  test('remove deletes a gallery with its images, and settles their reports too', async () => {
    await settleAll()
    const { gallery, image } = await galleryWithImage(api, { finalized: true })
    for (const url of [gallery.url, image.showUrl]) await sendReport(api, { url })
    const { pathname } = new URL(gallery.url)
    expect((await moderate('remove', pathname)).stdout).toBe('The gallery is deleted, 2 reports settled.\n')
    expect((await api.follow(gallery.url)).status).toBe(404)
    expect((await api.follow(image.originalUrl)).status).toBe(404)
  })

  test('remove takes one image out of a gallery', async () => {
    const { gallery, image } = await galleryWithImage(api, { finalized: true, name: 'Trip' })
    expect((await moderate('remove', image.originalUrl)).stdout).toBe('The image is deleted, 0 reports settled.\n')
    expect((await api.follow(image.showUrl)).status).toBe(404)
    expect((await api.follow(gallery.url)).text).not.toContain('/show/')
  })

  test('content that was deleted in the meantime is listed as deleted, and removing it settles its reports', async () => {
    await settleAll()
    const { showUrl, managementToken } = await uploadImage(api, WITH_TOKEN)
    await sendReport(api, { url: showUrl })
    await api.remove(managementToken)
    // After the removal of the files nothing is left of the name, but the rest of the address still finds it.
    await expect
      .poll(async () => (await moderate('list')).stdout)
      .toMatch(/^\S*\/show\/\d+\/\d+_ {2}image, already deleted, 1 report since/)
    const { stdout } = await moderate('list')
    expect((await moderate('show', stdout.split(' ')[0] ?? '')).stdout).toContain(', 1 open report\n')
    expect((await moderate('remove', showUrl)).stdout).toBe('The image was deleted already, 1 report settled.\n')
  })

  test('dismiss keeps the content and settles its reports', async () => {
    await settleAll()
    const { showUrl } = await uploadImage(api)
    await sendReport(api, { url: showUrl })
    expect((await moderate('dismiss', showUrl)).stdout).toBe('The image stays as it is, 1 report settled.\n')
    expect((await api.follow(showUrl)).status).toBe(200)
    expect((await moderate('list')).stdout).toBe('No open reports.\n')
  })

  test('a report cannot control the terminal or imitate another report', async () => {
    await settleAll()
    const { showUrl } = await uploadImage(api)
    const details = 'a\u001b[2J\u202eb\nhttps://one.example/show/1/2_a.jpg\n  image, 9 reports'
    await sendReport(api, { url: showUrl, details })
    const { stdout } = await moderate('show', showUrl)
    for (const character of ['\u001b', '\u202e']) expect(stdout).not.toContain(character)
    expect(stdout).toContain('\n    https://one.example/show/1/2_a.jpg\n      image, 9 reports\n')
  })

  test.for([
    ['what never was', ['remove', '/gallery/unknown12345'], /no image or gallery is known at this address.*404/],
    ['an address of no content', ['remove', 'https://other.example/gallery/x'], /url must be the address .*422/],
    ['an address too long', ['dismiss', `/gallery/${'x'.repeat(5000)}`], /at most 4096 bytes .*413/],
  ] as const)('%s is one sentence', async ([, args, sentence]) => {
    expect(await moderate(...args)).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(sentence) })
  })

  test.for([
    ['no command', [], /^Usage: npm run moderate/],
    ['an unknown command', ['delete', 'x'], /there is no command "delete"/],
    ['a command of every object', ['constructor'], /there is no command "constructor"/],
    ['remove without an address', ['remove'], /remove needs the address/],
    ['remove with two', ['remove', '/a', '/b'], /remove does not take "\/b"/],
    ['list with an address', ['list', '/a'], /list does not take "\/a"/],
    ['an unknown option', ['list', '--all'], /--all/],
    ['--block without remove', ['hide', '--block', '/a'], /--block goes with remove alone/],
    ['a name for a deployed host', ['list', '--url', 'https://one.example', '--as', 'a'], /--as goes with a service/],
    ['a key over plain http', ['list', '--url', 'http://one.example'], /--url must begin with https:\/\//],
    ['a URL that is none', ['list', '--url', 'one.example'], /--url must begin with https:\/\//],
    ['a deployed host without its key', ['list', '--url', 'https://one.example'], /set TINTYPE_OPERATOR_KEY/],
  ] as const)('%s ends with 2', async ([, args, sentence]) => {
    expect(await run(args)).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(sentence) })
  })

  test('a service that does not run is reported with one sentence', async () => {
    const port = String(await freePort())
    expect(await run(['list', '--port', port, '--data', data.path])).toMatchObject({
      code: 1,
      stderr: `no response from http://localhost:${port}: is the service running? (ECONNREFUSED)\n`,
    })
  })

  test('a data folder without a key is reported with one sentence', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tintype-moderate-'))
    const asked = () => run(['list', '--port', String(service.port), '--data', folder])
    expect(await asked()).toMatchObject({ code: 1, stderr: expect.stringContaining(`no operator.key in ${folder}`) })
    await writeFile(join(folder, 'operator.key'), 'short')
    expect(await asked()).toMatchObject({ code: 1, stderr: expect.stringContaining('holds no key in line 1') })
    await writeFile(join(folder, 'operator.key'), '\n')
    expect(await asked()).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('holds no key: the next start of the service makes one'),
    })
    await writeFile(join(folder, 'operator.key'), 'x'.repeat(43))
    expect(await asked()).toMatchObject({ code: 1, stderr: expect.stringContaining('does not know this key') })
    await rm(folder, { recursive: true })
  })

  test('requests to a deployed host use the key of TINTYPE_OPERATOR_KEY, which is in no message', async () => {
    const args = ['list', '--url', service.baseUrl]
    expect((await run(args, { TINTYPE_OPERATOR_KEY: await key() })).code).toBe(0)
    const refused = await run(args, { TINTYPE_OPERATOR_KEY: 'wrong-key-9876' })
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('does not know this key') })
    expect(refused.stderr).not.toContain('9876')
  })

  test('the key is never sent to the target of a redirect', async () => {
    const asked: (string | undefined)[] = []
    const server = createServer((request, response) => {
      asked.push(request.headers.authorization)
      response.writeHead(302, { location: '/elsewhere' }).end()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    const port = typeof address === 'object' && address ? address.port : 0
    const { code } = await run(['list', '--url', `http://127.0.0.1:${port}`], { TINTYPE_OPERATOR_KEY: 'a' })
    server.close()
    expect([code, asked]).toEqual([1, ['Bearer a']])
  })

  test('the key is readable by its owner alone, the same after a restart, and nowhere else in the data or the log', async () => {
    const before = await key()
    expect((await stat(join(data.path, 'operator.key'))).mode & 0o777).toBe(0o600)
    const { showUrl } = await uploadImage(api)
    const address = freshAddress()
    await sendReport(api, { url: showUrl, details: 'kept through the restart' }, address)
    await api.status([showUrl], address)
    await uploadImage(api, {}, { headers: { 'cf-connecting-ip': address } })
    await service.stop()
    expect(service.output()).not.toContain(before)
    for (const file of await filesUnder(data.path)) {
      const bytes = await readFile(file)
      if (!file.endsWith('operator.key')) expect([file, bytes.includes(before)]).toEqual([file, false])
      // The network address, as sent or as the rate limit writes it.
      expect([file, bytes.includes(address.slice(0, -3))]).toEqual([file, false])
    }
    service = await startService({ data: data.path })
    api = apiAt(service.baseUrl)
    expect(await key()).toBe(before)
    expect((await moderate('show', showUrl)).stdout).toContain('    kept through the restart\n')
  })

  test('each operator has a key of their own, whose name is in the audit', async () => {
    const bare = await key()
    const [anna, ben] = ['a'.repeat(40), 'b'.repeat(40)]
    await service.stop()
    await writeFile(join(data.path, 'operator.key'), `anna:${anna}\n\nben:${ben}\n${bare}\n`)
    service = await startService({ data: data.path })
    api = apiAt(service.baseUrl)
    const { showUrl } = await uploadImage(api)
    const operators = async () => {
      const { decisions } = JSON.parse((await moderate('audit', '--json')).stdout)
      return decisions.slice(0, 4).map(({ operator }: { operator: string }) => operator)
    }
    await moderate('hide', showUrl)
    await moderate('unhide', showUrl, '--as', 'ben')
    await moderate('hide', showUrl, '--as', 'operator')
    await run(['unhide', showUrl, '--url', service.baseUrl], { TINTYPE_OPERATOR_KEY: `ben:${ben}` })
    expect(await operators()).toEqual(['ben', 'operator', 'ben', 'anna'])
    const unknown = await moderate('list', '--as', 'eve')
    expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining('of "eve": it has those of anna, ben') })
    expect(unknown.stderr).not.toContain('aaaa')
    for (const secret of [anna, ben, bare]) expect(service.output()).not.toContain(secret)
  })

  async function key(): Promise<string> {
    return (await readFile(join(data.path, 'operator.key'), 'utf8')).trim()
  }
})

const run = (args: readonly string[], variables?: Readonly<Record<string, string>>) =>
  runHere('moderate', args, variables)

async function filesUnder(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}
