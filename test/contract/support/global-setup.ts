import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { clearCreated } from './created.ts'
import { makeMigratedData, startService } from './service.ts'
import { findTarget, type Target } from './target.ts'

declare module 'vitest' {
  interface ProvidedContext {
    baseUrl: string
    /** Another service under test; absent if it is one of our own. */
    target: Target | undefined
    /** Why all tests of a project are skipped: a missing program, and how to install it. */
    missing?: string
  }
}

/** Starts the service that the tests share, or uses the one at CONFORMANCE_URL. Leaves nothing behind. */
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
