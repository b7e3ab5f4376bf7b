import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'

test.each([
  ['nothing', 'NULL', 'NULL'],
  ['both an image and a gallery', '1', '1'],
])('a report of %s cannot be written', async (_what, imageId, galleryId) => {
  const insert = env.DB.prepare(
    `INSERT INTO reports (image_id, gallery_id, reason, details, contact, created_at)
    VALUES (${imageId}, ${galleryId}, 'illegal', '', '', 0)`,
  )
  await expect(insert.run()).rejects.toThrow('CHECK constraint failed')
})
