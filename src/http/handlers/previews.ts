import { Failure } from '../../domain/failure.ts'
import { showUrl } from '../../domain/ids/links.ts'
import { makePreviews } from '../../domain/maintenance/make-previews.ts'
import { OPERATOR_BODY_MAX_BYTES } from '../../limits.ts'
import { readJsonObject } from '../body/json-body.ts'
import type { AppContext } from '../context.ts'
import { json } from '../responses/json.ts'
import { siteOf } from '../responses/page-response.ts'
import { unavailableShards } from './operator.ts'

/** `POST /operator/previews` `{"after"}`: makes the preview of the next image that has none and needs one. */
export async function makeMissingPreviews(c: AppContext): Promise<Response> {
  const { after } = await readJsonObject(c.var.incoming, OPERATOR_BODY_MAX_BYTES)
  if (after !== undefined && typeof after !== 'string') throw new Failure('invalid_option', 'after must be a text')
  if (!siteOf(c).hasPreviews) throw new Failure('invalid_option', 'PREVIEWS is off: set it to on first')
  const { findings, unavailable, next, ...counts } = await makePreviews(c.var.store, after)
  return json(c, {
    success: true,
    ...counts,
    ...unavailableShards(c, unavailable),
    findings: findings.map(({ kind, key, image }) => ({ finding: kind, key, url: showUrl(c.var.host.site, image) })),
    next: next ?? null,
  })
}
