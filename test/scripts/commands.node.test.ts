import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')
const COMMANDS = ['start', 'moderate', 'reconcile', 'backup', 'restore', 'rehearse', 'conformance', 'deploy']

test.for(COMMANDS)('%s --help says how it is used, and does nothing', (name) => {
  const { status, stdout, stderr } = run(name, '--help')
  expect(stdout).toMatch(new RegExp(String.raw`^Usage: npm (?:run )?${name} -- .*\n[A-Z].*\.\n(?:  .*\n)*$`))
  expect(stderr).toBe('')
  expect(status).toBe(0)
})

test.for(COMMANDS)('%s is understood by a Node.js that knows no TypeScript', (name) => {
  const script = join(ROOT, 'scripts', `${name}.mjs`)
  const { status, stderr } = spawnSync(process.execPath, ['--no-strip-types', script, '--help'], { encoding: 'utf8' })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
})

test.for(COMMANDS)('%s refuses an option that it does not know', (name) => {
  const { status, stdout, stderr } = run(name, '--nonsense')
  expect(stderr).toMatch(/^Unknown option '--nonsense'\nUsage: npm /)
  expect(stderr).not.toContain('    at ')
  expect(stdout).toBe('')
  expect(status).not.toBe(0)
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
    '--client-limits: CLIENT_LIMITS must be "off" or a list of uploads, upload_mib, covers, galleries, unknown_tokens, idempotency_keys such as "uploads=5000,covers=off": received "uploads=many"',
  ],
  [
    ['--report-webhook', 'hooks.example/secret'],
    '--report-webhook: REPORT_WEBHOOK must be an address that begins with https:// or http://, without a user or a password in it',
  ],
] as const)('start %j is refused in a sentence', ([args, sentence]) => {
  expect(run('start', ...args)).toMatchObject({ status: 1, stdout: '', stderr: `${sentence}\n` })
})

test('a suite that is not there is refused in a sentence that names those that are', () => {
  const config = readFileSync(join(ROOT, 'vitest.config.ts'), 'utf8')
  const names = [...config.matchAll(/ name: '([a-z-]+)',/g)].map(([, name = '']) => name)
  const suites = names.filter((name) => !['wasm-modules', 'codec-tools'].includes(name))
  expect(suites.length).toBeGreaterThan(5)
  for (const args of [
    ['--project', 'nonsense'],
    ['--project=nonsense'],
    ['--project', 'unit', '--project', 'nonsense'],
  ]) {
    const { status, stdout, stderr } = run('test', ...args)
    const [, listed = ''] = /^there is no test project "nonsense": choose from (.*)\n$/.exec(stderr) ?? []
    expect(listed.split(', ').toSorted(), stderr).toEqual(suites.toSorted())
    expect(stdout).toBe('')
    expect(status).toBe(1)
  }
})

function run(name: string, ...args: string[]) {
  const { CODEC_TOOLS: _, ...env } = process.env
  return spawnSync(process.execPath, [join(ROOT, 'scripts', `${name}.mjs`), ...args], { env, encoding: 'utf8' })
}
