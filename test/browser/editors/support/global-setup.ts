import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { installPackages } from '../../../support/packages.ts'
import startBrowserTests from '../../support/global-setup.ts'

/** Installs the editors if necessary, and starts the service that the tests share. */
export default function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const failure = installPackages(join(import.meta.dirname, '..'))
  if (failure !== undefined) throw new Error(failure)
  return startBrowserTests(project)
}
