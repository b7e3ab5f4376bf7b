import { Failure } from '../domain/failure.ts'
import { type Finding, reconcile, type WantedPiece } from '../domain/reconcile.ts'
import { OPERATOR_BODY_MAX_BYTES, RECONCILE_BATCH_FILES } from '../limits.ts'
import type { AppContext } from './context.ts'
import { json } from './wire/json.ts'
import { readJsonObject } from './wire/json-body.ts'

/**
 * `POST /operator/reconcile` `{"after", "limit", "remove"}`: compares a piece of R2 with D1, and removes its orphans if asked
 * to.
 */
export async function reconcilePiece(c: AppContext): Promise<Response> {
  const wanted = readWanted(await readJsonObject(c.var.incoming, OPERATOR_BODY_MAX_BYTES))
  const { files, records, due, tooYoung, findings, next } = await reconcile(c.var.store, wanted, c.var.nowMs)
  const body = { files, records, due, too_young: tooYoung, findings: findings.map(findingResponse), next: next ?? null }
  return json(c, { success: true, ...body })
}

function readWanted({ after, limit, remove }: Record<string, unknown>): WantedPiece {
  if (after !== undefined && typeof after !== 'string') throw new Failure('invalid_option', 'after must be a text')
  if (remove !== undefined && typeof remove !== 'boolean') {
    throw new Failure('invalid_option', 'remove must be true or false')
  }
  if (limit === undefined) return { after, remove }
  if (typeof limit !== 'number' || !Number.isInteger(limit) || limit < 1 || limit > RECONCILE_BATCH_FILES) {
    throw new Failure('invalid_option', `limit must be a whole number from 1 to ${RECONCILE_BATCH_FILES}`)
  }
  return { after, remove, limit }
}

function findingResponse(finding: Finding) {
  if (finding.kind === 'missing') return { finding: finding.kind, key: finding.key }
  const { kind, key, bytes, storedAtMs } = finding
  const file = { finding: kind, key, bytes, stored_at: new Date(storedAtMs).toISOString() }
  return finding.kind === 'orphan' ? { ...file, removed: finding.isRemoved } : file
}
