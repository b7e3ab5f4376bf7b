import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')

/** Installs the packages of a folder's lock file if necessary. Returns a sentence if that fails. */
export function installPackages(folder: string): string | undefined {
  const lock = join(folder, 'package-lock.json')
  // npm writes this file last, so an interrupted install is repeated.
  const installed = join(folder, 'node_modules', '.package-lock.json')
  if (existsSync(installed) && versions(installed) === versions(lock)) return undefined
  const shown = relative(ROOT, folder)
  console.info(`installing the packages of ${shown}/package-lock.json ...`)
  const npm = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: folder,
    encoding: 'utf8',
  })
  return npm.status === 0 ? undefined : `npm ci failed in ${shown}: ${npm.stderr?.trim() || npm.error?.message}`
}

function versions(lock: string): string {
  const { packages } = JSON.parse(readFileSync(lock, 'utf8'))
  return Object.entries<{ version: string }>(packages)
    .filter(([path]) => path !== '')
    .map(([path, { version }]) => `${path} ${version}`)
    .sort()
    .join('\n')
}
