import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import startService from '../../../contract/support/global-setup.ts'
import { installPackages } from '../../../support/packages.ts'
import bundleCli from '../../support/global-setup.ts'

/** Installs the programs if necessary, bundles the command line, and starts the service that the tests share. */
export default function setup(project: TestProject): ReturnType<typeof startService> {
  const failure = installPackages(join(import.meta.dirname, '..'))
  if (failure !== undefined) throw new Error(failure)
  bundleCli()
  return startService(project)
}
