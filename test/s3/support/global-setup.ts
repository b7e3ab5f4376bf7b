import type { TestProject } from 'vitest/node'
import { fail } from '../../../tools/install/installed.mjs'
import { missingCeph, startCeph } from './ceph.ts'
import { missingSwift, type Swift, startSwift } from './swift.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The addresses of real S3 servers; empty if the machine lacks one. */
    s3Endpoints: { swift: string; ceph: string }
  }
}

/** Starts the servers for all tests of a project. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const missing = missingCeph()
  if (missing !== undefined) console.log(`tests with conditional puts are skipped: they need Ceph (${missing})`)
  const ceph = missing === undefined ? await startCeph() : undefined
  const swift = await startForRun()
  project.provide('s3Endpoints', { swift: swift.endpoint, ceph: ceph?.endpoint ?? '' })
  return async () => {
    await swift[Symbol.asyncDispose]()
    await ceph?.[Symbol.asyncDispose]()
  }
}

/** Starts Swift. Ends the run with a sentence if it is missing. */
export async function startForRun(): Promise<Swift> {
  const missing = missingSwift()
  if (missing !== undefined) fail(`npm run tintype -- test:s3 needs a real S3 server: ${missing}`)
  return startSwift()
}
