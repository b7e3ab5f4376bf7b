import { appendFileSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readHistory } from '../../cli/src/history.ts'
import { sharedApi } from '../contract/support/api.ts'
import { SMALL_PNG, statusOf } from '../contract/support/steps.ts'
import { folderWith } from './support/folder.ts'
import { startProxy } from './support/proxy.ts'
import { runCli } from './support/run-cli.ts'

const api = sharedApi()

/** Creates a home with images, in which commands record. */
async function home() {
  const cwd = await folderWith({ 'a.png': SMALL_PNG, 'b.png': SMALL_PNG, 'c d.png': SMALL_PNG })
  const file = join(cwd, 'state/tintype/history.jsonl')
  const run = (...args: string[]) => runCli(args, { cwd, env: { XDG_STATE_HOME: join(cwd, 'state') } })
  return { cwd, file, run }
}

test('nothing is recorded unless asked, and private links only with "private"', async () => {
  const { file, run } = await home()
  await run('upload', 'a.png', '--manage')
  expect(existsSync(file)).toBe(false)
  expect(await run('history')).toMatchObject({
    code: 0,
    stdout: '',
    stderr: expect.stringContaining('nothing is recorded'),
  })

  const { lines } = await run('upload', 'a.png', '--manage', '--history', 'links')
  expect(lines[1]).toMatch(/^manage: /)
  expect(readFileSync(file, 'utf8')).not.toMatch(/manage/)

  const hidden = await run('upload', 'b.png', '--history', 'private')
  expect(hidden.stdout).not.toContain('manage')
  expect((await run('upload', 'b.png', '--history', 'private', '--json')).stdout).not.toContain('manage')
  expect(readFileSync(file, 'utf8').match(/\/manage\/[\w-]{43}/g)).toHaveLength(2)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect((await run('history')).stdout).not.toContain('manage')
  expect((await run('history', '--json')).stdout).not.toContain('/manage/')
  expect((await run('history', '--private')).stdout.match(/^manage: /gm)).toHaveLength(2)
})

test('lists uploads with stable numbers, and filters them', async () => {
  const { run } = await home()
  // In the order in which they are stored.
  await run('upload', 'a.png', 'c d.png', '--concurrency', '1', '--history', 'links')
  await run('upload', 'a.png', 'b.png', '--concurrency', '1', '--gallery=Lago di Garda', '--history', 'links')
  await run('cover', 'b.png', '--history', 'links')
  const { lines } = await run('history')
  const cells = lines.map((line) => line.trim().split(/ {2,}/))
  expect(cells.map(([number, , kind, name]) => [number, kind, name])).toEqual([
    ['1', 'image', 'a.png'],
    ['2', 'image', 'c-d.png'],
    ['3', 'gallery', 'Lago di Garda'],
    ['4', 'image', 'a.png'],
    ['5', 'image', 'b.png'],
    ['6', 'cover', 'b.png'],
  ])
  const numbers = async (...args: string[]) =>
    (await run('history', ...args)).lines.map((line) => Number(line.trim().split(' ')[0]))
  expect(await numbers('A.PNG')).toEqual([1, 4])
  expect(await numbers('a.png', '/gallery/')).toEqual([4])
  expect(await numbers('garda')).toEqual([3])
  expect(await numbers('--last', '2')).toEqual([5, 6])
  expect(await numbers('--since', '1h')).toEqual([1, 2, 3, 4, 5, 6])
  expect(await numbers('--since', '2999-01-01')).toEqual([])
  const { uploads } = JSON.parse((await run('history', 'garda', '--json')).stdout)
  expect(uploads).toEqual([
    {
      number: 3,
      recorded_at: expect.stringMatching(/^\d{4}-.*Z$/),
      type: 'gallery',
      name: 'Lago di Garda',
      url: cells[2]?.[4],
      deletable: false,
    },
  ])
})

test('deletes at the host by number, range, name and link, and remembers it', async () => {
  const { run } = await home()
  const { lines } = await run('upload', 'a.png', 'b.png', 'c d.png', '--concurrency', '1', '--history', 'private')
  const gallery = await run('upload', 'a.png', '--gallery', '--history', 'private')
  await run('upload', 'b.png', '--history', 'links')
  const [a = '', b = '', c = ''] = lines

  expect(await run('history', 'delete', 'c-d.png', '--yes')).toMatchObject({ code: 0, stdout: `deleted ${c}\n` })
  expect(await statusOf(api, c)).toBe('deleted')
  expect((await run('history', 'delete', a, '--yes')).code).toBe(0)
  // 2 is an image, 4 a gallery, 5 its image, and 6 has no private link.
  const range = await run('history', 'delete', '1-6', '--yes', '--json')
  expect(range.code).toBe(1)
  const { results } = JSON.parse(range.stdout)
  expect(results.map(({ number, deleted }: Record<string, unknown>) => [number, deleted])).toEqual([
    [2, true],
    [4, true],
    [1, false],
    [3, false],
    [5, false],
    [6, false],
  ])
  expect(range.stderr).toContain('not deleted (1): it was deleted before\n')
  expect(range.stderr).toContain('not deleted (5): it is in a gallery, which is deleted as a whole: ')
  expect(range.stderr).toContain('not deleted (6): its private link was not recorded')
  expect([await statusOf(api, a), await statusOf(api, b)]).toEqual(['deleted', 'deleted'])
  expect(await statusOf(api, gallery.lines[0] ?? '')).toBe('deleted')
  const kinds = (await run('history')).lines.map((line) => line.trim().split(/ {2,}/)[2])
  expect(kinds).toEqual(['deleted', 'deleted', 'deleted', 'deleted', 'image', 'image'])
})

test('what another way deleted counts as deleted', async () => {
  const { run, file } = await home()
  const { lines } = await run('upload', 'a.png', 'b.png', '--concurrency', '1', '--history', 'private', '--manage')
  const [, first = '', , second = ''] = lines.map((line) => line.replace('manage: ', ''))
  // By the link itself: the history knows it.
  await run('delete', first, '--yes')
  expect(readHistory(file).map(({ deletedAt }) => deletedAt !== undefined)).toEqual([true, false])
  await api.remove(second.split('/').at(-1) ?? '')
  expect(await run('history', 'delete', '2', '--yes')).toMatchObject({ code: 0 })
  expect(readHistory(file).every(({ deletedAt }) => deletedAt !== undefined)).toBe(true)
})

test.for([
  [['delete'], 'history delete takes numbers, names or links of recorded uploads: received nothing'],
  [['delete', '9', '--yes'], 'there is no upload 9: "tintype-cli history" lists them'],
  [['delete', 'nothing.png', '--yes'], 'nothing recorded is "nothing.png"'],
  [['delete', 'a.png', '--yes'], '"a.png" is the name of 1, 2: use a number'],
  [['delete', '1'], 'there is no terminal to ask at'],
  [['clear'], 'there is no terminal to ask at'],
  [['clear', 'all'], 'history clear takes nothing'],
  [['--yes'], '--yes is for history delete and history clear'],
  [['delete', '1', '--last', '2'], '--last is no option of history delete'],
  [['--since', 'yesterday'], '--since must be a date such as 2026-11-27, or a time such as 7d: received "yesterday"'],
  [['--manage'], '--manage is no option of history'],
] as const)('history %j is wrong use: %s', async ([args, sentence]) => {
  const { run } = await home()
  await run('upload', 'a.png', 'a.png', '--history', 'private')
  expect(await run('history', ...args)).toMatchObject({ code: 2, stderr: expect.stringContaining(sentence) })
  expect((await run('history')).lines).toHaveLength(2)
})

test('clear removes the file, and nothing at the host', async () => {
  const { run, file } = await home()
  const { lines } = await run('upload', 'a.png', '--history', 'private')
  expect(await run('history', 'clear', '--yes')).toMatchObject({ code: 0, stdout: 'cleared 1 records\n' })
  expect(existsSync(file)).toBe(false)
  expect(await statusOf(api, lines[0] ?? '')).toBe('available')
})

test('a line that a crash cut off is skipped, and the next one starts again', async () => {
  const { run, file } = await home()
  await run('upload', 'a.png', '--history', 'links')
  appendFileSync(file, '{"at":"2026-11-27T00:00:00.000Z","kind":"ima')
  await run('upload', 'b.png', '--history', 'links')
  expect((await run('history')).lines.map((line) => line.trim().split(/ {2,}/)[3])).toEqual(['a.png', 'b.png'])
})

test('a resumed upload is recorded once, also what was uploaded before the crash', async () => {
  const { cwd, run, file } = await home()
  const args = ['upload', 'a.png', 'b.png', '--gallery=T', '--resume', 'j', '--history', 'private'] as const
  await run(...args)
  const [gallery = '', first = ''] = readFileSync(file, 'utf8').split('\n')
  writeFileSync(file, `${gallery}\n${first}\n`)
  await run(...args)
  expect(readHistory(file).map(({ kind, name }) => [kind, name])).toEqual([
    ['gallery', 'T'],
    ['image', 'a.png'],
    ['image', 'b.png'],
  ])
  const other = await runCli(args.slice(0, -2), { cwd })
  expect(other).toMatchObject({ code: 2, stderr: expect.stringContaining('is of an upload with --history "private"') })
})

test('a history that cannot be read stops the upload before it begins', async () => {
  const cwd = await folderWith({ 'a.png': SMALL_PNG, state: 'a file' })
  const env = { XDG_STATE_HOME: join(cwd, 'state') }
  const { code, stdout, stderr } = await runCli(['upload', 'a.png', '--history', 'links'], { cwd, env })
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toMatch(/history\.jsonl cannot be read\n$/)
})

test('no private link is printed when the host refuses it', async () => {
  const proxy = await startProxy(() => ({ status: 500, body: 'broken' }))
  const { run } = await home()
  await run('upload', 'a.png', '--history', 'private')
  const { code, stdout, stderr } = await run('history', 'delete', '1', '--yes', '--retries', '0', '--url', proxy.url)
  expect(code).toBe(1)
  expect(stdout + stderr).toContain('not deleted (1): broken')
  expect(stdout + stderr).not.toContain('/manage/')
})
