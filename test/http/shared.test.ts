import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, test } from 'vitest'
import { handleRequest } from '../../src/app.ts'
import type { Bindings } from '../../src/env.ts'
import { emptyStore, PIXEL_GIF, rows } from '../domain/store.ts'
import { faultyBindings } from '../support/faulty-bindings.ts'

beforeEach(emptyStore)

/** Shares files as phones without the service worker do; gives the answer's status once all that goes on after it has ended. */
async function share(files: readonly (Uint8Array<ArrayBuffer> | string)[], bindings: Bindings): Promise<number> {
  const body = new FormData()
  for (const [index, bytes] of files.entries()) body.append('img', new File([bytes], `${index}.gif`))
  const context = createExecutionContext()
  const { status } = await handleRequest(
    new Request('https://d.example/share', { method: 'POST', body }),
    bindings,
    context,
  )
  await waitOnExecutionContext(context)
  return status
}

/** The galleries that are public, or that maintenance would make so. */
const galleries = () => rows('SELECT id FROM galleries WHERE deleted_at IS NULL')

describe('what a phone shares and cannot be stored is no gallery', () => {
  const here = { ...env, PUBLIC_DOMAINS: 'd.example' }

  test('as none of it is a picture', async () => {
    expect(await share(['no', 'picture'], here)).toBe(414)
    expect(await galleries()).toEqual([])
  })

  test('as storage breaks off in the middle, and the pictures before that are not public', async () => {
    let files = 0
    const strikes = (_: number, name: string) => name === 'R2.put' && ++files > 2
    const { DB, FILES } = faultyBindings(env, { fault: 'throws before', strikes, message: 'R2: internal error' })
    expect(await share([PIXEL_GIF, PIXEL_GIF], { ...here, DB, FILES })).toBe(503)
    expect(await galleries()).toEqual([])
  })

  test('and is one where it can', async () => {
    expect(await share([PIXEL_GIF, PIXEL_GIF], here)).toBe(303)
    expect(await galleries()).toHaveLength(1)
  })
})
