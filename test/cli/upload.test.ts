import { spawnSync } from 'node:child_process'
import { appendFileSync, realpathSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, inject, test } from 'vitest'
import { sharedApi } from '../contract/support/api.ts'
import { canTrace, DiskModel, readCalls, traced } from '../contract/support/disk-model.ts'
import { avif, encoder, gif, jpeg, photo, plain, webp } from '../contract/support/images.ts'
import { SMALL_PNG, statusOf } from '../contract/support/steps.ts'
import { folderWith } from './support/folder.ts'
import { namesOnPage } from './support/gallery-page.ts'
import { type Fate, startProxy } from './support/proxy.ts'
import { BUNDLE, runCli } from './support/run-cli.ts'

const api = sharedApi()
const BLUE = plain(30, 20, [0, 0, 255])
const SHOW = /^http:\/\/[^/]+\/show\/\d+\/\d+_[a-z0-9_.-]+$/

describe('files and folders', () => {
  test('one file is one line, its public page', async () => {
    const cwd = await folderWith({ 'a b.png': SMALL_PNG })
    const { code, lines, stderr } = await runCli(['upload', 'a b.png'], { cwd })
    expect({ code, lines }).toEqual({ code: 0, lines: [expect.stringMatching(SHOW)] })
    expect(stderr).toBe('uploaded a b.png (1 of 1)\n')
    expect(lines[0]).toMatch(/_a-b\.png$/)
    expect(await statusOf(api, lines[0] ?? '')).toBe('available')
  })

  test('a folder is read in the order of names, formats are detected by the first bytes, and other files skipped', async () => {
    const cwd = await folderWith({
      'in/10.png': SMALL_PNG,
      'in/2.jpg': await jpeg(BLUE),
      'in/b/1.dat': await gif(BLUE),
      'in/b/2': await webp(BLUE),
      'in/c.avif': await avif(BLUE),
      'in/d.jpg': 'no picture',
      'in/e.png': '',
      'in/notes.txt': 'no picture either',
    })
    symlinkSync('.', join(cwd, 'in', 'loop'))
    const { code, lines, stderr } = await runCli(['upload', 'in'], { cwd })
    expect(code).toBe(0)
    expect(lines.map((line) => line.replace(/.*\d_/, ''))).toEqual(['2.jpg', '10.png', '1.gif', '2.webp', 'c.avif'])
    expect(stderr.split('\n').filter((line) => line.startsWith('skipped'))).toEqual([
      'skipped in/d.jpg: it is no JPEG, PNG, GIF, WebP or AVIF file',
      'skipped in/e.png: it is empty',
      'skipped in/loop: it is a link to a folder',
      'skipped in/notes.txt: it is no JPEG, PNG, GIF, WebP or AVIF file',
    ])
  })

  test('a failing file does not stop the others, and the summary names each with the reason', async () => {
    const big = Buffer.concat([SMALL_PNG, Buffer.alloc(10 * 1024 * 1024)])
    const cwd = await folderWith({ 'a.png': SMALL_PNG, 'b.png': SMALL_PNG.subarray(0, 40), 'c.png': big, 'd.txt': 'd' })
    const { code, lines, stderr } = await runCli(['upload', 'no', 'b.png', 'c.png', 'd.txt', 'a.png'], { cwd })
    expect(code).toBe(1)
    expect(lines).toEqual([expect.stringMatching(/_a\.png$/)])
    expect(stderr.slice(stderr.indexOf('4 of 5 failed:')).split('\n')).toEqual([
      '4 of 5 failed:',
      '  no: there is no such file',
      `  c.png: a file must be at most 10485760 bytes: this one has ${big.length}`,
      '  d.txt: it is no JPEG, PNG, GIF, WebP or AVIF file',
      expect.stringMatching(/^ {2}b\.png: img: .+/),
      '',
    ])
  })

  test('an upload without files is a failure', async () => {
    const cwd = await folderWith({ 'in/notes.txt': 'x' })
    expect(await runCli(['upload', 'in', '--gallery'], { cwd })).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('there is no picture to upload'),
    })
  })

  test('the request has the name without its folders, the true type, and the options', async () => {
    const proxy = await startProxy()
    const cwd = await folderWith({ 'deep/ü "x".dat': SMALL_PNG })
    const options = ['--adult', '--optimize', '--thumbnail', '333', '--manage', '--url', proxy.url]
    expect((await runCli(['upload', 'deep', ...options], { cwd })).code).toBe(0)
    const body = proxy.requests[0]?.body.toString() ?? ''
    expect(body).toContain('name="img"; filename="ü %22x%22.dat"\r\nContent-Type: image/png\r\n')
    expect([...body.matchAll(/name="(\w+)"\r\n\r\n(\w+)\r\n/g)].map(([, name, value]) => [name, value])).toEqual([
      ['content_type', '1'],
      ['optimize_for_web', '1'],
      ['max_th_size', '333'],
      ['include_manage_url', '1'],
    ])
    expect(body).not.toContain('deep')
  })
})

describe('formats', () => {
  const TAIL = '\\d+/\\d+_a\\.png'
  test.for([
    ['link', `^http://HOST/show/${TAIL}$`],
    ['original', `^http://HOST/images/${TAIL}$`],
    ['html', `^<a href="http://HOST/show/${TAIL}"><img src="http://HOST/thumbs/${TAIL}" alt="a\\.png"></a>$`],
    ['markdown', `^\\[!\\[a\\.png\\]\\(http://HOST/thumbs/${TAIL}\\)\\]\\(http://HOST/show/${TAIL}\\)$`],
    ['bbcode', `^\\[url=http://HOST/show/${TAIL}\\]\\[img\\]http://HOST/thumbs/${TAIL}\\[/img\\]\\[/url\\]$`],
  ])('%s', async ([format = '', pattern = '']) => {
    const cwd = await folderWith({ 'a.png': SMALL_PNG })
    const { lines } = await runCli(['upload', 'a.png', '--format', format], { cwd })
    expect(lines).toEqual([expect.stringMatching(new RegExp(pattern.replaceAll('HOST', '[^/]+')))])
  })

  test.for([[['--json']], [['--format', 'json']]])(
    'JSON is one document with its problems: %s',
    async ([options = []]) => {
      const cwd = await folderWith({ 'in/a.png': SMALL_PNG, 'in/b.png': SMALL_PNG.subarray(0, 40), 'in/c.txt': 'x' })
      const { code, stdout } = await runCli(['upload', 'in', '--optimize', ...options], { cwd })
      expect(code).toBe(1)
      expect(JSON.parse(stdout)).toEqual({
        images: [
          {
            file: join('in', 'a.png'),
            name: expect.stringMatching(/^a\./),
            show_url: expect.stringMatching(SHOW),
            th_url: expect.any(String),
            thumb_width: 30,
            thumb_height: 20,
            optimization: expect.objectContaining({ requested: true }),
          },
        ],
        failed: [{ file: join('in', 'b.png'), status: 422, message: expect.stringMatching(/\S/) }],
        skipped: [{ file: join('in', 'c.txt'), message: expect.stringMatching(/\S/) }],
      })
    },
  )
})

describe('standard input', () => {
  test.for([
    [[], 'image'],
    [['--name', 'Screen 1.png'], 'screen-1'],
  ] as const)('is an image of this name: %j', async ([options, name]) => {
    const { code, lines, stderr } = await runCli(['upload', '-', ...options], { stdin: SMALL_PNG })
    expect({ code, lines }).toEqual({ code: 0, lines: [expect.stringMatching(SHOW)] })
    expect(lines[0]).toMatch(new RegExp(`_${name}\\.png$`))
    expect(stderr).toBe('uploaded - (1 of 1)\n')
    expect(await statusOf(api, lines[0] ?? '')).toBe('available')
  })

  test.for([
    ['no image', 'it is no JPEG, PNG, GIF, WebP or AVIF file'],
    ['', 'it is empty'],
    [Buffer.concat([SMALL_PNG, Buffer.alloc(10 * 1024 * 1024)]), 'a file must be at most 10485760 bytes'],
  ] as const)('is checked like a file', async ([stdin, why]) => {
    expect(await runCli(['upload', '-'], { stdin })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`1 of 1 failed:\n  -: ${why}`),
    })
  })
})

test('the bytes that --optimize saved are printed, of each file and of all', async () => {
  const photograph = await encoder(photo(400, 300)).jpeg({ quality: 100 }).toBuffer()
  const cwd = await folderWith({ 'a.jpg': photograph, 'b.jpg': photograph, 'c.gif': await gif(plain(1, 1, [0, 0, 0])) })
  const { stderr } = await runCli(['upload', 'a.jpg', 'b.jpg', '--optimize', '--concurrency', '1'], { cwd })
  const savings = String.raw`[1-9]\d % smaller, \d+\.\d instead of \d+\.\d kB`
  expect(stderr).toMatch(
    new RegExp(`^uploaded a.jpg \\(1 of 2\\), ${savings}\nuploaded b.jpg .*, ${savings}\nall 2 files: ${savings}\n$`),
  )
  expect((await runCli(['upload', 'c.gif', '--optimize'], { cwd })).stderr).toBe(
    'uploaded c.gif (1 of 1), kept as it is, nothing would be smaller\n',
  )
})

test('--dry-run lists what would be uploaded and sends nothing', async () => {
  const cwd = await folderWith({
    'in/10.png': SMALL_PNG,
    'in/2.png': SMALL_PNG,
    'in/notes.txt': 'no picture',
    b: 'none',
  })
  const proxy = await startProxy()
  const dry = ['upload', 'in', '--dry-run', '--gallery=Trip', '--url', proxy.url]
  const { code, lines, stderr } = await runCli(dry, { cwd })
  const size = SMALL_PNG.byteLength
  expect({ code, lines }).toEqual({
    code: 0,
    lines: [`would upload in/2.png (${size} bytes)`, `would upload in/10.png (${size} bytes)`],
  })
  expect(stderr).toContain('skipped in/notes.txt')
  const asJson = await runCli([...dry, 'b', '--json'], { cwd })
  expect(asJson.code).toBe(1)
  expect(JSON.parse(asJson.stdout)).toEqual({
    images: ['in/2.png', 'in/10.png'].map((file) => ({ file, bytes: size, media_type: 'image/png' })),
    failed: [{ file: 'b', message: 'it is no JPEG, PNG, GIF, WebP or AVIF file' }],
  })
  expect(proxy.requests).toEqual([])
})

describe('--resume', () => {
  const NAMES = ['1.png', '2.png', '3.png', '4.png']
  const folder = () => folderWith(Object.fromEntries(NAMES.map((name) => [`in/${name}`, SMALL_PNG])))
  const args = (url: string) => ['upload', 'in', '--gallery', 'Trip', '--resume', 'trip.jsonl', '--url', url]

  test('continues after Ctrl-C: one gallery, each image once, in order', async () => {
    const proxy = await startProxy()
    const cwd = await folder()
    const stopped = await runCli(args(proxy.url), { cwd, stopAt: '(2 of 4)' })
    expect(stopped.code).toBe(130)
    const resumed = await runCli(args(proxy.url), { cwd })
    expect(resumed.code).toBe(0)
    expect(resumed.lines.slice(0, 2)).toEqual(stopped.lines.slice(0, 2))
    expect(resumed.stderr).toContain('was uploaded: in/1.png (1 of 4)\n')
    expect(await namesOnPage(resumed.lines.at(-1)?.replace('gallery: ', '') ?? '')).toEqual(NAMES)
    expect(statSync(join(cwd, 'trip.jsonl')).mode & 0o777).toBe(0o600)

    const asked = proxy.requests.length
    expect(await runCli(args(proxy.url), { cwd })).toMatchObject({ code: 0, lines: resumed.lines })
    expect(proxy.requests).toHaveLength(asked)
  })

  test('its file is on the disk before each request', async ({ skip }) => {
    skip(!canTrace(), 'the calls of the file system were not looked at: apt install strace')
    const cwd = realpathSync(await folder())
    const [command, all] = traced(join(cwd, 'trace'), [process.execPath, BUNDLE, ...args(inject('baseUrl'))])
    expect(spawnSync(command, all, { cwd, env: { PATH: process.env.PATH } }).status).toBe(0)
    const disk = new DiskModel(cwd)
    const requests: string[][] = []
    for (const call of readCalls(join(cwd, 'trace'))) {
      disk.apply(call)
      if (/^(?:writev?|sendto|sendmsg)$/.test(call.name) && /"POST \//.test(call.args.join()))
        requests.push(disk.unsynced())
    }
    // A gallery, four images, and its end.
    expect(requests).toEqual([[], [], [], [], [], []])
  })

  test('a response that never arrived: the same key again, even if the last line was truncated', async () => {
    let lost = true
    const proxy = await startProxy((path) => (lost && path === '/images' ? 'cut-after' : 'pass'))
    const cwd = await folder()
    expect((await runCli([...args(proxy.url), '--retries', '0'], { cwd })).code).toBe(1)
    lost = false
    appendFileSync(join(cwd, 'trip.jsonl'), '{"file":"in/1.png')
    const { code, lines } = await runCli(args(proxy.url), { cwd })
    expect(code).toBe(0)
    expect(await namesOnPage(lines.at(-1)?.replace('gallery: ', '') ?? '')).toEqual(NAMES)
    const keys = proxy.requests.filter(({ path }) => path === '/images').map(({ key }) => key)
    expect(keys.slice(4)).toEqual(keys.slice(0, 4))
  })

  test('other options are refused: they would hold for the rest alone', async () => {
    const cwd = await folderWith({ 'a.png': SMALL_PNG })
    const command = ['upload', 'a.png', '--resume', 'trip.jsonl']
    const first = await runCli([...command, '--gallery', 'Trip', '--manage'], { cwd })
    expect(first.code).toBe(0)
    for (const [options, sentence] of [
      [['--gallery', 'Other', '--manage'], 'with --gallery "Trip"'],
      [['--manage'], 'with --gallery "Trip"'],
      [['--gallery', 'Trip'], 'with --manage'],
      [['--gallery', 'Trip', '--manage', '--adult'], 'without --adult'],
      [['--gallery', 'Trip', '--manage', '--thumbnail', '300'], 'without --thumbnail'],
      [['--gallery', 'Trip', '--manage', '--expires-in', '7d'], 'without --expires-in'],
    ] as const) {
      const { code, stderr } = await runCli([...command, ...options], { cwd })
      const refused = `trip.jsonl is of an upload ${sentence}: use the same options, or name another file`
      expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(refused) })
    }
    // The form and the times of results may change.
    const again = await runCli([...command, '--gallery', 'Trip', '--manage', '--format', 'html', '-q'], { cwd })
    expect(again).toMatchObject({ code: 0, lines: [expect.stringContaining('<a href='), ...first.lines.slice(1)] })
  })

  test('a journal of version 2.0 has no options, and gets those of the first command', async () => {
    const cwd = await folderWith({ 'a.png': SMALL_PNG, 'trip.jsonl': `{"host":"${inject('baseUrl')}"}\n{"galleryKe` })
    expect((await runCli(['upload', 'a.png', '--resume', 'trip.jsonl'], { cwd })).code).toBe(0)
    const { code, stderr } = await runCli(['upload', 'a.png', '--adult', '--resume', 'trip.jsonl'], { cwd })
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('without --adult') })
  })

  test.for([
    ['{"host":"https://other.example"}\n', /is of an upload to https:\/\/other\.example/],
    ['my notes\n', /is no file that --resume has written/],
  ] as const)('a file with other content is rejected: %s', async ([content, sentence]) => {
    const cwd = await folderWith({ 'a.png': SMALL_PNG, 'trip.jsonl': content })
    const { code, stderr } = await runCli(['upload', 'a.png', '--resume', 'trip.jsonl'], { cwd })
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(sentence) })
  })
})

describe('galleries', () => {
  const NAMES = ['9.png', '1.png', '5.png', '3.png', '7.png', '2.png']

  test('images have the order of the files, whatever is retried', async () => {
    const proxy = await startProxy((path, index) => (path === '/images' && index % 3 === 1 ? 'cut' : 'pass'))
    const cwd = await folderWith(Object.fromEntries(NAMES.map((name) => [name, SMALL_PNG])))
    const args = ['upload', ...NAMES, '--concurrency', '6', '--gallery', 'Lake Garda', '--manage', '--url', proxy.url]
    const { code, lines } = await runCli(args, { cwd })
    expect(code).toBe(0)
    expect(lines.slice(0, -2).map((line) => line.replace(/.*_/, ''))).toEqual(NAMES)
    const [gallery = '', manage = ''] = lines.slice(-2)
    expect(gallery).toMatch(/^gallery: http:\/\/[^/]+\/gallery\/\w+$/)
    expect(manage).toMatch(/^manage: http:\/\/[^/]+\/manage\/[\w-]{43}$/)
    const url = gallery.replace('gallery: ', '')
    expect(await namesOnPage(url)).toEqual(NAMES)
    expect((await api.follow(url)).text).toContain('Lake Garda')
  })

  test('with --any-order several are sent at a time; the lines still have the order of the files', async () => {
    let [now, most] = [0, 0]
    const three = Promise.withResolvers<void>()
    const proxy = await startProxy(async (path, index): Promise<Fate> => {
      if (path !== '/images') return 'pass'
      most = Math.max(most, ++now)
      if (now === 3) three.resolve()
      await three.promise
      // Long enough for a fourth to arrive, if there were one.
      await new Promise((resolve) => setTimeout(resolve, index === 1 ? 600 : 100))
      now--
      return 'pass'
    })
    const cwd = await folderWith(Object.fromEntries(NAMES.map((name) => [name, SMALL_PNG])))
    const { lines } = await runCli(['upload', ...NAMES, '--any-order', '--url', proxy.url, '--gallery'], { cwd })
    expect(most).toBe(3)
    expect(lines.slice(0, -1).map((line) => line.replace(/.*_/, ''))).toEqual(NAMES)
    const names = await namesOnPage(lines.at(-1)?.replace('gallery: ', '') ?? '')
    expect(names?.toSorted()).toEqual(NAMES.toSorted())
  })

  test('a gallery without any arrived image is removed, and the user is told', async () => {
    const proxy = await startProxy()
    const cwd = await folderWith({ 'a.png': SMALL_PNG.subarray(0, 40) })
    const { code, stdout, stderr } = await runCli(['upload', 'a.png', '--gallery', '--url', proxy.url], { cwd })
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain('no picture was uploaded: the host removed the empty gallery')
    expect(proxy.requests.at(-1)?.path).toMatch(/^\/galleries\/\w+\/finalize$/)
  })

  test('JSON has the gallery, and never its upload token', async () => {
    const cwd = await folderWith({ 'a.png': SMALL_PNG })
    const { stdout } = await runCli(['upload', 'a.png', '--gallery=X', '--json', '--manage'], { cwd })
    expect(JSON.parse(stdout).gallery).toEqual({
      gallery_name: 'X',
      gallery_hash: expect.any(String),
      gallery_url: expect.any(String),
      manage_url: expect.any(String),
      state: 'public',
    })
  })
})

describe('covers', () => {
  test.for([
    ['one image', ['l.png'], { width: 30, height: 20 }],
    ['two', ['l.png', 'r.jpg'], { width: 60, height: 20 }],
  ] as const)('%s', async ([, files, size]) => {
    const cwd = await folderWith({ 'l.png': SMALL_PNG, 'r.jpg': await jpeg(BLUE) })
    const { code, stdout } = await runCli(['cover', ...files, '--json', '--manage'], { cwd })
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({
      thumb_width: size.width,
      thumb_height: size.height,
      manage_url: expect.stringMatching(/\/manage\/[\w-]{43}$/),
    })
  })

  test('a side that is no image', async () => {
    const cwd = await folderWith({ 'l.png': SMALL_PNG, 'r.txt': 'x' })
    expect(await runCli(['cover', 'l.png', 'r.txt'], { cwd })).toMatchObject({
      code: 1,
      stderr: 'tintype-cli: r.txt: it is no JPEG, PNG, GIF, WebP or AVIF file\n',
    })
  })
})

test('--quiet prints nothing on success', async () => {
  const cwd = await folderWith({ 'in/a.png': SMALL_PNG, 'in/b.txt': 'x' })
  expect(await runCli(['upload', 'in', '-q'], { cwd })).toMatchObject({ code: 0, stderr: '' })
})

test('control characters of a name and a sentence are not printed', async () => {
  const proxy = await startProxy(() => ({ status: 422, body: 'no \u001b[2Jgood' }))
  const cwd = await folderWith({ 'a\u001b[31m.png': SMALL_PNG })
  const { stderr } = await runCli(['upload', '.', '--url', proxy.url], { cwd })
  expect(stderr).toContain('no \ufffd[2Jgood')
  expect(stderr).not.toContain('\u001b')
})

test('Ctrl-C stops, prints the results so far and the rest; the gallery stays unfinished', async () => {
  let uploads = 0
  const proxy = await startProxy(async (path): Promise<Fate> => {
    if (path === '/images' && ++uploads > 2) await new Promise(() => {})
    return 'pass'
  })
  const noise = await encoder(BLUE).png().toBuffer()
  const cwd = await folderWith(Object.fromEntries([1, 2, 3, 4, 5].map((n) => [`${n}.png`, noise])))
  const args = ['upload', '.', '--gallery', '--manage', '--url', proxy.url]
  const { code, lines, stderr } = await runCli(args, { cwd, stopAt: '(2 of 5)', signals: 2 })
  expect(code).toBe(130)
  expect(lines).toEqual([
    expect.stringMatching(/_1\.png$/),
    expect.stringMatching(/_2\.png$/),
    expect.stringMatching(/^gallery: /),
    expect.stringMatching(/^manage: /),
  ])
  expect(stderr).toContain('stopped: 2 of 5 uploaded\n  uploaded 1.png\n  uploaded 2.png\n')
  expect(stderr).toContain('the gallery is not public')
  expect(stderr).not.toContain('/manage/')
  expect(proxy.requests.some(({ path }) => path.endsWith('/finalize'))).toBe(false)
  expect(await statusOf(api, lines[0] ?? '')).toBe('pending')
})
