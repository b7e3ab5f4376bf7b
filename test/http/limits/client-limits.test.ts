import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, test, vi } from 'vitest'
import { handleRequest } from '../../../src/app.ts'
import { CLIENT_LIMITS } from '../../../src/domain/settings/client-limits.ts'
import type { Bindings } from '../../../src/env.ts'

test('nobody is rejected while the limiter is unreachable', async () => {
  const RATE_LIMITER = {
    getByName: () => ({
      take: async () => {
        throw new Error('planted: the object is gone')
      },
    }),
  }
  const bindings: object = { CLIENT_LIMITS: 'galleries=1', RATE_LIMITER }
  for (let i = 0; i < 3; i++) expect((await createGallery('192.0.2.2', bindings)).status).toBe(200)
})

test('a client without a known address is not limited, because it would share its limits with all others', async () => {
  for (let i = 0; i < 3; i++)
    expect((await createGallery(undefined, { CLIENT_LIMITS: 'galleries=1' })).status).toBe(200)
})

test('unreadable settings leave the built-in limits in force, and log one line', async () => {
  const lines = vi.spyOn(console, 'error').mockImplementation(() => {})
  for (let i = 0; i < 3; i++)
    expect((await createGallery('192.0.2.3', { CLIENT_LIMITS: 'uploads=many' })).status).toBe(200)
  // Requests of other files may log in the meantime.
  expect(lines.mock.calls.filter(([line]) => String(line).startsWith('the limits of'))).toEqual([
    [
      `the limits of src/limits.ts hold: CLIENT_LIMITS must be "off" or a list of ${CLIENT_LIMITS.join(', ')} such as "uploads=5000,covers=off": received "uploads=many"`,
    ],
  ])
  lines.mockRestore()
})

async function createGallery(address: string | undefined, bindings: object): Promise<Response> {
  const request = new Request('https://api.d.example/galleries', {
    method: 'POST',
    headers: address === undefined ? {} : { 'CF-Connecting-IP': address },
  })
  const context = createExecutionContext()
  const all: Bindings = { ...env, PUBLIC_DOMAINS: 'd.example', ...bindings }
  const response = await handleRequest(request, all, context)
  await waitOnExecutionContext(context)
  return response
}
