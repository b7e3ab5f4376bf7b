import type { TestProject } from 'vitest/node'
import startSharedService from '../../../contract/support/global-setup.ts'
import { missingFirefox } from './firefox.ts'
import { missingWebkit } from './webkit.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The packages to install for each browser; undefined if it is there. */
    missingEngines: { firefox: string | undefined; webkit: string | undefined }
  }
}

/** Finds the browsers, and starts the service that the tests share. */
export default function setup(project: TestProject): Promise<() => Promise<void>> {
  const missing = { firefox: missingFirefox(), webkit: missingWebkit() }
  for (const [name, install] of Object.entries(missing)) {
    if (install !== undefined) console.info(`the tests in ${name} are skipped: ${install}`)
  }
  project.provide('missingEngines', missing)
  return startSharedService(project)
}
