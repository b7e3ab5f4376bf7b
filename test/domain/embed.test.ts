import { expect, test } from 'vitest'
import { filesThatFit } from '../../src/domain/embed.ts'
import { NO_PREVIEW } from '../../src/storage/images.ts'

const IMAGE = {
  id: 1,
  name: 'a.jpg',
  mediaType: 'image/jpeg',
  bytes: 1,
  width: 4000,
  height: 3000,
  thumbnailBytes: 1,
  thumbnailWidth: 200,
  thumbnailHeight: 150,
  nsfw: false,
  galleryId: null,
  deletedAt: null,
  deletedBy: null,
  sentDigest: null,
  pathDigest: null,
  crc32: null,
  hiddenAt: null,
  thumbnailCrc32: null,
  ...NO_PREVIEW,
  displayName: null,
}

test.each([
  [4000, 3000, ['original', 'thumbnail']],
  [3999, 3000, ['thumbnail']],
  [4000, 2999, ['thumbnail']],
  [200, 150, ['thumbnail']],
  [199, 150, []],
  [200, 149, []],
] as const)('%i x %i fits %j', (maxWidth, maxHeight, kinds) => {
  expect(filesThatFit(IMAGE, { maxWidth, maxHeight }).map(({ kind }) => kind)).toEqual(kinds)
})
