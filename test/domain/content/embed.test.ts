import { expect, test } from 'vitest'
import { filesThatFit } from '../../../src/domain/content/embed.ts'
import { NO_PREVIEW } from '../../../src/storage/content/images.ts'

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
  animated: null,
  caption: null,
  alt: null,
  sortAnchor: null,
  sortRank: null,
  expiresAt: null,
}

const PREVIEW = { previewMediaType: 'image/jpeg', previewBytes: 1, previewWidth: 1280, previewHeight: 960 }

test.each([
  ['an image without a preview', IMAGE, 4000, 3000, ['images', 'thumbs']],
  ['an image without a preview', IMAGE, 3999, 3000, ['thumbs']],
  ['an image without a preview', IMAGE, 4000, 2999, ['thumbs']],
  ['an image without a preview', IMAGE, 200, 150, ['thumbs']],
  ['an image without a preview', IMAGE, 199, 150, []],
  ['an image without a preview', IMAGE, 200, 149, []],
  ['an image with a preview', { ...IMAGE, ...PREVIEW }, 4000, 3000, ['previews', 'thumbs']],
  ['an image with a preview', { ...IMAGE, ...PREVIEW }, 1280, 960, ['previews', 'thumbs']],
  ['an image with a preview', { ...IMAGE, ...PREVIEW }, 1279, 960, ['thumbs']],
  ['an image that is its preview', { ...IMAGE, width: 1280, height: 960 }, 1280, 960, ['images', 'thumbs']],
] as const)('%s: %#: %j x %i fits', (_, image, maxWidth, maxHeight, kinds) => {
  expect(filesThatFit(image, { maxWidth, maxHeight }).map(({ kind }) => kind)).toEqual(kinds)
})
