import type { TestProject } from 'vitest/node'
import startSharedService from '../../contract/support/global-setup.ts'
import { type Chromium, findChromium } from './chromium.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Absent if this machine has no browser, which was printed. */
    chromium: Chromium | undefined
  }
}

/** Finds a browser, and starts the service that all browser tests share. */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const chromium = await findChromium()
  if ('missing' in chromium) {
    console.info(`the tests in a browser are skipped: ${chromium.missing}`)
    project.provide('chromium', undefined)
    project.provide('missing', chromium.missing)
    return undefined
  }
  project.provide('chromium', chromium)
  return startSharedService(project)
}
