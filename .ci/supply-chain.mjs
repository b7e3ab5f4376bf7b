// Writes generated/sbom.json, a CycloneDX list of the packages that serve, build and deploy, and queries the registry
// for known vulnerabilities. A registry without that service is reported, and does not fail the run.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const ROOT = path.resolve(import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname), '..')
const SBOM = path.join(ROOT, 'generated', 'sbom.json')

const lock = JSON.parse(readFileSync(path.join(ROOT, 'package-lock.json'), 'utf8')).packages
// Workspaces are in the lock file by their folders too, not only by their links.
const served = Object.entries(lock).filter(([path, { dev }]) => path.startsWith('node_modules/') && !dev)

writeSbom()
audit()
console.log('1 passed, 0 failed')

/**
 * `npm sbom --omit=dev` of npm 11 leaves out packages that a development dependency also needs. So the whole list is
 * requested, and packages for development alone are removed here.
 */
function writeSbom() {
  const sbom = JSON.parse(npm('sbom', '--package-lock-only', '--sbom-format=cyclonedx', '--sbom-type=application'))
  const references = new Set(
    served.map(([path, { link, resolved, version }]) => `${nameOf(path)}@${link ? lock[resolved].version : version}`),
  )
  sbom.components = sbom.components.filter((component) => references.has(component['bom-ref']))
  const listed = new Set([sbom.metadata.component, ...sbom.components].map((component) => component['bom-ref']))
  sbom.dependencies = sbom.dependencies
    .filter(({ ref }) => listed.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((one) => listed.has(one)) }))
  const missing = [...references].filter((reference) => !listed.has(reference))
  if (missing.length > 0) fail(`npm sbom does not list ${missing.join(', ')}`)
  mkdirSync(path.dirname(SBOM), { recursive: true })
  writeFileSync(SBOM, `${JSON.stringify(sbom, null, 2)}\n`)
  console.log(`${sbom.components.length} packages are listed in generated/sbom.json`)
}

function audit() {
  const { status, stdout, stderr } = spawnSync('npm', ['audit', '--omit=dev', '--audit-level=high', '--json'], {
    cwd: ROOT,
    encoding: 'utf8',
  })
  const report = parse(stdout)
  if (report?.metadata?.vulnerabilities === undefined) {
    console.log('npm audit: not looked at, since the registry did not respond')
    if (process.env.CI === 'true' && process.env.GITHUB_ACTIONS === 'true') fail(stderr)
    return
  }
  if (status !== 0) fail(`npm audit found vulnerabilities:\n${JSON.stringify(report.vulnerabilities, null, 2)}`)
}

/** Returns the name of a package from its path in the lock file: `node_modules/a/node_modules/@b/c` is `@b/c`. */
function nameOf(path) {
  return lock[path].name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
}

function npm(...args) {
  const { status, stdout, stderr } = spawnSync('npm', args, { cwd: ROOT, encoding: 'utf8', maxBuffer: 2 ** 26 })
  if (status !== 0) fail(`npm ${args.join(' ')} failed: ${stderr}`)
  return stdout
}

function parse(text) {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function fail(message) {
  console.error(`supply-chain: ${message}`)
  process.exit(1)
}
