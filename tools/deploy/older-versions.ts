// The migrations that a version of the Worker does not know, and the consequences. Migrations only add, so an older version runs,
// but ignores newer columns and tables.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { ROOT } from '../install/installed.mjs'

export interface Unknown {
  /** Such as `0011_moderation`. */
  migration: string
  /** Behaviour of older versions. */
  text: string
  /** SQL that counts, as `n`, what would become public. */
  count?: string
}

const CONSEQUENCES: Readonly<Record<string, Omit<Unknown, 'migration'>>> = {
  '0003': { text: 'retries with an Idempotency-Key upload or delete again' },
  '0008': { text: 'blocked images are accepted when they are uploaded again' },
  '0011': {
    text: 'images and galleries that operators have hidden are public',
    count: `SELECT (SELECT count(*) FROM images WHERE hidden_at IS NOT NULL AND deleted_at IS NULL)
      + (SELECT count(*) FROM galleries WHERE hidden_at IS NOT NULL AND deleted_at IS NULL) AS n`,
  },
  '0012': { text: 'content of databases other than the first is not found' },
  '0013': { text: 'deleted images leave the caches of other data centres within five minutes, not at once' },
  '0016': {
    text: 'galleries of an unfinished share from a phone become public within a day',
    count: `SELECT count(*) AS n FROM galleries
      WHERE removed_if_unfinished = 1 AND finalized_at IS NULL AND deleted_at IS NULL`,
  },
  '0018': {
    text: 'previews of images that are deleted meanwhile stay in storage, unserved, until `npm run reconcile -- --remove`',
  },
  '0019': { text: 'pages and downloads name images as their addresses do, not as they were sent' },
  '0023': { text: 'guest links are not found, and their uploads are refused' },
  '0022': { text: 'galleries are in the order of arrival, without captions and cover images' },
  '0024': { text: 'images that imported lists block are accepted, and uploads are not announced' },
  '0025': {
    text: 'images and galleries that expire stay public after their time',
    count: `SELECT (SELECT count(*) FROM images WHERE expires_at IS NOT NULL AND deleted_at IS NULL AND path_digest IS NULL)
      + (SELECT count(*) FROM galleries WHERE expires_at IS NOT NULL AND deleted_at IS NULL) AS n`,
  },
}

const TAG = /^migrations-(\d{4})$/

/**
 * Returns the migrations that a version does not know, oldest first. `npm run deploy` tags versions. One without a tag is older
 * than all tags, and may know none.
 */
export function unknownTo(tag: string | undefined): Unknown[] {
  const known = TAG.exec(tag ?? '')?.[1] ?? '0001'
  return readdirSync(path.join(ROOT, 'migrations'))
    .filter((file) => file.endsWith('.sql') && file.slice(0, 4) > known)
    .toSorted()
    .map((file) => ({
      migration: path.basename(file, '.sql'),
      ...(CONSEQUENCES[file.slice(0, 4)] ?? { text: purposeOf(file) }),
    }))
}

/** Returns the first sentence of a migration's comment. */
function purposeOf(file: string) {
  const [comment = ''] = /^(?:--.*\n)+/.exec(readFileSync(path.join(ROOT, 'migrations', file), 'utf8')) ?? []
  const [sentence = ''] = comment.replace(/^-- ?/gm, '').replaceAll('\n', ' ').split('. ')
  return `not used: ${sentence.trim().replace(/\.$/, '')}`
}
