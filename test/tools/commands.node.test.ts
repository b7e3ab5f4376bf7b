import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { CLIENT_LIMITS } from '../../src/domain/settings/client-limits.ts'
import { type Command, COMMANDS as TABLE } from '../../tools/commands.ts'

const ROOT = join(import.meta.dirname, '../..')
const RUN = join(ROOT, 'tools/install/run.mjs')
/**
 * The commands that read their own options: how a user calls them, and their scripts. The others are Wrangler's or
 * Vitest's.
 */
const COMMANDS = [
  ...Object.entries(packageJson.scripts).flatMap(([name, command]) => {
    const [, script] = /^exec node tools\/install\/run\.mjs ([\w/-]+\.(?:ts|mjs))$/.exec(command) ?? []
    return script === undefined || ['dev', 'test', 'cli'].includes(name) ? [] : [{ name, script }]
  }),
  ...Object.entries(Object.assign({}, ...Object.values(TABLE)) as Record<string, Command>).flatMap(
    ([name, command]) => {
      const isOwn = 'script' in command && command.environment === undefined && !(name in packageJson.scripts)
      return isOwn ? [{ name: `tintype -- ${name}`, script: command.script }] : []
    },
  ),
]

test('there are commands, so that the other tests check something', () => {
  expect(COMMANDS.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['start', 'deploy', 'moderate', 'tintype -- bench:api']),
  )
})

/** `Usage:`, the command, and sentences and options below it. */
const usageOf = (name: string) => String.raw`Usage: npm (?:run )?${name}(?: .*)?\n[A-Z](?:.*\n)+$`

// A process each is dear. This one shows the usage too.
test.for(COMMANDS)('$name rejects an unknown option, and prints its usage', ({ name, script }) => {
  const { status, stdout, stderr } = run(script, ['--nonsense'])
  expect(stderr).toMatch(new RegExp(String.raw`^Unknown option '--nonsense'\n${usageOf(name)}`))
  expect(stderr).not.toContain('    at ')
  expect(stdout).toBe('')
  expect(status).not.toBe(0)
})

/** One command of each way to read a command line. `readCommandLine` responds to `--help` for all others. */
const OF_EACH_WAY = COMMANDS.filter(
  ({ name, script }) =>
    ['backup', 'tintype -- bench:api'].includes(name) ||
    !/\b(?:readCommandLine|readNumbers)\(/.test(readFileSync(join(ROOT, 'tools', script), 'utf8')),
)

test.for(OF_EACH_WAY)('$name --help prints its usage, and does nothing, in a Node.js without TypeScript', (command) => {
  const { status, stdout, stderr } = run(command.script, ['--help'], ['--no-strip-types'])
  expect(stdout).toMatch(new RegExp(`^${usageOf(command.name)}`))
  expect(stderr).toBe('')
  expect(status).toBe(0)
})

test.for([
  ['../bench/load.ts', '--seconds', 'a minute', '--seconds must be a number: received "a minute"'],
  ['verify/fuzz.ts', 'many', '', 'how many mutations must be one whole number: received "many "'],
] as const)('%s rejects %s %s', ([script, option, value, sentence]) => {
  expect(run(script, [option, value])).toMatchObject({ status: 1, stdout: '', stderr: `${sentence}\n` })
})

test.for([
  [['--port', '0'], '--port must be a port number: received "0"'],
  [['--port', '65536'], '--port must be a port number: received "65536"'],
  [['--clock-offset-ms', '1.5'], '--clock-offset-ms must be a whole number of milliseconds: received "1.5"'],
  [['--host', 'localhost'], '--host must be an IPv4 address of this machine: received "localhost"'],
  [
    ['--log-requests', '10 %'],
    '--log-requests: LOG_REQUESTS must be the share of requests that are logged, from 0 (none) to 1 (all)',
  ],
  [['--min-free', '1.5 GB'], '--min-free must be a whole number of megabytes: received "1.5 GB"'],
  [['--domains', ' ,'], '--domains must name at least one domain'],
  ...['https://x/', 'pics.example/', 'pics.example:8787', 'x', '-.example', '192.0.2.1'].map(
    (domain) =>
      [
        ['--domains', `localhost,${domain}`],
        `--domains: a domain must be a bare name such as pics.example: received "${domain}"`,
      ] as const,
  ),
  [
    ['--domains', 'www.pics.example'],
    '--domains: name the domain alone, "pics.example": "www." of it is served besides',
  ],
  [
    ['--single-host-domains', 'https://pics.example'],
    '--single-host-domains: a domain must be a bare name such as pics.example: received "https://pics.example"',
  ],
  [
    ['--security-contact', 'security@pics.example, me'],
    '--security-contact must be addresses such as security@pics.example or https://pics.example/security: received "me"',
  ],
  [
    ['--client-limits', 'uploads=many'],
    `--client-limits: CLIENT_LIMITS must be "off" or a list of ${CLIENT_LIMITS.join(', ')} such as "uploads=5000,covers=off": received "uploads=many"`,
  ],
  [
    ['--report-webhook', 'hooks.example/secret'],
    '--report-webhook: REPORT_WEBHOOK must be an address that begins with https:// or http://, without a user or a password in it',
  ],
] as const)('start %j is rejected with a sentence', ([args, sentence]) => {
  expect(run('serve/start.ts', args)).toMatchObject({ status: 1, stdout: '', stderr: `${sentence}\n` })
})

test('an unknown suite is rejected with a sentence that lists the known ones', () => {
  const config = readFileSync(join(ROOT, 'vitest.config.ts'), 'utf8')
  const names = [...config.matchAll(/ name: '([a-z-]+)',/g)].map(([, name = '']) => name)
  const suites = names.filter(
    (name) => !['wasm-modules', 'codec-tools', 'browsers', 'editors', 'plugins'].includes(name),
  )
  expect(suites.length).toBeGreaterThan(5)
  for (const args of [
    ['--project', 'nonsense'],
    ['--project=nonsense'],
    ['--project', 'unit', '--project', 'nonsense'],
  ]) {
    const { status, stdout, stderr } = run('verify/test.ts', args)
    const [, listed = ''] = /^there is no test project "nonsense": choose from (.*)\n$/.exec(stderr) ?? []
    expect(listed.split(', ').toSorted(), stderr).toEqual(suites.toSorted())
    expect(stdout).toBe('')
    expect(status).toBe(1)
  }
})

function run(script: string, args: readonly string[], flags: readonly string[] = []) {
  const { CODEC_TOOLS: _, ...env } = process.env
  return spawnSync(process.execPath, [...flags, RUN, script, ...args], { env, encoding: 'utf8' })
}

test('npm start says that its port is taken before it installs or builds', async () => {
  const clone = mkdtempSync(join(tmpdir(), 'without-packages-'))
  // Nothing but this folder is needed to say so.
  cpSync(join(ROOT, 'tools/install'), join(clone, 'tools/install'), { recursive: true })
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const address = other.address()
  const port = typeof address === 'object' ? String(address?.port) : ''
  for (const args of [['--port', port], [`--port=${port}`]]) {
    const child = spawn(process.execPath, [join(clone, 'tools/install/run.mjs'), 'serve/start.ts', ...args], {
      env: { ...process.env, PORT: '1' },
    })
    const printed: string[] = []
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => printed.push(String(text)))
    const [status] = await once(child, 'close')
    expect(printed.join('').split('\n')).toEqual([
      'PORT is set and not read: choose a port with --port',
      `Port ${port} is taken: waiting for it ...`,
      `port ${port} is taken: choose another with --port`,
      '',
    ])
    expect(status).toBe(1)
  }
  other.close()
  rmSync(clone, { recursive: true })
})
