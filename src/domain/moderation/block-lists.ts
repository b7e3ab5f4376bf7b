import {
  BLOCK_LIST_MAX_ENTRIES,
  BLOCK_LIST_MAX_FINGERPRINTS,
  BLOCK_LIST_NAME_MAX_CHARACTERS,
  FINGERPRINT_HEX_CHARACTERS,
} from '../../limits.ts'
import { addToEntry, insertListEntry } from '../../storage/moderation/audit.ts'
import {
  addToList,
  type BlockEntries,
  type BlockList,
  countListedFingerprints,
  exportDigests,
  exportFingerprints,
  findBlockLists,
  removeFromList,
} from '../../storage/moderation/block-lists.ts'
import { homeOf, type Store } from '../../storage/store.ts'
import { Failure } from '../failure.ts'
import type { Decider } from './moderation.ts'

/** Lists of blocked images from elsewhere (D67). They are on shard 0, as what the operator blocks is. */

const NAME = new RegExp(`^[A-Za-z0-9][A-Za-z0-9._-]{0,${BLOCK_LIST_NAME_MAX_CHARACTERS - 1}}$`)
const OPERATION = /^[0-9a-f-]{36}$/
const ENTRY = /^(?:(sha256|fingerprint):)?([0-9a-f]+)$/
const LENGTHS: Readonly<Record<string, number>> = { sha256: 64, fingerprint: FINGERPRINT_HEX_CHARACTERS }

/** A batch of an import or a withdrawal. All batches of one have the same operation. */
export interface ListBatch {
  list: string
  operation: string
  isLast: boolean
}

/** Reads the name of a list. Throws `invalid_option`. */
export function parseListName(name: unknown): string {
  if (typeof name === 'string' && NAME.test(name)) return name
  throw new Failure(
    'invalid_option',
    `list must be a name of up to ${BLOCK_LIST_NAME_MAX_CHARACTERS} letters, digits, dots, hyphens and underscores`,
  )
}

/** Reads the id that the batches of one decision share. Throws `invalid_option`. */
export function parseListOperation(operation: unknown): string {
  if (typeof operation === 'string' && OPERATION.test(operation)) return operation
  throw new Failure('invalid_option', 'operation must be a random UUID, the same for all batches of one import')
}

/**
 * Reads entries: `sha256:` and 64 hexadecimal digits, or `fingerprint:` and 16, or the digits alone. Throws `invalid_option` for
 * anything else, also for PDQ: its hashes have 64 digits too, and are not compared with images here.
 */
export function parseBlockEntries(entries: unknown): BlockEntries {
  if (!Array.isArray(entries) || entries.length > BLOCK_LIST_MAX_ENTRIES) {
    throw new Failure('invalid_option', `entries must be an array of at most ${BLOCK_LIST_MAX_ENTRIES} texts`)
  }
  const digests: string[] = []
  const fingerprints: string[] = []
  for (const entry of entries) {
    const [, kind, digits = ''] = ENTRY.exec(String(entry).toLowerCase()) ?? []
    const known = kind ?? Object.keys(LENGTHS).find((name) => LENGTHS[name] === digits.length)
    if (known === undefined || LENGTHS[known] !== digits.length) {
      throw new Failure(
        'invalid_option',
        `an entry must be sha256: and 64 hexadecimal digits, or fingerprint: and ${FINGERPRINT_HEX_CHARACTERS}: received "${String(entry).slice(0, 80)}"`,
      )
    }
    if (known === 'sha256') digests.push(digits)
    else fingerprints.push(digits)
  }
  return { digests, fingerprints }
}

/** Adds entries to a list, which begins with its first ones. Returns the number of new ones. */
export async function importEntries(
  store: Store,
  { list, operation, isLast }: ListBatch,
  entries: BlockEntries,
  { operator, nowMs }: Decider,
): Promise<number> {
  const home = homeOf(store)
  const { length } = entries.fingerprints
  if (length > 0 && (await countListedFingerprints(home)) + length > BLOCK_LIST_MAX_FINGERPRINTS) {
    throw new Failure(
      'operation_not_allowed',
      `all block lists together have at most ${BLOCK_LIST_MAX_FINGERPRINTS} fingerprints: withdraw one, or import SHA-256 alone`,
    )
  }
  await insertListEntry(home, { operation, decidedAt: nowMs, operator, action: 'import', list })
  const added = await addToList(home, list, entries, nowMs)
  await addToEntry(home, operation, { entries: added, isLast })
  return added
}

/** Removes some entries of a list. Returns their number: 0 once the list is gone. */
export async function withdrawEntries(
  store: Store,
  { list, operation }: Omit<ListBatch, 'isLast'>,
  { operator, nowMs }: Decider,
): Promise<number> {
  const home = homeOf(store)
  await insertListEntry(home, { operation, decidedAt: nowMs, operator, action: 'withdraw', list })
  const removed = await removeFromList(home, list, BLOCK_LIST_MAX_ENTRIES)
  await addToEntry(home, operation, { entries: removed, isLast: removed === 0 })
  return removed
}

/** Returns the imported lists, by their names. */
export function listBlockLists(store: Store): Promise<BlockList[]> {
  return findBlockLists(homeOf(store))
}

/** A page of an export, and the cursor of the next one. */
export interface ExportedBlocks {
  entries: string[]
  next: string | undefined
}

/**
 * Returns entries in the form that an import reads: those of a list, or without a name what the operator blocked. The digests come first,
 * then the fingerprints. Throws `invalid_option` for a cursor that no page has returned.
 */
export async function exportBlocks(
  store: Store,
  list: string | undefined,
  cursor = 'sha256:',
): Promise<ExportedBlocks> {
  const [, kind, after = ''] = /^(sha256|fingerprint):([0-9a-f]*)$/.exec(cursor) ?? []
  if (kind === undefined) throw new Failure('invalid_option', 'cursor must be the next of an earlier response')
  const read = kind === 'sha256' ? exportDigests : exportFingerprints
  const found = await read(homeOf(store), list, after, BLOCK_LIST_MAX_ENTRIES)
  const last = found.length === BLOCK_LIST_MAX_ENTRIES ? found.at(-1) : undefined
  const next = last === undefined ? (kind === 'sha256' ? 'fingerprint:' : undefined) : `${kind}:${last}`
  return { entries: found.map((digits) => `${kind}:${digits}`), next }
}
