import { appendFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { localTime } from '../../cli/src/times.ts'
import { SMALL_PNG } from '../contract/support/steps.ts'
import { folderWith } from './support/folder.ts'
import { startProxy } from './support/proxy.ts'
import { runCli } from './support/run-cli.ts'

const HOUR_MS = 3_600_000

/** Expects a time of the API that is about an hour away, and returns it as it is printed. */
function anHourAway(text: unknown): string {
  const time = Date.parse(String(text))
  expect(time).toBeGreaterThan(Date.now() + HOUR_MS - 60_000)
  expect(time).toBeLessThan(Date.now() + HOUR_MS + 2000)
  return localTime(String(text))
}

test('images and covers expire by themselves, and the command says when', async () => {
  const cwd = await folderWith({ 'a.png': SMALL_PNG })
  for (const command of ['upload', 'cover']) {
    const { code, stdout, stderr } = await runCli([command, 'a.png', '--expires-in', '1h', '--json'], { cwd })
    expect(code).toBe(0)
    const body = JSON.parse(stdout)
    expect(stderr).toContain(`the host deletes it at ${anHourAway((body.images?.[0] ?? body).expires_at)}\n`)
  }
  expect((await runCli(['upload', 'a.png'], { cwd })).stderr).not.toContain('deletes')
})

test('a gallery expires with its images, also by the setting', async () => {
  const proxy = await startProxy()
  const cwd = await folderWith({ 'a.png': SMALL_PNG, 'b.png': SMALL_PNG, config: 'expires-in = 60m\n' })
  const env = { TINTYPE_CONFIG: join(cwd, 'config') }
  const args = ['upload', 'a.png', 'b.png', '--gallery', '--json', '--url', proxy.url]
  const { code, stdout, stderr } = await runCli(args, { cwd, env })
  const { gallery, images } = JSON.parse(stdout)
  expect(code).toBe(0)
  expect(stderr).toContain(`the host deletes it at ${anHourAway(gallery.expires_at)}\n`)
  // A time of their own would end them before their gallery.
  expect(images[0]).not.toHaveProperty('expires_at')
  expect(proxy.requests.map(({ body }) => body.includes('expires_in'))).toEqual([true, false, false, false])
  const stays = await runCli([...args, '--no-expires-in'], { cwd, env })
  expect(JSON.parse(stays.stdout).gallery).not.toHaveProperty('expires_at')
})

test('a host that does not promise it is a failure, although the image is uploaded', async () => {
  const upload = {
    name: 'a.png',
    show_url: 'http://a.example/show/1/2_a.png',
    th_url: 'http://a.example/thumbs/1/2_a.png',
  }
  const { url } = await startProxy(() => ({ status: 200, body: JSON.stringify(upload) }))
  const cwd = await folderWith({ 'a.png': SMALL_PNG })
  for (const command of ['upload', 'cover']) {
    expect(await runCli([command, 'a.png', '--expires-in', '1h', '--url', url, '-q'], { cwd })).toMatchObject({
      code: 1,
      lines: [upload.show_url],
      stderr: 'the host does not delete uploads after a time: this one stays (--expires-in)\n',
    })
  }
})

test('the history says until when uploads stay, and which have expired', async () => {
  const cwd = await folderWith({ 'a.png': SMALL_PNG, 'b.png': SMALL_PNG })
  const file = join(cwd, 'state/tintype/history.jsonl')
  const run = (...args: string[]) => runCli(args, { cwd, env: { XDG_STATE_HOME: join(cwd, 'state') } })
  await run('upload', 'a.png', '--expires-in', '1h', '--history', 'private')
  await run('upload', 'b.png', '--gallery=Trip', '--expires-in', '1h', '--history', 'links')
  const last = readFileSync(file, 'utf8').trim().split('\n').at(-1) ?? ''
  const old = { ...JSON.parse(last), url: 'http://a.example/show/1/2_a.png', expiresAt: '2026-01-02T03:04:05Z' }
  appendFileSync(file, `${JSON.stringify({ ...old, manageUrl: `http://a.example/manage/${'t'.repeat(43)}` })}\n`)

  const { uploads } = JSON.parse((await run('history', '--json')).stdout)
  const until = anHourAway(uploads[0].expires_at)
  expect(uploads.map(({ deletable }: { deletable: boolean }) => deletable)).toEqual([true, false, false, false])
  const kinds = (await run('history')).lines.map((line) => line.trim().split(/ {2,}/)[2])
  // The image of a gallery goes with it.
  expect(kinds).toEqual([
    `image, until ${until}`,
    expect.stringContaining('gallery, until '),
    `image, ${kinds[1]?.slice('gallery, '.length)}`,
    'expired',
  ])
  expect(await run('history', 'delete', '4', '--yes')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('not deleted (4): it has expired, so the host has deleted it'),
  })
})
