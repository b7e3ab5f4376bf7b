import type { TestProject } from 'vitest/node'
import { fail } from '../../../scripts/installed.mjs'
import { missingSwift, type Swift, startSwift } from './swift.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The address of a real S3 server. */
    s3Endpoint: string
  }
}

/** Starts a server for all tests of a project. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const swift = await startForRun()
  project.provide('s3Endpoint', swift.endpoint)
  return () => swift[Symbol.asyncDispose]()
}

/** Starts a server. Ends the run with a sentence where there is none. */
export async function startForRun(): Promise<Swift> {
  const missing = missingSwift()
  if (missing !== undefined) fail(`npm run test:s3 needs a real S3 server: ${missing}`)
  return startSwift()
}
