import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { imageStatuses } from '../../src/domain/content/image-status.ts'
import { deleteManaged, renameManagedGallery, requireManagedGallery } from '../../src/domain/content/management.ts'
import { findImageView } from '../../src/domain/content/public-image.ts'
import {
  admitToGallery,
  createGallery,
  finalizeGallery,
  findGalleryImages,
  findGalleryView,
} from '../../src/domain/galleries/gallery.ts'
import type { Surroundings } from '../../src/domain/idempotency/lease.ts'
import { imagePath } from '../../src/domain/ids/links.ts'
import { maintain } from '../../src/domain/maintenance/maintenance.ts'
import { reconcile } from '../../src/domain/maintenance/reconcile.ts'
import {
  dismissReports,
  findReports,
  hideContent,
  listBlockedImages,
  listDecisions,
  listHiddenContent,
  listReports,
  removeReported,
  unblockContent,
  unhideContent,
} from '../../src/domain/moderation/moderation.ts'
import { receiveReport } from '../../src/domain/moderation/report.ts'
import { UPLOAD_TOKEN_LIFETIME_MS } from '../../src/limits.ts'
import { abandonUpload } from '../../src/storage/content/upload-records.ts'
import { putOffFiles, putOffGalleries, putOffGalleryCleanup } from '../../src/storage/maintenance/retries.ts'
import { homeOf, type Store } from '../../src/storage/store.ts'
import { madeImage, NOW_MS, uploadOf } from '../domain/made-content.ts'
import { performOnce } from '../domain/performed-once.ts'
import { emptyStore, rows } from '../domain/store.ts'
import { recordingStore, type SentStatement } from './sent-statements.ts'

/** All tables that may have more than one row. A query may not read more of their rows than its result needs. */
const TABLES = await rows(
  "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB '_cf_*' AND sql NOT LIKE '%CHECK (id = 1)%'",
)
const GROWING = new Set(TABLES.map(({ name }) => String(name)))

/**
 * When a row is inserted, SQLite's plan contains a search for rows that refer to it. It runs only while a reference is
 * broken within a transaction, which never happens (upload-rows.test.ts).
 */
const REFERENCE_CHECKS = /^insert into "(?:images|galleries)"/
const REFERENCES = /^SCAN reports$/

/** The list and the count of the open reports, for the operator: an index of the open ones alone. */
const OPEN_REPORTS = /^SCAN reports USING (?:COVERING )?INDEX reports_open(?:_by_content)?$/

test('no sent statement scans a whole table', async () => {
  await emptyStore()
  const { store, sent } = recordingStore()
  await doEverything(store)
  const queries = [...new Map(sent.map((statement) => [statement.query, statement])).values()]
  expect(queries.length).toBeGreaterThan(50)
  const scans = await Promise.all(
    queries.map(async (statement) => [statement.query, await scansOf(statement)] as const),
  )
  expect(scans.filter(([, found]) => found.length > 0)).toEqual([])
})

test('no statement within a trigger does', async () => {
  const triggers = await rows("SELECT sql FROM sqlite_master WHERE type = 'trigger'")
  const queries = triggers.flatMap(({ sql }) => statementsOf(String(sql)))
  expect(queries.length).toBeGreaterThan(4)
  for (const query of queries) expect(await scansOf({ query, parameters: [] }), query).toEqual([])
})

test('such a scan is found', async () => {
  expect(await scansOf({ query: 'SELECT * FROM images WHERE width = ?', parameters: [1] })).toEqual(['SCAN images'])
})

/** Returns the tables that the plan of a statement scans from end to end. */
async function scansOf({ query, parameters }: SentStatement): Promise<string[]> {
  const plan = await env.DB.prepare(`EXPLAIN QUERY PLAN ${query}`)
    .bind(...parameters)
    .all<{ detail: string }>()
  return plan.results
    .map(({ detail }) => detail)
    .filter(
      (detail) =>
        GROWING.has(/^SCAN (\w+)/.exec(detail)?.[1] ?? '') &&
        !(query.startsWith('select') && OPEN_REPORTS.test(detail)),
    )
    .filter((detail) => !(REFERENCE_CHECKS.test(query) && REFERENCES.test(detail)))
}

/** Returns the statements of a trigger, with a number in place of the row that it is about. */
function statementsOf(trigger: string): string[] {
  const [, body = ''] = /\bBEGIN\b(.*)\bEND\b/s.exec(trigger) ?? []
  return body
    .replaceAll(/\b(?:new|old)\.\w+/g, '1')
    .split(';')
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '')
}

/** Runs every operation of the service on its storage. */
async function doEverything(store: Store): Promise<void> {
  const gallery = await createGallery(store, { name: 'x', wantsManagementToken: true }, NOW_MS)
  const token = gallery.managementToken ?? ''
  await admitToGallery(store, gallery, NOW_MS)
  const inside = await madeImage(gallery, store)
  const alone = await madeImage(undefined, store)
  await keyedUpload(store)
  await abandonUpload(homeOf(store), { id: 1, name: 'a.gif' })
  await finalizeGallery(store, gallery, NOW_MS)
  await finalizeGallery(store, await createGallery(store, { name: '', wantsManagementToken: false }, NOW_MS), NOW_MS)
  await renameManagedGallery(store, await requireManagedGallery(store, token, NOW_MS), 'y')
  await findGalleryView(store, gallery.hash, 1, 100, NOW_MS)
  await findGalleryImages(store, gallery.hash, inside.image.id, 100, NOW_MS)
  await findImageView(store, imagePath(inside.image), NOW_MS)
  await imageStatuses(store, [inside.address.image], NOW_MS)

  const address = { kind: 'gallery', hash: gallery.hash } as const
  const report = { reason: 'illegal', details: '', contact: '' } as const
  for (const reported of [address, inside.address, alone.address]) await receiveReport(store, reported, report, NOW_MS)
  await listReports(store)
  const anna = { operator: 'anna', nowMs: NOW_MS }
  for (const one of [inside.address, address]) {
    await findReports(store, one)
    await dismissReports(store, one, anna)
    await hideContent(store, one, anna)
    await listHiddenContent(store, NOW_MS)
    await unhideContent(store, one, anna)
    await unblockContent(store, one, anna)
  }
  await removeReported(store, inside.address, anna, { block: true })
  await listBlockedImages(store, NOW_MS)
  await listDecisions(store, NOW_MS)
  await deleteManaged(store, alone.token, NOW_MS)
  await removeReported(store, address, anna)

  await reconcile(store, {}, NOW_MS)
  await reconcile(store, { after: 'records:0' }, NOW_MS)
  await putOffGalleries(homeOf(store), [1], 1, NOW_MS)
  await putOffFiles(homeOf(store), [inside.image], 1, NOW_MS)
  await putOffGalleryCleanup(homeOf(store), 1, NOW_MS)
  await createGallery(store, { name: 'left', wantsManagementToken: false }, NOW_MS)
  for (const afterMs of [1, 2]) {
    await maintain(store, NOW_MS + afterMs * UPLOAD_TOKEN_LIFETIME_MS, throwProblem)
  }
}

async function keyedUpload(store: Store): Promise<void> {
  const read = async () => ({ texts: new Map(), files: new Map() })
  const surroundings: Surroundings = {
    nowMs: () => NOW_MS,
    wait: async () => {},
    every(_ms, act) {
      act()
      return () => {}
    },
    logProblem: throwProblem,
  }
  await performOnce(store, { key: 'key', operation: 'uploadImage', read }, surroundings, async (seal) => {
    await uploadOf(store, undefined, () => seal('answer'))
    return 'answer'
  })
  const failing = () => Promise.reject(new Error('it failed'))
  await performOnce(store, { key: 'another', operation: 'uploadImage', read }, surroundings, failing).catch(() => {})
}

function throwProblem(what: string, error: unknown): never {
  throw new Error(what, { cause: error })
}
