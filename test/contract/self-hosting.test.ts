import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { writeCertificate } from '../clients/support/certificate.ts'
import { isInstalled } from '../clients/support/private-network.ts'
import { mayStartServices } from './support/api.ts'
import { readMarkdownBlocks } from './support/code-blocks.ts'
import { noteTokens, refuseTokens } from './support/issued-tokens.ts'
import { freePort, type Service, startService, temporaryData } from './support/service.ts'

const GUIDE = readFileSync(join(import.meta.dirname, '../../docs/self-hosting.md'), 'utf8')
const DOMAIN = 'pics.example'
/** Links use the first one if a proxy does not pass the host on. */
const DOMAINS = ['first.example', DOMAIN]
const IMAGE = join(import.meta.dirname, '../fixtures/valid/png/rgb.png')
const ACCESS_LOG = 'tintype.log'
const ERROR_LOG = 'tintype-error.log'
const MAIN_LOG = 'main-error.log'

const missing = ['nginx', 'openssl', 'curl'].filter((program) => !isInstalled(program))
const need = missing.length > 0 ? `${missing.join(', ')}: apt install ${missing.join(' ')}` : 'a service of its own'

describe.skipIf(missing.length > 0 || !mayStartServices())(`nginx in front of the service (needs ${need})`, () => {
  let service: Service
  let nginx: ChildProcess
  let folder: { path: string; remove: () => Promise<void> }
  const ports = { service: 0, plain: 0, secure: 0 }
  const logs = () => [ACCESS_LOG, ERROR_LOG, MAIN_LOG].map((log) => readFileSync(join(folder.path, log), 'utf8'))

  beforeAll(async () => {
    service = await startService({ byCommand: true, domains: DOMAINS })
    folder = await temporaryData()
    Object.assign(ports, { service: service.port, plain: await freePort(), secure: await freePort() })
    writeCertificate(folder.path, [DOMAIN, `*.${DOMAIN}`])
    const settings = join(folder.path, 'nginx.conf')
    writeFileSync(settings, settingsFor(folder.path, ports))
    nginx = spawn('nginx', ['-e', join(folder.path, MAIN_LOG), '-c', settings, '-g', 'daemon off;'])
    await untilOpen(ports.secure, nginx)
  })
  afterAll(async () => {
    nginx.kill('SIGQUIT')
    await new Promise((resolve) => nginx.once('exit', resolve))
    await service.stop()
    refuseTokens({ folders: [folder.path] })
    await folder.remove()
  })

  /** Runs curl on an https URL through nginx, with further arguments. Returns its result. */
  function curl(url: string, args: readonly string[] = [], body?: Buffer) {
    const through = ['--connect-to', `::127.0.0.1:${ports.secure}`, '--cacert', join(folder.path, 'cert.pem')]
    const common = ['--silent', '--show-error', '--path-as-is', '--write-out', '\n%{http_code}']
    const { stdout, stderr } = spawnSync('curl', [...common, ...through, ...args, url], {
      input: body,
      encoding: 'utf8',
    })
    const [, text = '', status] = /^(.*)\n(\d+)$/s.exec(stdout) ?? []
    return { status: Number(status), text: text || stderr }
  }

  const get = (path: string) => curl(`https://${DOMAIN}${path}`)
  const post = (path: string, args: readonly string[] = [], body?: Buffer) =>
    curl(`https://${DOMAIN}${path}`, ['--request', 'POST', ...args], body)

  function upload() {
    const fields = [`img=@${IMAGE}`, 'content_type=0', 'include_manage_url=1'].flatMap((field) => ['--form', field])
    const { status, text } = post('/images', fields)
    expect(status, text).toBe(200)
    noteTokens(text)
    const { show_url: showUrl, th_url: thumbnailUrl, manage_url: manageUrl } = JSON.parse(text)
    return {
      showUrl: String(showUrl),
      thumbnailUrl: String(thumbnailUrl),
      token: String(manageUrl).split('/').at(-1) ?? '',
    }
  }

  test('an upload gets links on the requested domain, and they work', () => {
    const { showUrl, thumbnailUrl } = upload()
    expect(new URL(showUrl).origin).toBe(`https://${DOMAIN}`)
    expect(new URL(thumbnailUrl).origin).toBe(`https://t1.${DOMAIN}`)
    expect([curl(showUrl).status, curl(thumbnailUrl, ['--output', '/dev/null']).status]).toEqual([200, 200])
  })

  test('no log contains a management token, however it is requested', async () => {
    const { token } = upload()
    const gets = ['/manage/T', '/manage/T?x=1', '//manage/T', '/%6danage/T', '/Manage/T', '/manage//T', '/manage/./T']
    for (const path of [...gets, '/manage%2fT', '/manage/T/x', '/a/../manage/T']) get(path.replace('T', token))
    curl(`https://${DOMAIN}/show/1/2_a.png?from=${token}`, ['--referer', `https://${DOMAIN}/manage/${token}`])
    expect(post(`/management/${token}/rename`, ['--data-binary', '@-'], Buffer.alloc(24_000_000)).status).toBe(413)
    expect(post(`/management/${token}/delete`).status).toBe(200)
    // nginx writes the line after the response, so the line may be late.
    while (!logs()[0]?.includes('"POST /management/-/delete" 200 ')) await sleep(20)
    const [access = '', ...errors] = logs()
    expect(access).toContain('"GET /manage/-" 200 ')
    expect(access).toContain('"GET /show/1/2_a.png" 404 ')
    expect([access, ...errors].filter((log) => log.includes(token))).toEqual([])
  })

  test('no log contains the token of a guest link', async () => {
    const { text: created } = post('/galleries', ['--data', 'include_manage_url=1'])
    noteTokens(created)
    const token = String(JSON.parse(created).manage_url).split('/').at(-1)
    const { text: opened } = post(`/management/${token}/guests`)
    noteTokens(opened)
    const guest = String(JSON.parse(opened).guest_url).split('/').at(-1) ?? ''
    for (const path of ['/add/T', '/add/T?x=1', '/%61dd/T', '/Add/T', '/add/T/x']) get(path.replace('T', guest))
    const form = ['--form', `img=@${IMAGE}`, '--form', 'content_type=0']
    expect(post(`/guests/${guest}/images`, form).status).toBe(200)
    while (!/"POST \/guests\/\S+" 200 /.test(logs()[0] ?? '')) await sleep(20)
    expect(logs()[0]).toContain('"GET /add/-" 200 ')
    expect(logs().filter((log) => log.includes(guest))).toEqual([])
  })

  test('the rate limit uses the address that nginx sees, not one that the client names', () => {
    const ask = (count: number) => {
      const headers = ['Content-Type: application/json', `CF-Connecting-IP: 192.0.2.${count}`]
      return post('/images/status', ['--data', '{"urls":["x"]}', ...headers.flatMap((line) => ['--header', line])])
        .status
    }
    const startedMs = Date.now()
    let passed = 0
    for (let status = ask(1); status !== 429; status = ask(passed + 1)) {
      expect(status).toBe(200)
      // On a slow machine the bucket refills, one token each six seconds.
      expect(++passed).toBeLessThanOrEqual(5 + Math.floor((Date.now() - startedMs) / 6000))
    }
    expect(passed).toBeGreaterThanOrEqual(5)
  })

  test('files are cached for the s-maxage of the service, and pages are not', () => {
    const { showUrl, thumbnailUrl, token } = upload()
    const read = (url: string) => curl(url, ['--output', '/dev/null']).status
    expect([read(thumbnailUrl), read(thumbnailUrl), read(showUrl)]).toEqual([200, 200, 200])
    expect(post(`/management/${token}/delete`).status).toBe(200)
    // From the cache, for up to five minutes, as documented. The other file was never requested.
    expect([read(thumbnailUrl), read(showUrl)]).toEqual([200, 404])
    expect(read(thumbnailUrl.replace('//t1.', '//img1.').replace('/thumbs/', '/images/'))).toBe(404)
    const { text } = curl(thumbnailUrl, ['--head', '--http2'])
    expect(text).toMatch(/^HTTP\/2 200/)
    expect(text).toContain('s-maxage=300')
  })

  test("pages of any origin may read nginx's rejection of a large body", () => {
    const { status, text } = post('/images', ['--include', '--data-binary', '@-'], Buffer.alloc(24_000_000))
    expect(status).toBe(413)
    expect(text.toLowerCase()).toContain('access-control-allow-origin: *')
  })

  test('plain http is redirected to https, with its query', () => {
    const plain = ['--connect-to', `::127.0.0.1:${ports.plain}`, '--output', '/dev/null']
    const args = ['--silent', ...plain, '--write-out', '%{http_code} %{redirect_url}', `http://${DOMAIN}/docs?x=1`]
    expect(spawnSync('curl', args, { encoding: 'utf8' }).stdout).toBe(`308 https://${DOMAIN}/docs?x=1`)
  })

  test('while the service is down, no log contains a token either', async () => {
    const { token } = upload()
    await service.kill()
    expect(get(`/manage/${token}`).status).toBe(502)
    expect(post(`/management/${token}/delete`).status).toBe(502)
    expect(get('/docs').status).toBe(502)
    // The error log is on, and its lines contain no secret.
    while (!logs().join('').includes('request: "GET /docs HTTP/2.0"')) await sleep(20)
    expect(logs().filter((log) => log.includes(token))).toEqual([])
    service = await startService({ byCommand: true, port: ports.service, domains: DOMAINS })
  })
})

test('systemd accepts the units', async ({ skip }) => {
  skip(!isInstalled('systemd-analyze'), 'the units were not checked: apt install systemd')
  const folder = await temporaryData()
  const codes = readMarkdownBlocks(GUIDE).flatMap(({ language, code }) => (language === 'ini' ? [code] : []))
  const names = ['tintype.service', 'tintype-backup.service', 'tintype-backup.timer']
  expect(codes).toHaveLength(names.length)
  const units = names.map((name) => join(folder.path, name))
  for (const [at, unit] of units.entries()) writeFileSync(unit, codes[at] ?? '')
  const { stdout, stderr } = spawnSync('systemd-analyze', ['verify', ...units], { encoding: 'utf8' })
  await folder.remove()
  // It may report units of this machine.
  expect(`${stdout}${stderr}`.split('\n').filter((line) => line.includes('tintype'))).toEqual([])
})

/** Returns the block of the guide in this language. */
function blockOf(wanted: string): string {
  return readMarkdownBlocks(GUIDE).find(({ language }) => language === wanted)?.code ?? ''
}

/** Returns the guide's settings, with the ports, files and addresses of a test. */
function settingsFor(folder: string, ports: { service: number; plain: number; secure: number }): string {
  const settings = blockOf('nginx')
    .replace(/^ *listen \[::\].*\n/gm, '')
    .replace('listen 80;', `listen 127.0.0.1:${ports.plain};`)
    .replace('listen 443 ssl http2;', `listen 127.0.0.1:${ports.secure} ssl http2;`)
    .replaceAll('/var/cache/nginx/', `${folder}/cache-`)
    .replaceAll('127.0.0.1:8787', `127.0.0.1:${ports.service}`)
    .replace(/\/etc\/letsencrypt\/live\/[^;]*\/fullchain\.pem/, join(folder, 'cert.pem'))
    .replace(/\/etc\/letsencrypt\/live\/[^;]*\/privkey\.pem/, join(folder, 'key.pem'))
    .replaceAll('/var/log/nginx/', `${folder}/`)
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${join(folder, kind)};`,
  )
  return [
    // Only root may choose another user, who would have no access to the folder.
    process.getuid?.() === 0 ? 'user root;' : '',
    `pid ${join(folder, 'nginx.pid')};`,
    'worker_processes 1;',
    'events {}',
    `http {\n${temporary.join('\n')}\n${settings}}`,
  ].join('\n')
}

/** Waits until something listens on the port. Throws with the program's output if it ends before. */
async function untilOpen(port: number, program: ChildProcess): Promise<void> {
  let printed = ''
  program.stderr?.on('data', (text) => {
    printed += text
  })
  while (!(await isOpen(port))) {
    if (program.exitCode !== null) throw new Error(`nginx ended:\n${printed}`)
    await sleep(50)
  }
}

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true))
    socket.on('connect', () => socket.destroy())
    socket.on('error', () => resolve(false))
  })
}
