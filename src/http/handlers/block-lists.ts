import { Failure } from '../../domain/failure.ts'
import {
  exportBlocks,
  importEntries,
  listBlockLists,
  parseBlockEntries,
  parseListName,
  parseListOperation,
  withdrawEntries,
} from '../../domain/moderation/block-lists.ts'
import { BLOCK_LIST_BODY_MAX_BYTES, OPERATOR_BODY_MAX_BYTES } from '../../limits.ts'
import { readJsonObject } from '../body/json-body.ts'
import type { AppContext } from '../context.ts'
import { json } from '../responses/json.ts'

/**
 * `POST /operator/import` `{"list", "operation", "entries", "last"}`: adds entries to a block list. Batches of one import have the same
 * operation, and the last one has `last`. A batch may come twice.
 */
export async function importBlockEntries(c: AppContext, operator: string): Promise<Response> {
  const { list, operation, entries, last = false } = await readJsonObject(c.var.incoming, BLOCK_LIST_BODY_MAX_BYTES)
  if (typeof last !== 'boolean') throw new Failure('invalid_option', 'last must be true or false')
  const batch = { list: parseListName(list), operation: parseListOperation(operation), isLast: last }
  const added = await importEntries(c.var.store, batch, parseBlockEntries(entries), { operator, nowMs: c.var.nowMs })
  return json(c, { success: true, added })
}

/** `POST /operator/withdraw` `{"list", "operation"}`: removes some entries of a block list. It is repeated until none is left. */
export async function withdrawBlockList(c: AppContext, operator: string): Promise<Response> {
  const { list, operation } = await readJsonObject(c.var.incoming, OPERATOR_BODY_MAX_BYTES)
  const batch = { list: parseListName(list), operation: parseListOperation(operation) }
  const removed = await withdrawEntries(c.var.store, batch, { operator, nowMs: c.var.nowMs })
  return json(c, { success: true, removed })
}

/** `GET /operator/block-lists`: the imported lists. */
export async function showBlockLists(c: AppContext): Promise<Response> {
  const lists = await listBlockLists(c.var.store)
  return json(c, {
    lists: lists.map(({ importedAt, ...list }) => ({ ...list, imported_at: new Date(importedAt).toISOString() })),
  })
}

/** `GET /operator/export?list=…&cursor=…`: entries of a list, or what the operator blocked. */
export async function exportBlockEntries(c: AppContext): Promise<Response> {
  const list = c.req.query('list')
  const cursor = c.req.query('cursor')
  const { entries, next } = await exportBlocks(
    c.var.store,
    list === undefined ? undefined : parseListName(list),
    cursor,
  )
  return json(c, { entries, next: next ?? null })
}
