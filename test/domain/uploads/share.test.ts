import { expect, test } from 'vitest'
import { Failure } from '../../../src/domain/failure.ts'
import { receiveEach } from '../../../src/domain/uploads/share.ts'
import { PIXEL_GIF } from '../store.ts'

const OPTIONS = { nsfw: false, optimizeForWeb: false, gallery: undefined, wantsManagementToken: false }

/** Returns an upload whose header claims this many megapixels. */
function uploadOf(megapixels: number) {
  const bytes = PIXEL_GIF.slice()
  const header = new DataView(bytes.buffer)
  header.setUint16(6, megapixels * 100, true)
  header.setUint16(8, 10_000, true)
  return { ...OPTIONS, file: { filename: `${megapixels}.gif`, bytes }, maxThumbnailSizePx: 200 }
}

/** Receives images of these sizes, and returns those that were received. */
async function receive(sizes: readonly number[], error?: Error) {
  const received: string[] = []
  const outcome = await receiveEach(sizes.map(uploadOf), async ({ file }) => {
    if (received.length > 0 && error) throw error
    received.push(file.filename)
  })
  return { received, ...outcome }
}

test('images beyond the pixels of one request are left out, and smaller ones after them are received', async () => {
  const { received, stored, refused } = await receive([98, 98, 98, 3, 2])
  expect([received, stored]).toEqual([['98.gif', '98.gif', '3.gif'], 3])
  expect(refused.map(({ failure }) => failure.code)).toEqual(['overloaded', 'overloaded'])
})

test('an image that is refused does not stop the others, and an error of the service does', async () => {
  const refused = await receive([1, 2, 3], new Failure('unreadable_image', 'broken'))
  expect([refused.stored, refused.refused.length, refused.error]).toEqual([1, 2, undefined])
  const lost = new Error('D1 is away')
  const failed = await receive([1, 2, 3], lost)
  expect([failed.stored, failed.refused.length, failed.error]).toEqual([1, 0, lost])
})
