import { execFile, spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBucketOf } from '../../../tools/serve/data/file-location.ts'
import { apiAt } from '../../contract/support/api.ts'
import { runCommand } from '../../contract/support/command.ts'
import type { Uploaded } from '../../contract/support/responses.ts'
import { type Service, startService, temporaryData } from '../../contract/support/service.ts'
import { uploadCover, uploadImage } from '../../contract/support/steps.ts'
import { BUCKET, OWNER } from '../support/accounts.ts'
import { keysFile } from '../support/keys-file.ts'
import { type Swift, startSwift } from '../support/swift.ts'

let swift: Swift
let work: Awaited<ReturnType<typeof temporaryData>>
let service: Service | undefined
let images: Uploaded[]
const folder = (name: string) => path.join(work.path, name)
const filesAt = (url: string) => ['--files', url, '--s3-endpoint', swift.endpoint, '--s3-keys', keysFile(OWNER)]

beforeAll(async () => {
  swift = await startSwift()
  work = await temporaryData({ isEmpty: true })
  service = await startService({ data: folder('data'), args: filesAt(`s3://${BUCKET}/backed-up`) })
  const api = apiAt(service.baseUrl)
  images = [await uploadImage(api), await uploadCover(api), await uploadImage(api)]
})
afterAll(async () => {
  await service?.stop()
  await work.remove()
  await swift[Symbol.asyncDispose]()
})

const backUp = (...more: string[]) => runCommand('backup', [folder('backups'), '--data', folder('data'), ...more])
const restore = (to: string, ...more: string[]) =>
  runCommand('restore', [folder('backups'), '--data', folder(to), ...more])
const keysOf = ({ originalUrl, thumbnailUrl }: Uploaded) =>
  [originalUrl, thumbnailUrl].map((link) => new URL(link).pathname.slice(1))

/** Expects a service on a data folder to serve all images. */
async function expectServed(data: string, args: string[] = []) {
  const restored = await startService({ data: folder(data), args })
  try {
    const api = apiAt(restored.baseUrl)
    for (const { originalUrl, thumbnailUrl } of images) {
      for (const link of [originalUrl, thumbnailUrl]) expect((await api.follow(link)).status).toBe(200)
    }
  } finally {
    await restored.stop()
  }
}

test('a backup has the files that are in S3, and copies new ones', async () => {
  const first = await backUp()
  expect(first, first.stderr).toMatchObject({ code: 0 })
  expect(first.stdout).toMatch(/: 6 files, \d+ bytes \(6 copied now\)/)
  if (service) images.push(await uploadImage(apiAt(service.baseUrl)))
  expect((await backUp()).stdout).toMatch(/: 8 files, \d+ bytes \(2 copied now\)/)
  expect((await restore('-', '--check')).stdout).toMatch(/is whole: 8 files/)
})

test('a restore puts missing files back into S3', async () => {
  await service?.stop()
  service = undefined
  const bucket = await openBucketOf(folder('data'))
  const [lost] = images.map(keysOf)
  await bucket?.files.delete(lost ?? [])
  const { code, stderr } = await restore('again')
  expect(code, stderr).toBe(0)
  await expectServed('again')
})

test('a restore takes files from S3 to the disk', async () => {
  const { code, stderr } = await restore('disk', '--files', 'disk')
  expect(code, stderr).toBe(0)
  await swift.stop()
  await expectServed('disk')
  await swift.start()
})

const hasRclone = !spawnSync('rclone', ['version']).error

async function rclone(...args: string[]) {
  const env = {
    PATH: process.env.PATH,
    RCLONE_CONFIG: folder('rclone.conf'),
    RCLONE_CONFIG_S3_TYPE: 's3',
    RCLONE_CONFIG_S3_PROVIDER: 'Other',
    RCLONE_CONFIG_S3_ENDPOINT: swift.endpoint,
    RCLONE_CONFIG_S3_ACCESS_KEY_ID: OWNER.accessKeyId,
    RCLONE_CONFIG_S3_SECRET_ACCESS_KEY: OWNER.secretAccessKey,
  }
  await promisify(execFile)('rclone', args, { env })
}

test.skipIf(!hasRclone)(
  '(needs rclone) files are copied from the disk to S3 and back, and served from there',
  async () => {
    const [url, files, remote] = [`s3://${BUCKET}/from-the-disk`, folder('disk/files'), `s3:${BUCKET}/from-the-disk`]
    await rclone('copy', '--exclude', '/incoming/**', files, remote)
    await expectServed('disk', [...filesAt(url), '--files-moved'])
    await expectServed('disk')
    rmSync(files, { recursive: true })
    await rclone('copy', '--exclude', '/.tintype/**', remote, files)
    await expectServed('disk', ['--files', 'disk', '--files-moved'])
    await expectServed('disk')
  },
)

test('a backup without files says where they stay', async () => {
  const { stdout } = await backUp('--without-files')
  expect(stdout).toContain(': 0 files, 0 bytes (0 copied now, files stay in s3://pictures/backed-up alone)')
  expect((await restore('-', '--check')).code).toBe(0)
  const { stdout: restored } = await restore('records')
  expect(restored).toContain('the backup is without files: they are those of s3://pictures/backed-up now')
  await expectServed('records')
})

test('a backup that cannot reach the files says so', async () => {
  await swift.stop()
  const { code, stderr } = await runCommand('backup', [folder('other'), '--data', folder('data')])
  expect(code).toBe(1)
  expect(stderr).toContain(`no backup was taken: ${swift.endpoint} cannot be reached (ECONNREFUSED)`)
  await swift.start()
})
