import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const FOLDER = join(import.meta.dirname, '..')
const LOCK = join(FOLDER, 'package-lock.json')
// npm writes this file last, so an interrupted install is repeated.
const INSTALLED = join(FOLDER, 'node_modules', '.package-lock.json')

/** Installs the clients of this folder's lock file if necessary. Returns a sentence if that fails. */
export function installPackages(): string | undefined {
  if (existsSync(INSTALLED) && versions(INSTALLED) === versions(LOCK)) return undefined
  console.info('installing the published clients of test/clients/package-lock.json ...')
  const npm = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: FOLDER,
    encoding: 'utf8',
  })
  return npm.status === 0 ? undefined : `npm ci failed in test/clients: ${npm.stderr?.trim() || npm.error?.message}`
}

function versions(lock: string): string {
  const { packages } = JSON.parse(readFileSync(lock, 'utf8'))
  return Object.entries<{ version: string }>(packages)
    .filter(([path]) => path !== '')
    .map(([path, { version }]) => `${path} ${version}`)
    .sort()
    .join('\n')
}
