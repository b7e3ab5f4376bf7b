import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { apiAt, mayStartServices } from './support/api.ts'
import { startService } from './support/service.ts'
import { createGallery, statusOf, uploadImage } from './support/steps.ts'

/** D1: `--port`, `--domains`, and a clean end by SIGTERM. */
describe.skipIf(!mayStartServices())('the start command (needs services of its own)', () => {
  test('other public domains; without localhost among them it is a host like any unknown one', async () => {
    const service = await startService({ domains: ['first.example', 'second.example'] })
    const api = apiAt(service.baseUrl)
    const host = `localhost:${service.port}`
    expect((await uploadImage(api, {}, { host: 'api.second.example' })).showUrl).toMatch(/^https:\/\/second\.example\//)
    expect((await uploadImage(api, {}, { host: 'one.example' })).showUrl).toMatch(/^https:\/\/first\.example\//)
    const { showUrl } = await uploadImage(api, {}, { host })
    expect(showUrl).toMatch(/^https:\/\/first\.example\//)
    const path = new URL(showUrl).pathname
    expect(await statusOf(api, showUrl)).toBe('available')
    expect(await statusOf(api, `https://one.example${path}`)).toBe('invalid')
    expect(await statusOf(api, `http://${host}${path}`)).toBe('invalid')
    expect((await createGallery(api, '', { host: 'www.second.example' })).url).toMatch(/^https:\/\/second\.example\//)

    expect(await service.stop()).toBe(0)
    expect(await listens(service.port)).toBe(false)
  })

  test('two services do not know each other', async () => {
    const [first, second] = await Promise.all([startService(), startService()])
    const { showUrl } = await uploadImage(apiAt(first.baseUrl))
    expect(await statusOf(apiAt(first.baseUrl), showUrl)).toBe('available')
    expect(await statusOf(apiAt(second.baseUrl), showUrl)).toBe('not_found')
    await Promise.all([first.stop(), second.stop()])
  })
})

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}
