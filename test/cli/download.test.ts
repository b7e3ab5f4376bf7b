import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { sharedApi } from '../contract/support/api.ts'
import { plain, webp } from '../contract/support/images.ts'
import { createGallery, galleryWithImage, SMALL_PNG } from '../contract/support/steps.ts'
import { folderWith } from './support/folder.ts'
import { type Listed, startMediaHost } from './support/media-host.ts'
import { BUNDLE, cliEnvironment, runCli } from './support/run-cli.ts'

const api = sharedApi()
const BLUE = plain(30, 20, [0, 0, 255])

/** Bytes that tell their position. They are no image, which the command does not decode. */
function bytesOf(length: number, seed = 1): Buffer {
  return Buffer.from(Array.from({ length }, (_, index) => (index * 31 + seed * 7 + (index >> 8)) & 0xff))
}

function listed(...lengths: number[]): Listed[] {
  return lengths.map((length, index) => ({ name: `${index}.png`, bytes: bytesOf(length, index) }))
}

const content = (folder: string, name: string) => readFileSync(join(folder, name))

describe('from the service', () => {
  test('a gallery, byte by byte, in a folder with its name, and again without a request for a file', async () => {
    const other = await webp(BLUE)
    const cwd = await folderWith({ 'in/1.png': SMALL_PNG, 'in/2 фото.webp': other, 'in/3.png': SMALL_PNG })
    const uploaded = await runCli(['upload', 'in', '--gallery', 'Lago di Garda'], { cwd })
    const link = uploaded.lines.at(-1)?.replace('gallery: ', '') ?? ''
    const first = await runCli(['download', link], { cwd })
    const names = ['1.png', '2 фото.webp', '3.png'].map((name) => join('Lago di Garda', name))
    expect(first).toMatchObject({ code: 0, lines: names })
    expect(names.map((name) => content(cwd, name).equals(content(cwd, name.replace('Lago di Garda', 'in'))))).toEqual([
      true,
      true,
      true,
    ])
    expect(readdirSync(join(cwd, 'Lago di Garda'))).toHaveLength(3)
    const again = await runCli(['download', link], { cwd })
    expect(again).toMatchObject({ code: 0, lines: names })
    expect(again.stderr).toMatch(/^(?:was downloaded: .*\n){3}$/)
  })

  test('images by their pages, from arguments, a list and standard input', async () => {
    const cwd = await folderWith({ 'a.png': SMALL_PNG, 'b.png': SMALL_PNG })
    const { stdout, lines } = await runCli(['upload', 'a.png', 'b.png', 'a.png'], { cwd })
    const named = await runCli(['download', ...lines.slice(0, 1), '--to', 'one'], { cwd })
    expect(named).toMatchObject({ code: 0, lines: [join('one', 'a.png')] })
    const piped = await runCli(['download', '-', '--to', 'all', '--json'], { cwd, stdin: stdout })
    expect(piped.code).toBe(0)
    const { files, failed } = JSON.parse(piped.stdout)
    expect(failed).toEqual([])
    expect(files.map(({ file, bytes, downloaded }: Record<string, unknown>) => [file, bytes, downloaded])).toEqual([
      [join('all', 'a.png'), SMALL_PNG.length, true],
      [join('all', 'b.png'), SMALL_PNG.length, true],
      [join('all', 'a (2).png'), SMALL_PNG.length, true],
    ])
    expect(content(cwd, 'all/a (2).png')).toEqual(Buffer.from(SMALL_PNG))
  })

  test('what is missing or unfinished is reported, and does not stop the others', async () => {
    const { url } = await createGallery(api)
    const { gallery } = await galleryWithImage(api, { finalized: true })
    const cwd = await folderWith({})
    const here = (link: string) => cliEnvironment().TINTYPE_URL + new URL(link).pathname
    const links = [here(url), here('http://a/show/1/1_a.png'), here(gallery.url)]
    const { code, lines, stderr } = await runCli(['download', ...links], { cwd })
    expect(code).toBe(1)
    expect(lines).toHaveLength(1)
    expect(stderr).toContain(`${links[0]}: `)
    expect(stderr).toContain(`${links[1]}: `)
  })
})

describe('a gallery of several pages', () => {
  test('is read to its end, with names as they are shown', async () => {
    const names = ['фото 1.png', '../../evil', 'a.png', 'A.png', 'nul.png']
    const images = names.map((name, index) => ({ name, bytes: bytesOf(1000, index) }))
    const host = await startMediaHost(images, { pageSize: 2 })
    const cwd = await folderWith({})
    const { code, lines } = await runCli(['download', host.gallery], { cwd })
    const files = ['фото 1.png', '_.._evil.png', 'a.png', 'A (2).png', '_nul.png']
    expect({ code, lines }).toEqual({ code: 0, lines: files.map((file) => join('Gärten _ 2026', file)) })
    for (const [index, file] of files.entries()) {
      expect(content(cwd, join('Gärten _ 2026', file)).equals(bytesOf(1000, index))).toBe(true)
    }
    expect(readdirSync(cwd)).toEqual(['Gärten _ 2026'])
    // The time of the upload, by which a later command knows the file.
    expect(statSync(join(cwd, lines[0] ?? '')).mtime.toISOString()).toBe('2026-11-01T12:00:00.000Z')
  })

  test('whose next page is at another host is refused', async () => {
    const host = await startMediaHost(listed(10, 10), { pageSize: 1, next: 'http://127.0.0.2:1/gallery/abc?page=2' })
    const { code, stdout, stderr } = await runCli(['download', host.gallery], { cwd: await folderWith({}) })
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain('the next page of the gallery is at another host')
  })
})

describe('resuming', () => {
  test('after kill -9: the bytes that are there are not sent again', async () => {
    const images = listed(400_000, 300_000)
    let stalls = true
    const fateOf = (image: number) => (stalls && image === 1 ? { stallAfter: 200_000 } : 'pass')
    const host = await startMediaHost(images, { fateOf })
    const cwd = await folderWith({})
    const args = ['download', host.gallery, '--to', 'out', '--concurrency', '1']
    const child = spawn(process.execPath, [BUNDLE, ...args], { cwd, env: cliEnvironment() })
    const part = () => readdirSync(join(cwd, 'out')).find((name) => name.endsWith('.part'))
    await expect
      .poll(() => existsSync(join(cwd, 'out')) && statSync(join(cwd, 'out', part() ?? '0.png')).size, {
        timeout: 60_000,
      })
      .toBe(200_000)
    child.kill('SIGKILL')
    await once(child, 'close')
    expect(readdirSync(join(cwd, 'out')).toSorted()).toEqual([
      '0.png',
      expect.stringMatching(/^1\.png\.[0-9a-f]{8}\.part$/),
    ])

    stalls = false
    expect(await runCli(args, { cwd })).toMatchObject({ code: 0 })
    expect(host.requests.map(({ image, range }) => [image, range])).toEqual([
      [0, undefined],
      [1, undefined],
      [1, 'bytes=200000-'],
    ])
    expect(readdirSync(join(cwd, 'out'))).toEqual(['0.png', '1.png'])
    for (const [index, { bytes }] of images.entries()) expect(content(cwd, `out/${index}.png`).equals(bytes)).toBe(true)
  })

  test('a connection that is cut is continued in the same command', async () => {
    const images = listed(200_000)
    const host = await startMediaHost(images, { fateOf: (_, attempt) => (attempt < 3 ? { cutAfter: 70_000 } : 'pass') })
    const cwd = await folderWith({})
    expect(await runCli(['download', host.gallery, '--to', 'out'], { cwd })).toMatchObject({ code: 0 })
    // Bytes that had not been read when the connection was cut may be lost.
    const starts = host.requests.map(({ range }) => Number(/^bytes=(\d+)-$/.exec(range ?? 'bytes=0-')?.[1]))
    expect(starts).toHaveLength(3)
    expect(starts).toEqual(starts.toSorted((a, b) => a - b))
    expect(content(cwd, 'out/0.png').equals(bytesOf(200_000, 0))).toBe(true)
  })

  test.for([
    ['ignores ranges', 'ignore range'],
    ['has no such range', { status: 416 }],
    ['sends another range', { status: 206, headers: { 'content-range': 'bytes 0-9/1000' }, body: 'other part' }],
  ] as const)('a host that %s sends the whole', async ([, fate]) => {
    const host = await startMediaHost(listed(1000), { fateOf: (_, attempt) => (attempt === 1 ? fate : 'pass') })
    const url = `${host.url}/images/1/0_a.png`
    const part = `0.png.${createHash('sha256').update(url).digest('hex').slice(0, 8)}.part`
    const cwd = await folderWith({ [`out/${part}`]: bytesOf(1000, 0).subarray(0, 400) })
    expect(await runCli(['download', host.gallery, '--to', 'out'], { cwd })).toMatchObject({ code: 0 })
    expect(host.requests[0]?.range).toBe('bytes=400-')
    expect(content(cwd, 'out/0.png').equals(bytesOf(1000, 0))).toBe(true)
  })

  test('a part of another image is not continued', async () => {
    const cwd = await folderWith({ 'out/0.png.0123abcd.part': 'of another image' })
    const host = await startMediaHost(listed(1000))
    expect(await runCli(['download', host.gallery, '--to', 'out'], { cwd })).toMatchObject({ code: 0 })
    expect(host.requests[0]?.range).toBeUndefined()
    expect(content(cwd, 'out/0.png').equals(bytesOf(1000, 0))).toBe(true)
  })
})

describe('files that are there', () => {
  test('are left alone if they are others, unless --overwrite replaces them', async () => {
    const host = await startMediaHost(listed(100, 100, 100))
    const cwd = await folderWith({ 'out/0.png': 'mine', 'out/1.png': bytesOf(100, 1) })
    const args = ['download', host.gallery, '--to', 'out']
    const first = await runCli(args, { cwd })
    expect(first).toMatchObject({ code: 1, lines: [join('out', '2.png')] })
    expect(first.stderr).toContain(`2 of 3 failed:\n  ${join('out', '0.png')}: another file has this name`)
    expect(content(cwd, 'out/0.png').toString()).toBe('mine')
    expect(await runCli([...args, '--overwrite'], { cwd })).toMatchObject({ code: 0 })
    expect(content(cwd, 'out/0.png').equals(bytesOf(100, 0))).toBe(true)
  })

  test('with the same size and another time are others', async () => {
    const host = await startMediaHost(listed(100))
    const cwd = await folderWith({})
    const args = ['download', host.gallery, '--to', 'out']
    expect((await runCli(args, { cwd })).code).toBe(0)
    writeFileSync(join(cwd, 'out/0.png'), bytesOf(100, 9))
    expect((await runCli(args, { cwd })).code).toBe(1)
    const time = new Date('2026-11-01T12:00:00Z')
    utimesSync(join(cwd, 'out/0.png'), time, time)
    expect((await runCli(args, { cwd })).code).toBe(0)
  })
})

describe('a file is refused', () => {
  test.for([
    [
      'that is longer than listed',
      { fields: { bytes: 50 } },
      'pass',
      'the host sent more than the 50 bytes of the file',
    ],
    [
      'that is no image',
      {},
      { status: 200, headers: { 'content-type': 'text/html' }, body: '<html>' },
      'text/html instead of an image',
    ],
    ['that is not there', {}, { status: 404, body: 'not found' }, 'not found'],
  ] as const)('%s', async ([, more, fate, sentence]) => {
    const host = await startMediaHost([{ name: 'a.png', bytes: bytesOf(100), ...more }, ...listed(10)], {
      fateOf: (image) => (image === 0 ? fate : 'pass'),
    })
    const cwd = await folderWith({})
    const { code, lines, stderr } = await runCli(['download', host.gallery, '--to', 'out'], { cwd })
    expect({ code, lines }).toEqual({ code: 1, lines: [join('out', '0.png')] })
    expect(stderr).toContain(sentence)
    expect(existsSync(join(cwd, 'out/a.png'))).toBe(false)
  })

  test('that is shorter than listed, after all attempts', async () => {
    const host = await startMediaHost([{ name: 'a.png', bytes: bytesOf(100), fields: { bytes: 150 } }])
    const cwd = await folderWith({})
    const { code, stderr } = await runCli(['download', host.gallery, '--to', 'out', '--retries', '1'], { cwd })
    expect(code).toBe(1)
    expect(stderr).toContain('failed')
    expect(existsSync(join(cwd, 'out/a.png'))).toBe(false)
  })
})

test('Retry-After is kept, by all files of the host', async () => {
  const host = await startMediaHost(listed(10, 10, 10, 10), {
    fateOf: (image, attempt) =>
      image === 0 && attempt === 1 ? { status: 429, headers: { 'retry-after': '2' } } : 'pass',
  })
  const cwd = await folderWith({})
  expect((await runCli(['download', host.gallery, '--concurrency', '1'], { cwd })).code).toBe(0)
  const [first, second] = host.requests
  expect((second?.atMs ?? 0) - (first?.atMs ?? 0)).toBeGreaterThanOrEqual(1900)
})

test('at most as many files at a time as asked', async () => {
  const host = await startMediaHost(listed(...Array.from({ length: 6 }, () => 1000)), {
    fateOf: () => ({ stallAfter: 10 }),
  })
  const cwd = await folderWith({})
  const args = [BUNDLE, 'download', host.gallery, '--concurrency', '2']
  const child = spawn(process.execPath, args, { cwd, env: cliEnvironment() })
  await expect.poll(() => host.requests.length, { timeout: 60_000 }).toBe(2)
  // Long enough for a third to arrive, if there were one.
  await new Promise((resolve) => setTimeout(resolve, 500))
  child.kill('SIGINT')
  expect(await once(child, 'close')).toEqual([130, null])
  expect(host.requests).toHaveLength(2)
})

test.for([
  [['https://a.example/'], '"https://a.example/" is no link of a gallery or of a picture\'s page'],
  [[`https://a.example/manage/${'T'.repeat(43)}`], '"https://a.example/manage/..." is no link'],
  [['nowhere.txt'], '"nowhere.txt" is neither a URL nor a file'],
  [[], 'download takes links of galleries and pictures'],
  [['https://a.example/gallery/x', '--url', 'https://b.example'], '--url is no option of download'],
] as const)('wrong use: %j', async ([args, sentence]) => {
  expect(await runCli(['download', ...args])).toMatchObject({ code: 2, stderr: expect.stringContaining(sentence) })
})
