import { chmodSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { configFile, historyFile } from '../../cli/src/files/folders.ts'
import { UsageError } from '../../cli/src/problems.ts'
import { readCommandLine } from '../../cli/src/terminal/arguments.ts'
import { SMALL_PNG } from '../contract/support/steps.ts'
import { folderWith } from './support/folder.ts'
import { startProxy } from './support/proxy.ts'
import { runCli } from './support/run-cli.ts'

/** Reads a command line with a configuration file of this content. */
function read(args: readonly string[], content: string, env: Record<string, string> = {}) {
  const read = (file: string) => (file === '/home/anna/.config/tintype/config' ? content : undefined)
  return readCommandLine(args, { env: { HOME: '/home/anna', ...env }, exists: () => false, read, nowMs: 0 })
}

test.for([
  ['url = https://a.example', {}, [], { host: 'https://a.example', hostNamed: false }],
  ['url = https://a.example', { TINTYPE_URL: 'https://b.example' }, [], { host: 'https://b.example' }],
  ['url = https://a.example', {}, ['--url', 'https://c.example'], { host: 'https://c.example', hostNamed: true }],
  ['optimize = true\nadult = false', {}, [], { optimize: true, adult: false }],
  ['optimize = true', {}, ['--no-optimize'], { optimize: false }],
  ['adult = false', {}, ['--adult'], { adult: true }],
  ['thumbnail=300', {}, [], { thumbnailPx: 300 }],
  ['thumbnail = 300', {}, ['--thumbnail', '400'], { thumbnailPx: 400 }],
  ['expires-in = 7d', {}, [], { expiresInS: 604_800 }],
  ['expires-in = 7d', {}, ['--no-expires-in'], { expiresInS: undefined }],
  ['format = html', {}, [], { format: 'html', json: false }],
  ['format = html', {}, ['--json'], { format: 'json', json: true }],
  ['history = private', {}, [], { history: 'private' }],
  ['history = private', {}, ['--no-history'], { history: 'off' }],
  ['history = off', {}, [], { history: 'off' }],
  ['copy = true\r\nopen = true\r\n', {}, ['--no-open'], { copy: true, open: false }],
  ['\ufeff# mine\n\n  retries = 7', {}, [], { retries: 7 }],
  ['key = k1', {}, [], { uploadKey: 'k1' }],
  ['key = k1', { TINTYPE_UPLOAD_KEY: 'k2' }, [], { uploadKey: 'k2' }],
  ['key = k1', { TINTYPE_UPLOAD_KEY: 'k2' }, ['--key', 'k3'], { uploadKey: 'k3' }],
] as [string, Record<string, string>, string[], object][])(
  'the file %j, the variables %j and the options %j make %j',
  ([content, env, args, expected]) => {
    expect(read(['upload', 'a.png', ...args], content, env)).toMatchObject(expected)
  },
)

test.for([
  ['url = https://a.example\nkey = k1', {}, [], 'k1'],
  ['url = https://a.example\nkey = k1', { TINTYPE_URL: 'https://a.example/' }, [], 'k1'],
  ['url = https://a.example\nkey = k1', { TINTYPE_URL: 'https://b.example' }, [], undefined],
  ['url = https://a.example\nkey = k1', {}, ['--url', 'https://b.example'], undefined],
  ['key = k1', {}, ['--url', 'https://b.example'], undefined],
] as [string, Record<string, string>, string[], string | undefined][])(
  'the key of a file is for the host of the file alone: %j %j %j',
  ([content, env, args, uploadKey]) => {
    expect(read(['upload', 'a.png', ...args], content, env)).toMatchObject({ uploadKey })
  },
)

test('settings of other commands are ignored', () => {
  expect(read(['status', 'a'], 'thumbnail = 9999\ncopy = true')).toMatchObject({ command: 'status' })
})

test.for([
  ['colour = red', 'line 1: "colour" is no setting: use one of concurrency, thumbnail, '],
  ['\n\nhelp = true', 'line 3: "help" is no setting'],
  ['dry-run = true', 'line 1: "dry-run" is no setting'],
  ['toString = 1', 'line 1: "toString" is no setting'],
  ['optimize = yes', 'line 1: optimize must be true or false'],
  ['optimize', 'line 1: a line must be like "optimize = true"'],
  ['= 5', 'line 1: a line must be like'],
  ['url =', 'line 1: url needs a value'],
  ['thumbnail = 100', 'line 1: thumbnail must be an integer from 150 to 500: received "100"'],
  ['format = xml', 'line 1: format must be one of link, '],
  ['history = all', 'line 1: history must be one of off, links, private: received "all"'],
  ['url = a.example', 'line 1: url must be an address such as https://pics.example: received "a.example"'],
  ['copy = true\ncopy = false', 'line 2: copy is set twice'],
  ['key = my secret', 'line 1: key must be a key: printable ASCII without spaces'],
] as const)('a wrong line is named: %j', ([content, sentence]) => {
  expect(() => read(['upload', 'a.png'], content)).toThrow(UsageError)
  expect(() => read(['upload', 'a.png'], content)).toThrow(sentence)
  expect(() => read(['upload', 'a.png'], content)).not.toThrow('secret')
})

test('a wrong file does not keep the help away', () => {
  expect(read(['upload', '--help'], 'rubbish')).toEqual({ command: 'help', about: 'upload' })
  expect(read(['completion', 'bash'], 'rubbish')).toEqual({ command: 'completion', shell: 'bash' })
})

test.skipIf(process.platform === 'win32')('files are where the XDG Base Directory Specification has them', () => {
  const env = { HOME: '/home/anna', XDG_CONFIG_HOME: '/c', XDG_STATE_HOME: '/s' }
  expect([configFile(env), historyFile(env)]).toEqual(['/c/tintype/config', '/s/tintype/history.jsonl'])
  // It ignores relative paths.
  const relative = { HOME: '/home/anna', XDG_CONFIG_HOME: 'c', XDG_STATE_HOME: '' }
  expect([configFile(relative), historyFile(relative)]).toEqual([
    '/home/anna/.config/tintype/config',
    '/home/anna/.local/state/tintype/history.jsonl',
  ])
})

describe('the command', () => {
  test('reads the file: what it says is sent, and its key with uploads alone', async () => {
    const proxy = await startProxy()
    const cwd = await folderWith({
      'a.png': SMALL_PNG,
      'home/.config/tintype/config': `url = ${proxy.url}\nkey = the-key\nadult = true\nthumbnail = 222\n`,
    })
    const env = { HOME: `${cwd}/home`, TINTYPE_URL: '' }
    chmodSync(`${cwd}/home/.config/tintype/config`, 0o600)
    const { code, lines, stderr } = await runCli(['upload', 'a.png'], { cwd, env })
    expect({ code, stderr }).toEqual({ code: 0, stderr: 'uploaded a.png (1 of 1)\n' })
    expect(proxy.requests[0]?.authorization).toBe('Bearer the-key')
    const fields = [...(proxy.requests[0]?.body.toString() ?? '').matchAll(/name="(\w+)"\r\n\r\n(\w+)\r\n/g)]
    expect(fields.map(([, name, value]) => [name, value])).toEqual([
      ['content_type', '1'],
      ['max_th_size', '222'],
    ])
    await runCli(['status', lines[0] ?? ''], { env })
    expect(proxy.requests[1]).toMatchObject({ path: '/images/status', authorization: undefined })
  })

  test.skipIf(process.platform === 'win32')('warns of a key that other users can read', async () => {
    const cwd = await folderWith({ config: 'key = the-key\n' })
    chmodSync(`${cwd}/config`, 0o644)
    const { code, stderr } = await runCli(['upload', 'none.png'], { cwd, env: { TINTYPE_CONFIG: 'config' } })
    expect(code).toBe(1)
    expect(stderr).toMatch(/^tintype-cli: other users can read the key in config: chmod 600 it\n/)
    expect(stderr).not.toContain('the-key')
  })

  test('a named file must be there', async () => {
    const env = { TINTYPE_CONFIG: '/nowhere/config' }
    expect(await runCli(['upload', 'a.png'], { env })).toMatchObject({
      code: 2,
      stderr: 'tintype-cli: TINTYPE_CONFIG names a file that cannot be read: /nowhere/config\n',
    })
  })

  test('no error prints a key', async () => {
    const key = `k-${'3'.repeat(20)}`
    const proxy = await startProxy(() => ({ status: 401, body: 'this service needs a key to upload' }))
    const cwd = await folderWith({ 'a.png': SMALL_PNG, config: `url = ${proxy.url}\nkey = ${key}\nkey = ${key}\n` })
    const runs = [
      await runCli(['upload', 'a.png', '--key', key, '--url', proxy.url], { cwd }),
      await runCli(['upload', 'a.png', '--url', proxy.url], { cwd, env: { TINTYPE_UPLOAD_KEY: `${key} ` } }),
      await runCli(['upload', 'a.png'], { cwd, env: { TINTYPE_CONFIG: 'config' } }),
    ]
    expect(runs.map(({ code }) => code)).toEqual([1, 2, 2])
    expect(proxy.requests[0]?.authorization).toBe(`Bearer ${key}`)
    for (const { stdout, stderr } of runs) expect(stdout + stderr).not.toContain(key)
  })
})
