// Runs the steps of the Dockerfile on this machine, in a folder of its own, and then the service as compose.yaml says: a user
// without capabilities, on a read-only root. It must be healthy by its HEALTHCHECK and stop on SIGTERM.
import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, chownSync, cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

const ROOT = path.resolve(import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname), '..')
const NOBODY = 65534
const isRoot = process.getuid?.() === 0
/** Whether commands can run without a network. */
const hasOwnNetwork = spawnSync('unshare', [...(isRoot ? [] : ['--map-root-user']), '--net', 'true']).status === 0
/** Keys of the Compose specification that a service may have here. */
const COMPOSE_KEYS = [
  ...['build', 'image', 'command', 'ports', 'volumes', 'read_only', 'tmpfs', 'cap_drop', 'security_opt', 'init'],
  ...['mem_limit', 'cpus', 'pids_limit', 'stop_grace_period', 'restart', 'logging'],
]

// /tmp is empty in the container, and the folder for temporary files of this user may be closed to others.
const work = mkdtempSync('/var/tmp/tintype-container-')
chmodSync(work, 0o755)
/** Folders of this machine, by the paths of the image. */
const folders = { '/app': path.join(work, 'app'), '/data': path.join(work, 'data') }
/** The image's Node.js reads TypeScript. Here the one among the packages does. */
const PATH = [path.join(folders['/app'], `node_modules/node-linux-${process.arch}/bin`), process.env.PATH].join(':')
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
  const isThere = existsSync(path.join(folders['/app'], file))
  expect(isThere === file.startsWith('generated'), `${file} must ${isThere ? 'not ' : ''}be in the image`)
}

const { services, volumes } = readYaml(readFileSync(path.join(ROOT, 'compose.yaml'), 'utf8'))
const composed = services.tintype
expect(composed.build === '.' && 'data' in volumes, 'compose.yaml must build this image and keep its data in a volume')
const unknown = Object.keys(composed).filter((key) => !COMPOSE_KEYS.includes(key))
expect(unknown.length === 0, `compose.yaml has keys that are not tested here: ${unknown}`)
expect(composed.volumes.join() === `data:${image.VOLUME}`, 'compose.yaml must mount the volume of the image')
expect(composed.ports.join() === `127.0.0.1:8787:${image.EXPOSE}`, 'compose.yaml must publish on the loopback address')
expect(
  /^\d+g$/.test(composed.mem_limit) && composed.cpus > 0 && composed.pids_limit > 0,
  'compose.yaml must have limits',
)
// The service finishes requests for 10 s at most, and then its databases.
expect(Number.parseInt(composed.stop_grace_period, 10) >= 20, 'compose.yaml must leave time to stop')

const confinement = findConfinement()
const command = [...JSON.parse(image.ENTRYPOINT), ...composed.command].map(here)
const [program, ...args] = confinement === undefined ? command : [...confinement, ...command]
service = spawn(program, args, {
  ...(confinement === undefined ? asUser() : inImage()),
  stdio: ['ignore', 'pipe', 'pipe'],
})
let printed = ''
for (const stream of [service.stdout, service.stderr]) stream.on('data', (text) => (printed += text))
const ended = new Promise((resolve) => service.once('exit', resolve))
for (let tries = 240; !printed.includes('Tintype serves') && tries > 0; tries--) {
  if (service.exitCode !== null) fail(`the service ended:\n${printed}`)
  await wait(250)
}
const [, check] = /^(?:--\S+\s+)*CMD\s+(.*)$/s.exec(image.HEALTHCHECK) ?? fail('HEALTHCHECK must be a CMD')
const healthcheck = () => {
  const [name, ...words] = JSON.parse(check).map(here)
  return spawnSync(name, words, { ...asUser(), stdio: 'inherit' }).status
}
expect(healthcheck() === 0, `the service must be healthy; it printed:\n${printed}`)
const upload = await uploadImage()
expect(upload.status === 200, `an upload must succeed: ${upload.status} ${await upload.text()}`)
if (confinement !== undefined)
  expect(isConfined(service.pid), 'the service must have no capabilities and a read-only root')
const stored = readdirSync(folders['/data'])
expect(stored.includes('d1') && stored.includes('operator.key'), 'the data must be in the volume')
service.kill('SIGTERM')
expect((await ended) === 0, 'the service must end with 0 when it is told to stop')
expect(healthcheck() === 1, 'a service that is stopped must not be healthy')
console.log('1 passed, 0 failed')

/**
 * Returns the command that starts another as a container of compose.yaml does: read-only root, empty /tmp, no capabilities.
 * Returns undefined where this user or this kernel cannot have mounts of its own.
 */
function findConfinement() {
  expect(composed.read_only === true && composed.cap_drop.join() === 'ALL', 'compose.yaml must confine the service')
  expect(composed.security_opt.join() === 'no-new-privileges:true', 'compose.yaml must refuse new privileges')
  const [folder, options] = composed.tmpfs.join().split(/:(.*)/)
  const mounts = [
    `mount --bind ${folders['/data']} ${folders['/data']}`,
    `mount -t tmpfs -o ${options} tmpfs ${folder}`,
    'mount -o remount,bind,ro /',
  ]
  const user = isRoot ? ['--reuid', String(NOBODY), '--regid', String(NOBODY), '--clear-groups'] : []
  const command = ['unshare', '--mount', ...(isRoot ? [] : ['--map-root-user']), 'sh', '-euc']
  const drop = ['setpriv', ...user, '--no-new-privs', '--inh-caps=-all', '--bounding-set=-all']
  const confined = [...command, `${mounts.join('\n')}\nexec "$@"`, 'sh', ...drop]
  const [program, ...args] = [...confined, 'true']
  const { status, stderr, error } = spawnSync(program, args, { encoding: 'utf8' })
  if (status === 0) return confined
  console.log(`container: read-only root not tested, because mounts fail here: ${error?.message ?? stderr}`)
  return undefined
}

/** Whether a process has no capability, cannot gain any, and sees a read-only root. */
function isConfined(pid) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const mounted = readFileSync(`/proc/${pid}/mountinfo`, 'utf8').split('\n')
  const root = mounted.find((line) => line.split(' ')[4] === '/')
  return (
    /^CapBnd:\t0+$/m.test(status) &&
    /^CapEff:\t0+$/m.test(status) &&
    /^NoNewPrivs:\t1$/m.test(status) &&
    / ro[, ]/.test(root ?? '')
  )
}

function uploadImage() {
  const form = new FormData()
  const photo = readFileSync(path.join(ROOT, 'test/fixtures/valid/jpeg/upright-with-everything.jpg'))
  form.append('img', new Blob([photo]), 'photo.jpg')
  form.append('content_type', '0')
  return fetch(`http://127.0.0.1:${port}/images`, { method: 'POST', body: form, headers: { Host: 'localhost' } })
}

/**
 * Reads the part of YAML that compose.yaml uses: mappings by indentation, and flow sequences and mappings of scalars. A line of
 * another form fails.
 */
function readYaml(text) {
  const root = {}
  const open = [{ indent: -1, mapping: root }]
  for (const line of text.split('\n')) {
    if (/^\s*(?:#.*)?$/.test(line)) continue
    const [, indent, key, value] =
      /^( *)([\w-]+):(?: (.+))?$/.exec(line) ??
      fail(`compose.yaml has a line of a form that is not known here: ${line}`)
    while (open.at(-1).indent >= indent.length) open.pop()
    const { mapping } = open.at(-1)
    mapping[key] = value === undefined ? {} : readScalar(value)
    if (value === undefined) open.push({ indent: indent.length, mapping: mapping[key] })
  }
  return root
}

function readScalar(text) {
  const [, items] = /^\[(.*)\]$/.exec(text) ?? []
  if (items !== undefined) return items.split(', ').map(readScalar)
  const [, members] = /^\{ (.*) \}$/.exec(text) ?? []
  if (members !== undefined) return Object.fromEntries(members.split(', ').map((member) => member.split(': ')))
  const [, quoted] = /^'([^']*)'$/.exec(text) ?? []
  if (quoted !== undefined) return quoted
  if (text === 'true' || text === 'false') return text === 'true'
  return /^\d+$/.test(text) ? Number(text) : text
}

/** Returns the instructions of a Dockerfile. A backslash continues a line. */
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

/** Files are copied to where they are in the repository. */
function copy(words) {
  const to = path.join('.', words.at(-1), '.')
  for (const from of words.slice(0, -1)) {
    expect(from === '.' || path.dirname(from) === to, `COPY must keep the folder of ${from}`)
    for (const file of context.filter((name) => from === '.' || name === from)) {
      cpSync(path.join(ROOT, file), path.join(folders[image.WORKDIR], file), { recursive: true })
    }
  }
}

function run(line) {
  // This machine need not have the user, and the npm cache is its own.
  const command = here(line)
    .replace(/ --(?:owner|group)=node/g, '')
    .replace(/ && npm cache clean --force/, '')
  // The build needs the registry of npm and nothing else of the network.
  const isolated =
    command.startsWith('npm ') || !hasOwnNetwork ? [] : ['unshare', ...(isRoot ? [] : ['--map-root-user']), '--net']
  const [program, ...args] = [...isolated, 'sh', '-c', command]
  const { status } = spawnSync(program, args, {
    cwd: folders[image.WORKDIR],
    env: { ...process.env, PATH },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  expect(status === 0, `RUN ${line} failed`)
  if (isRoot && existsSync(folders['/data'])) chownSync(folders['/data'], NOBODY, NOBODY)
}

/** Replaces the paths and the port of the image by those of this machine. */
function here(word) {
  return word.replace(/(?<![\w.:])\/(?:app|data)\b/g, (folder) => folders[folder]).replaceAll('8787', String(port))
}

/** Returns the options that run a process as a user without write access to the image, if this process is root. */
function asUser() {
  return { ...inImage(), ...(isRoot && { uid: NOBODY, gid: NOBODY }) }
}

function inImage() {
  return { cwd: folders[image.WORKDIR], env: { PATH, HOME: '/nonexistent' } }
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
