// The deployment that a command is for. A command that cannot tell refuses: it could take production for staging.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { ROOT } from '../install/installed.mjs'
import { parseAs } from '../shared/json.ts'
import { GENERATED } from '../shared/when-changed.ts'
import { configFileOf, parseDeployment, WRANGLER_CONFIG, type WranglerConfig } from './deployment.ts'

const CONFIG_FILE = /^wrangler-([a-z0-9-]+)\.json$/

/**
 * Returns the deployment that is named, by its Worker or by its file, or the only one. Throws a sentence where there is none, or where
 * there are several and none is named. `file` is wrangler's configuration.
 */
export function findDeployed({ name, deployment }: { name?: string | undefined; deployment?: string | undefined }): {
  name: string
  file: string
  config: WranglerConfig
} {
  const wanted = deployment === undefined ? name : nameIn(deployment)
  if (name !== undefined && wanted !== name) {
    throw new Error(`${deployment} is the deployment "${wanted}", not "${name}"`)
  }
  const names = deployedNames()
  const [first, second] = names
  if (first === undefined) throw new Error('nothing was deployed from this folder yet: npm run deploy')
  if (wanted === undefined && second !== undefined) {
    throw new Error(
      `there are ${names.length} deployments. Say which: ${names.map((one) => `--name ${one}`).join(', ')}`,
    )
  }
  const found = wanted ?? first
  if (!names.includes(found)) {
    throw new Error(
      `"${found}" was not deployed from this folder: npm run deploy writes what is needed. There is ${names.join(', ')}`,
    )
  }
  const file = configFileOf(found)
  return { name: found, file, config: parseAs(WRANGLER_CONFIG, readFileSync(file, 'utf8')) }
}

/** Returns the names of the Workers that were deployed from this folder. */
export function deployedNames() {
  if (!existsSync(GENERATED)) return []
  return readdirSync(GENERATED)
    .flatMap((file) => CONFIG_FILE.exec(file)?.[1] ?? [])
    .toSorted()
}

function nameIn(deployment: string) {
  const file = path.resolve(deployment)
  if (!existsSync(file)) throw new Error(`there is no file ${path.relative(ROOT, file)}`)
  const { name } = parseDeployment(readFileSync(file, 'utf8'))
  return name ?? 'my-tintype'
}
