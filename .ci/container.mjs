// Runs the steps of the Dockerfile on this machine, in a folder of its own, and checks the resulting service. It runs
// as a user that may write only to /data, is healthy by its HEALTHCHECK, and stops on SIGTERM.
import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, chownSync, cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

const ROOT = path.resolve(import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname), '..')
const NOBODY = 65534
const isRoot = process.getuid?.() === 0

// Not in the folder for temporary files of this user, which others may not enter.
const work = mkdtempSync('/tmp/tintype-container-')
chmodSync(work, 0o755)
/** Where the paths of the image are here. */
const places = { '/app': path.join(work, 'app'), '/data': path.join(work, 'data') }
let service
process.on('exit', () => {
  service?.kill('SIGKILL')
  rmSync(work, { recursive: true, force: true, maxRetries: 5 })
})
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1))

const port = await freePort()
const image = { ENTRYPOINT: [], CMD: [], HEALTHCHECK: [], USER: [], VOLUME: [], FROM: [], EXPOSE: [], WORKDIR: [] }
const context = contextFiles()
for (const { name, value } of instructions(readFileSync(path.join(ROOT, 'Dockerfile'), 'utf8'))) {
  if (name === 'COPY') copy(value.split(/\s+/))
  else if (name === 'RUN') run(value)
  else if (name in image) image[name] = value
  else fail(`the Dockerfile has an instruction that is not known here: ${name}`)
}
expect(
  /^node:[\d.]+-[a-z]+-slim@sha256:[0-9a-f]{64}$/.test(image.FROM),
  "FROM must be Debian's slim image of Node.js, by its digest",
)
expect(image.USER === 'node', 'USER must be one who is not root')
expect(image.VOLUME === '/data' && image.EXPOSE === '8787', 'VOLUME and EXPOSE must be those of the service')
for (const file of [
  'test',
  'docs',
  '.git',
  'node_modules/vitest',
  '.env',
  'deployment.json',
  'generated/worker/service.json',
]) {
  const isThere = existsSync(path.join(places['/app'], file))
  expect(isThere === file.startsWith('generated'), `${file} must ${isThere ? 'not ' : ''}be in the image`)
}

const [command, ...args] = [...JSON.parse(image.ENTRYPOINT), ...JSON.parse(image.CMD)].map(here)
service = spawn(command, args, { ...asUser(), stdio: ['ignore', 'pipe', 'pipe'] })
let printed = ''
for (const stream of [service.stdout, service.stderr]) stream.on('data', (text) => (printed += text))
const ended = new Promise((resolve) => service.once('exit', resolve))
for (let tries = 240; !printed.includes('Tintype serves') && tries > 0; tries--) {
  if (service.exitCode !== null) fail(`the service ended:\n${printed}`)
  await wait(250)
}
const [, check] = /^(?:--\S+\s+)*CMD\s+(.*)$/s.exec(image.HEALTHCHECK) ?? fail('HEALTHCHECK must be a CMD')
const healthcheck = () => {
  const [program, ...words] = JSON.parse(check).map(here)
  return spawnSync(program, words, { ...asUser(), stdio: 'inherit' }).status
}
expect(healthcheck() === 0, `the service must be healthy; it printed:\n${printed}`)
const stored = readdirSync(places['/data'])
expect(stored.includes('d1') && stored.includes('operator.key'), 'the data must be in the volume')
service.kill('SIGTERM')
expect((await ended) === 0, 'the service must end with 0 when it is told to stop')
expect(healthcheck() === 1, 'a service that is stopped must not be healthy')
console.log('1 passed, 0 failed')

/** The instructions of a Dockerfile: lines that end in a backslash go on. */
function instructions(text) {
  const lines = text
    .replace(/^#.*\n/gm, '')
    .replace(/\\\n\s*/g, '')
    .split('\n')
  return lines
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [, name, value] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? fail(`a line of the Dockerfile cannot be read: ${line}`)
      return { name, value }
    })
}

/** Returns the build context: the files of the repository without those in .dockerignore. */
function contextFiles() {
  const { stdout } = spawnSync('git', ['ls-files', '-z', '--cached', '--others'], {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  })
  const ignored = readFileSync(path.join(ROOT, '.dockerignore'), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
  const isIgnored = (file) =>
    ignored.some((name) =>
      name.startsWith('**/*') ? file.endsWith(name.slice(4)) : file === name || file.startsWith(`${name}/`),
    )
  return stdout.split('\0').filter((file) => file !== '' && !isIgnored(file))
}

function copy(words) {
  const to = words.at(-1)
  expect(to === './' || to === '.', 'COPY must copy into the working directory')
  for (const from of words.slice(0, -1)) {
    for (const file of context.filter((name) => from === '.' || name === from)) {
      cpSync(path.join(ROOT, file), path.join(places[image.WORKDIR], file), { recursive: true })
    }
  }
}

function run(line) {
  // There need be no such user here; and the cache of npm is that of this machine.
  const command = here(line)
    .replace(/ --(?:owner|group)=node/g, '')
    .replace(/ && npm cache clean --force/, '')
  const { status } = spawnSync('sh', ['-c', command], {
    cwd: places[image.WORKDIR],
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  expect(status === 0, `RUN ${line} failed`)
  if (isRoot && existsSync(places['/data'])) chownSync(places['/data'], NOBODY, NOBODY)
}

/** A word of the image with the places and the port of this machine. */
function here(word) {
  return word.replace(/(?<![\w.:])\/(?:app|data)\b/g, (place) => places[place]).replaceAll('8787', String(port))
}

/** Somebody who may write nothing of the image, where that can be had. */
function asUser() {
  const env = { PATH: process.env.PATH, HOME: '/nonexistent' }
  return { cwd: places[image.WORKDIR], env, ...(isRoot && { uid: NOBODY, gid: NOBODY }) }
}

function expect(isTrue, what) {
  if (!isTrue) fail(what)
}

function fail(what) {
  console.error(`container: ${what}`)
  process.exit(1)
}

function freePort() {
  return new Promise((resolve) => {
    const server = net.createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })
}
