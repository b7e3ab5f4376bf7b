import { env } from 'cloudflare:workers'
import { beforeEach, expect, test } from 'vitest'
import { createGallery } from '../../src/domain/galleries/gallery.ts'
import { NOW_MS, uploadOf } from '../domain/made-content.ts'
import { emptyStore, store } from '../domain/store.ts'
import { rowsTouchedBy } from './sent-statements.ts'

const MOST_ROWS_WRITTEN = 7

beforeEach(emptyStore)

test('an upload writes few rows, and reads no more of them when there are many', async () => {
  const first = await uploads()
  expect(first.map(({ written }) => written)).toEqual([MOST_ROWS_WRITTEN, MOST_ROWS_WRITTEN])
  await env.DB.exec(
    `
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
    INSERT INTO management_tokens SELECT 'digest' || i, (SELECT min(id) FROM images), NULL FROM n`.replaceAll(
      '\n',
      ' ',
    ),
  )
  await env.DB.exec(
    `
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
    INSERT INTO reports (image_id, reason, details, contact, created_at)
    SELECT (SELECT min(id) FROM images), '', '', '', 0 FROM n`.replaceAll('\n', ' '),
  )
  expect(await uploads()).toEqual(first)
})

/** Returns the rows that a standalone upload touches, and one into a gallery. */
async function uploads() {
  const gallery = await createGallery(store, { name: '', wantsManagementToken: false }, NOW_MS)
  return [
    await rowsTouchedBy((counted) => uploadOf(counted)),
    await rowsTouchedBy((counted) => uploadOf(counted, gallery)),
  ]
}
