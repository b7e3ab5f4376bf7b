import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, test } from 'vitest'
import { handleRequest } from '../../src/app.ts'
import type { Bindings } from '../../src/env.ts'
import { emptyStore, PIXEL_GIF, rows } from '../domain/store.ts'
import { faultyBindings } from '../support/faulty-bindings.ts'

beforeEach(emptyStore)

/**
 * Shares files like phones without the service worker. Returns the status of the response once all work after it has
 * ended.
 */
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

/** Returns the galleries that are public, or that maintenance would publish. */
const galleries = () => rows('SELECT id FROM galleries WHERE deleted_at IS NULL')

describe('files that a phone shares and that cannot be stored create no gallery', () => {
  const here = { ...env, PUBLIC_DOMAINS: 'd.example' }

  test('if none of it is an image', async () => {
    expect(await share(['no', 'picture'], here)).toBe(414)
    expect(await galleries()).toEqual([])
  })

  test('if storage fails in the middle, and the earlier images are not public', async () => {
    let files = 0
    const strikes = (_: number, name: string) => name === 'R2.put' && ++files > 2
    const { DB, FILES } = faultyBindings(env, { fault: 'throws before', strikes, message: 'R2: internal error' })
    expect(await share([PIXEL_GIF, PIXEL_GIF], { ...here, DB, FILES })).toBe(503)
    expect(await galleries()).toEqual([])
  })

  test('a gallery is created if they can be stored', async () => {
    expect(await share([PIXEL_GIF, PIXEL_GIF], here)).toBe(303)
    expect(await galleries()).toHaveLength(1)
  })
})
