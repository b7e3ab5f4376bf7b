import { env } from 'cloudflare:workers'
import { beforeEach, expect, test } from 'vitest'
import { findBlockedFiles, findSimilarFingerprints, insertBlocked } from '../../../src/storage/moderation/blocked.ts'
import { homeOf } from '../../../src/storage/store.ts'
import { emptyStore, rows, shard } from '../../domain/store.ts'
import { recordingStore } from '../sent-statements.ts'

const PRINT = '0123456789abcdef'

beforeEach(emptyStore)

test('a fingerprint is found by any of its bytes at the right position, and by no other', async () => {
  await insertBlocked(shard, { imageId: 1, digests: ['a'], fingerprint: PRINT }, 0)
  for (const like of [PRINT, '01ffffffffffffff', 'ffffffffffffffef']) {
    expect(await findSimilarFingerprints(shard, like)).toEqual([PRINT])
  }
  for (const unlike of ['fffefdfcfbfaf9f8', '2301ffffffffffff']) {
    expect(await findSimilarFingerprints(shard, unlike)).toEqual([])
  }
})

test('files are found by their digests, and blocked once', async () => {
  for (const imageId of [1, 2]) await insertBlocked(shard, { imageId, digests: ['a', 'b'], fingerprint: PRINT }, 0)
  expect(await findBlockedFiles(shard, ['c', 'b'])).toEqual({ isBlocked: true, hasFingerprints: true })
  expect(await findBlockedFiles(shard, ['c'])).toMatchObject({ isBlocked: false })
  expect(await rows('SELECT image_id FROM blocked_files')).toEqual([{ image_id: 2 }, { image_id: 2 }])
})

test('look-ups use indexes, and read nothing but the requested rows', async () => {
  const { store, sent } = recordingStore()
  const recording = homeOf(store)
  await findBlockedFiles(recording, ['a'])
  await findSimilarFingerprints(recording, PRINT)
  const plans = await Promise.all(
    sent.map(async ({ query, parameters }) => {
      const { results } = await env.DB.prepare(`EXPLAIN QUERY PLAN ${query}`)
        .bind(...parameters)
        .all()
      return results.map(({ detail }) => String(detail)).join('; ')
    }),
  )
  const [files, similar] = plans
  expect(files).toMatch(/SEARCH blocked_files USING PRIMARY KEY \(digest=\?\)/)
  expect(similar).toMatch(/SEARCH blocked_fingerprints USING PRIMARY KEY \(band=\? AND value=\?\)/)
  expect(similar).not.toMatch(/SCAN blocked/)
})
