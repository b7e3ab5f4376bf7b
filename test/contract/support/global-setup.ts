import type { TestProject } from 'vitest/node'
import { startService } from './service.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the service under test answers. */
    baseUrl: string
    /** False for a service somebody else runs: tests that restart it are then skipped. */
    mayStartServices: boolean
  }
}

/**
 * Starts the one service that the contract tests share, or takes the running one of TINTYPE_URL, whose address is
 * http and which was started with `--domains one.example,two.example,three.example,localhost`.
 */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const given = process.env.TINTYPE_URL
  project.provide('mayStartServices', given === undefined)
  if (given !== undefined) {
    console.info(`the service at ${given} is somebody else's: the tests that need services of their own are skipped`)
    project.provide('baseUrl', given.replace(/\/$/, ''))
    return undefined
  }
  const service = await startService()
  project.provide('baseUrl', service.baseUrl)
  return async () => {
    await service.stop()
  }
}
