import { describe, expect, test } from 'vitest'
import { sharedApi } from '../contract/support/api.ts'
import { createGallery, galleryWithImage, SMALL_PNG, statusOf, uploadImage } from '../contract/support/steps.ts'
import { folderWith } from './support/folder.ts'
import { startProxy } from './support/proxy.ts'
import { runCli } from './support/run-cli.ts'

const api = sharedApi()
const UNKNOWN = `-${'a'.repeat(42)}`

describe('rename', () => {
  test.for([
    ['by its link', (link: string) => link],
    ['by its token alone', (link: string) => link.split('/').at(-1) ?? ''],
  ] as const)('%s', async ([, asGiven]) => {
    const gallery = await createGallery(api, 'Before', { host: new URL(api.baseUrl).host })
    const { code, lines } = await runCli(['rename', asGiven(gallery.manageUrl ?? ''), '  Lago   di Garda '])
    expect({ code, lines }).toEqual({ code: 0, lines: [`renamed  ${gallery.url}  Lago di Garda`] })
  })

  test('JSON, and no name at all', async () => {
    const { managementToken, url } = await createGallery(api)
    const { stdout } = await runCli(['rename', managementToken, '', '--json'])
    expect(JSON.parse(stdout)).toMatchObject({ gallery_name: '', gallery_url: expect.stringContaining('/gallery/') })
    expect(stdout).toContain(new URL(url).pathname)
  })

  test("a name that is rejected: the host's sentence", async () => {
    const { managementToken } = await createGallery(api)
    expect(await runCli(['rename', managementToken, 'a<b'])).toMatchObject({
      code: 1,
      stdout: '',
      stderr: 'tintype-cli: gallery name must not contain angle brackets\n',
    })
  })
})

describe('delete', () => {
  test('images and galleries, one after the other; a failure does not stop the others', async () => {
    const image = await uploadImage(api, { include_manage_url: '1' })
    const { gallery, image: inside } = await galleryWithImage(api, { finalized: true })
    const tokens = [image.managementToken, UNKNOWN, image.managementToken, gallery.managementToken]
    const { code, lines, stderr } = await runCli(['delete', ...tokens, '--yes'])
    expect(code).toBe(1)
    expect(lines).toEqual(['deleted image (link 1)', 'deleted gallery (link 4)'])
    expect(stderr.split('\n')).toEqual([
      expect.stringMatching(/^not deleted \(link 2\): /),
      expect.stringMatching(/^not deleted \(link 3\): /),
      '',
    ])
    expect([await statusOf(api, image.showUrl), await statusOf(api, inside.showUrl)]).toEqual(['deleted', 'deleted'])
  })

  test('JSON', async () => {
    const { managementToken } = await uploadImage(api, { include_manage_url: '1' })
    const { code, stdout } = await runCli(['delete', managementToken, UNKNOWN, '--yes', '--json'])
    expect(code).toBe(1)
    expect(JSON.parse(stdout)).toEqual({
      results: [
        { link: 1, deleted: true, resource_type: 'image' },
        { link: 2, deleted: false, status: 404, message: expect.stringMatching(/\S/) },
      ],
    })
  })

  test('a lost response: the retry gets it', async () => {
    const { managementToken, showUrl } = await uploadImage(api, { include_manage_url: '1' })
    const proxy = await startProxy((_, index) => (index === 0 ? 'cut-after' : 'pass'))
    const run = await runCli(['delete', managementToken, '--yes', '--url', proxy.url])
    expect(run).toMatchObject({ code: 0, stdout: 'deleted image\n' })
    expect(await statusOf(api, showUrl)).toBe('deleted')
  })

  test('without --yes and without a terminal nothing is deleted', async () => {
    const { managementToken, showUrl } = await uploadImage(api, { include_manage_url: '1' })
    expect(await runCli(['delete', managementToken], { stdin: 'yes\n' })).toMatchObject({
      code: 2,
      stderr: 'tintype-cli: there is no terminal to ask at: delete without asking with --yes\n',
    })
    expect(await statusOf(api, showUrl)).toBe('available')
  })
})

describe('secrets', () => {
  test("a link is sent to its own host, not to TINTYPE_URL's; --url overrides both", async () => {
    const { managementToken } = await uploadImage(api, { include_manage_url: '1' })
    const [own, other] = [await startProxy(() => ({ status: 404 })), await startProxy(() => ({ status: 404 }))]
    const link = `${own.url}/manage/${managementToken}`
    await runCli(['delete', link, '--yes'], { env: { TINTYPE_URL: other.url } })
    expect([own.requests.length, other.requests.length]).toEqual([1, 0])
    await runCli(['delete', link, '--yes', '--url', other.url])
    expect([own.requests.length, other.requests.length]).toEqual([1, 1])
  })

  test('no failure prints a token', async () => {
    const token = 'T'.repeat(43)
    const redirecting = await startProxy((path) => ({ status: 308, headers: { location: `https://a.example${path}` } }))
    const cutting = await startProxy(() => 'cut')
    const cwd = await folderWith({ 'a.png': SMALL_PNG })
    const runs = await Promise.all([
      runCli(['delete', token, '--yes', '--url', redirecting.url]),
      runCli(['delete', token, '--yes', '--retries', '0', '--url', cutting.url]),
      runCli(['rename', token, 'x', '--retries', '0', '--url', cutting.url]),
      runCli(['rename', `${token}/`, 'x']),
      runCli(['delete', `${token}T`, '--yes']),
      runCli([token], { cwd }),
      runCli(['delete', token, `--${token}`]),
    ])
    expect(runs.map(({ code }) => code)).toEqual([1, 1, 1, 2, 2, 2, 2])
    for (const { stdout, stderr } of runs) expect(stdout + stderr).not.toContain(token)
  })
})
