import { Failure } from '../../domain/failure.ts'
import { type Site, showUrl } from '../../domain/ids/links.ts'
import { type Finding, reconcile, type WantedBatch } from '../../domain/maintenance/reconcile.ts'
import { OPERATOR_BODY_MAX_BYTES, RECONCILE_BATCH_FILES } from '../../limits.ts'
import { readJsonObject } from '../body/json-body.ts'
import type { AppContext } from '../context.ts'
import { json } from '../responses/json.ts'
import { unavailableShards } from './operator.ts'

/**
 * `POST /operator/reconcile` `{"after", "limit", "remove", "verify"}`: compares a page of the files with the records, removes its orphans
 * and reads its files if asked to.
 */
export async function reconcileBatch(c: AppContext): Promise<Response> {
  const wanted = readWanted(await readJsonObject(c.var.incoming, OPERATOR_BODY_MAX_BYTES))
  const { tooYoung, findings, unavailable, next, ...counts } = await reconcile(c.var.store, wanted, c.var.nowMs)
  const { site } = c.var.host
  return json(c, {
    success: true,
    ...counts,
    too_young: tooYoung,
    ...unavailableShards(c, unavailable),
    findings: findings.map((finding) => findingResponse(site, finding)),
    next: next ?? null,
  })
}

function readWanted({ after, limit, remove, verify }: Record<string, unknown>): WantedBatch {
  if (after !== undefined && typeof after !== 'string') throw new Failure('invalid_option', 'after must be a text')
  if (remove !== undefined && typeof remove !== 'boolean') {
    throw new Failure('invalid_option', 'remove must be true or false')
  }
  if (verify !== undefined && typeof verify !== 'boolean') {
    throw new Failure('invalid_option', 'verify must be true or false')
  }
  if (limit === undefined) return { after, remove, verify }
  if (typeof limit !== 'number' || !Number.isInteger(limit) || limit < 1 || limit > RECONCILE_BATCH_FILES) {
    throw new Failure('invalid_option', `limit must be a whole number from 1 to ${RECONCILE_BATCH_FILES}`)
  }
  return { after, remove, verify, limit }
}

function findingResponse(site: Site, finding: Finding) {
  if (finding.kind === 'missing' || finding.kind === 'damaged') {
    const file = { finding: finding.kind, key: finding.key, url: showUrl(site, finding.image) }
    return finding.kind === 'missing' ? file : { ...file, damage: finding.damage }
  }
  const { kind, key, bytes, storedAtMs } = finding
  const file = { finding: kind, key, bytes, stored_at: new Date(storedAtMs).toISOString() }
  return finding.kind === 'orphan' ? { ...file, removed: finding.isRemoved } : file
}
