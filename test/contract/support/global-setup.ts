import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { clearCreated } from './created.ts'
import { makeMigratedData, startService } from './service.ts'
import { findTarget, type Target } from './target.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Address of the service under test. */
    baseUrl: string
    /** The service that somebody else runs; absent where it is one of our own, made to be tested. */
    target: Target | undefined
    /** The reason why all tests of a project are skipped: a program that this machine has not, and how to install it. */
    missing?: string
  }
}

/** Starts the one service that the tests share, or takes the running one of CONFORMANCE_URL, and leaves nothing there. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { CONFORMANCE_URL: url, CONFORMANCE_DOMAINS: domains } = process.env
  if (url !== undefined) return visit(project, url, domains)
  const service = await startService({ byCommand: true })
  makeMigratedData()
  project.provide('baseUrl', service.baseUrl)
  project.provide('target', undefined)
  return async () => {
    await service.stop()
  }
}

async function visit(project: TestProject, url: string, domains: string | undefined): Promise<() => Promise<void>> {
  const createdFile = join(mkdtempSync(join(tmpdir(), 'tintype-conformance-')), 'created.jsonl')
  const target = await findTarget(url, domains, createdFile)
  project.provide('baseUrl', target.baseUrl)
  project.provide('target', target)
  return async () => {
    const { deleted, removed, left } = await clearCreated(target.baseUrl, target.host, createdFile)
    console.log(`\nDeleted all that the tests made: ${deleted} by management token, ${removed} empty galleries.`)
    if (left.length === 0) return
    process.exitCode = 1
    console.log(`Not deleted (see ${createdFile}):\n${left.map((line) => `  ${line}`).join('\n')}`)
  }
}
