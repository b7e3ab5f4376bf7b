import { expect, test } from 'vitest'
import { UsageError } from '../../cli/src/problems.ts'
import { readCommandLine } from '../../cli/src/terminal/arguments.ts'

const read = (args: readonly string[], env: Record<string, string> = {}) =>
  readCommandLine(args, {
    env: { HOME: '/home/anna', ...env },
    exists: (path) => ['pics', 'a.png'].includes(path),
    read: (path) => (path === (env.TINTYPE_CONFIG ?? '/home/anna/.config/tintype/config') ? env.CONFIG : undefined),
    nowMs: Date.parse('2026-11-27T12:00:00Z'),
  })

test.for([
  [['--gallery', 'Lake Garda', 'a.png'], 'Lake Garda', ['a.png']],
  [['a.png', '--gallery', 'Lake Garda'], 'Lake Garda', ['a.png']],
  [['--gallery', 'a.png'], '', ['a.png']],
  [['--gallery', 'pics'], '', ['pics']],
  [['--gallery=pics', 'pics'], 'pics', ['pics']],
  [['a.png', '--gallery'], '', ['a.png']],
  [['--gallery', '--adult', 'a.png'], '', ['a.png']],
  [['a.png', '--gallery', '--', '-x.png'], '', ['a.png', '-x.png']],
  [['a.png', '--', '--gallery', 'b'], undefined, ['a.png', '--gallery', 'b']],
] as [string[], string | undefined, string[]][])('upload %j: the gallery is %j', ([args, gallery, paths]) => {
  expect(read(['upload', ...args])).toMatchObject({ command: 'upload', gallery, paths })
})

test.for([
  [{}, [], 'http://localhost:8787'],
  [{ TINTYPE_URL: '' }, [], 'http://localhost:8787'],
  [{ TINTYPE_URL: 'https://a.example' }, [], 'https://a.example'],
  [{ TINTYPE_URL: 'https://a.example' }, ['--url', 'https://b.example/api//'], 'https://b.example/api'],
] as [Record<string, string>, string[], string][])('the host of %j and %j is %s', ([env, args, host]) => {
  expect(read(['status', '-', ...args], env)).toMatchObject({ host })
  expect(read([...args, 'status', '-'], env)).toMatchObject({ host })
})

test.for([
  [['upload', 'a.png', '--thumbnail', '150'], { thumbnailPx: 150 }],
  [['upload', 'a.png', '--thumbnail=500'], { thumbnailPx: 500 }],
  [['upload', 'a.png', '--expires-in', '90m'], { expiresInS: 5400 }],
  [['cover', 'a.png', '--expires-in=520w'], { expiresInS: 314_496_000 }],
  [['upload', 'a.png'], { thumbnailPx: undefined, concurrency: 3, retries: 4, format: 'link', json: false }],
  [['upload', '-', '--name', 'b.png'], { paths: ['-'], name: 'b.png' }],
  [['status', '-', '--fail'], { fail: true }],
  [['upload', 'a.png', '--json'], { format: 'json', json: true }],
  [['upload', 'a.png', '--format', 'json'], { format: 'json', json: true }],
  [['rename', `-${'b'.repeat(42)}`, 'x'], { link: `/manage/-${'b'.repeat(42)}`, name: 'x' }],
  [['delete', '--yes', `-${'-'.repeat(42)}`], { links: [`/manage/-${'-'.repeat(42)}`], yes: true }],
  [['help', 'status'], { command: 'help', about: 'status' }],
  [['status', '--help'], { command: 'help', about: 'status' }],
  [['--help'], { command: 'help', about: 'help' }],
  [['--version'], { command: 'version' }],
] as [string[], object][])('%j', ([args, expected]) => {
  expect(read(args)).toMatchObject(expected)
})

test.for([
  [[], 'a command is missing: upload, cover, download, status, rename, delete, history, completion, mcp, help'],
  [
    ['uplaod', 'a.png'],
    '"uplaod" is no command: use one of upload, cover, download, status, rename, delete, history, completion, mcp, help',
  ],
  [['upload'], 'upload takes the files and folders to upload, or - for standard input: received nothing'],
  [['cover', 'a', 'b', 'c'], 'cover takes a left picture, and a right one if there are two: received 3'],
  [['rename', 'x'], 'rename takes a management link and the new name: received 1'],
  [['upload', '-', '-'], '- means standard input, which can be read once: name it once'],
  [['upload', 'a.png', '--name', 'b'], '--name is for what comes on standard input: upload -'],
  [['upload', '-', '--resume', 'x'], '--resume is for files: standard input cannot be read again'],
  [['upload', 'a.png', '--dry-run', '--resume', 'x'], '--dry-run reads no journal: leave --resume out'],
  [['upload', 'a.png', '--foo'], '--foo is no option: "tintype-cli help" lists them'],
  [['upload', 'a.png', '-x'], '-x is no option: "tintype-cli help" lists them'],
  [['status', '-', '--gallery'], '--gallery is no option of status'],
  [['cover', 'a.png', '--thumbnail', '200'], '--thumbnail is no option of cover'],
  [['upload', 'a.png', '--adult=1'], '--adult takes no value'],
  [['upload', 'a.png', '--format'], '--format needs a value'],
  ...['59s', '3651d', '7', 'd', '7 d', '07d', '7y', 'never', ''].map((time): [string[], string] => [
    ['upload', 'a.png', '--expires-in', time],
    `--expires-in must be a time such as 12h or 30d, from a minute to ten years: received "${time}"`,
  ]),
  [['upload', 'a.png', '--thumbnail', '149'], '--thumbnail must be an integer from 150 to 500: received "149"'],
  [['upload', 'a.png', '--thumbnail', '501'], '--thumbnail must be an integer from 150 to 500: received "501"'],
  [['upload', 'a.png', '--concurrency', '0'], '--concurrency must be an integer from 1 to 16: received "0"'],
  [['upload', 'a.png', '--concurrency', '17'], '--concurrency must be an integer from 1 to 16: received "17"'],
  [['upload', 'a.png', '--retries', '-1'], '--retries must be an integer from 0 to 20: received "-1"'],
  [
    ['upload', 'a.png', '--format', 'xml'],
    '--format must be one of link, original, html, markdown, bbcode, json: received "xml"',
  ],
  [['upload', 'a.png', '--json', '--format', 'html'], '--json and --format html exclude each other: leave one out'],
  [
    ['upload', 'a.png', '--url', 'a.example'],
    '--url must be an address such as https://pics.example: received "a.example"',
  ],
  [
    ['upload', 'a.png', '--url', 'ftp://a.example'],
    '--url must be an address such as https://pics.example: received "ftp://a.example"',
  ],
] as [string[], string][])('%j: %s', ([args, sentence]) => {
  expect(() => read(args)).toThrow(UsageError)
  expect(() => read(args)).toThrow(sentence)
})
