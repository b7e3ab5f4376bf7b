import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { apiAt, mayStartServices } from './support/api.ts'
import { runCommand, scriptOf } from './support/command.ts'
import { inDatabase } from './support/database.ts'
import { jpeg, photo } from './support/images.ts'
import { file } from './support/multipart-body.ts'
import type { Uploaded } from './support/responses.ts'
import { freePort, type Service, startService, temporaryData } from './support/service.ts'
import { previewUrlOf, uploadImage } from './support/steps.ts'

const LARGE = photo(1300, 500)

describe.skipIf(!mayStartServices())(
  'PREVIEWS=off, and npm run tintype -- previews (need services of their own)',
  () => {
    let data: Awaited<ReturnType<typeof temporaryData>>
    let without: Uploaded[]
    let service: Service
    const statuses = (own = apiAt(service.baseUrl)) =>
      Promise.all(without.map(async (image) => (await own.follow(atService(previewUrlOf(image)))).status))
    const atService = (url: string) => service.baseUrl + new URL(url).pathname
    const optionsOf = ({ port }: Pick<Service, 'port'>) => ['--port', String(port), '--data', data.path]

    beforeAll(async () => {
      data = await temporaryData()
      service = await startService({ data: data.path, args: ['--previews', 'off'] })
      const own = apiAt(service.baseUrl)
      const img = file('picture', await jpeg(LARGE))
      without = [await uploadImage(own, { img }), await uploadImage(own, { img }), await uploadImage(own, { img })]
    })
    afterAll(async () => {
      await service.stop()
      await data.remove()
    })

    test('while they are off, those of large images are 404, and a small image is its own', async () => {
      const own = apiAt(service.baseUrl)
      expect(await statuses()).toEqual([404, 404, 404])
      expect((await own.follow(previewUrlOf(await uploadImage(own)))).status).toBe(200)
      const refused = await runCommand('previews', optionsOf(service))
      expect([refused.code, refused.stderr]).toEqual([
        1,
        expect.stringContaining('PREVIEWS is off: set it to on first'),
      ])
    })

    test('a run that is killed after an image continues with the next; an image without its original is reported', async () => {
      await service.stop()
      service = await startService({ data: data.path })
      expect(await statuses()).toEqual([404, 404, 404])
      const state = join(data.path, 'previews.place')
      const child = spawn(process.execPath, [
        scriptOf('previews'),
        ...optionsOf(service),
        '--state',
        state,
        '--rest',
        '9999',
      ])
      await vi.waitUntil(() => existsSync(state), { timeout: 120_000, interval: 50 })
      child.kill('SIGKILL')
      await once(child, 'exit')
      expect(await statuses()).toEqual([200, 404, 404])
      await service.stop()

      // As if the run had been killed between file and record, of images that are older than the column of animations.
      inDatabase(data.path, (database) =>
        database.exec('UPDATE images SET preview_bytes = NULL, preview_media_type = NULL, animated = NULL'),
      )
      const lost = new URL(without[2]?.originalUrl ?? '').pathname.slice(1)
      rmSync(join(data.path, 'files', lost))
      const again = await runCommand('previews', optionsOf({ port: await freePort() }))
      expect(again.stdout).toMatch(
        new RegExp(`^missing ${lost} of \\S+\n4 images: 2 previews made \\(.*\\), 1 missing, 0 unreadable.\n$`),
      )
      expect(again.code).toBe(1)
      const animated = inDatabase(data.path, (database) =>
        database.prepare('SELECT count(*) AS n FROM images WHERE animated = 0').get(),
      )
      expect(animated?.n).toBe(2)
      service = await startService({ data: data.path })
      expect(await statuses()).toEqual([200, 200, 404])
      const from = await runCommand('previews', [...optionsOf(service), '--state', state])
      expect(from.stdout).toContain('0 previews made')
      const reconciled = await runCommand('reconcile', optionsOf(service))
      expect(reconciled.stdout).toContain('0 orphans, 1 missing')
    })
  },
)
