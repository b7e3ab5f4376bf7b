import { Failure } from '../../domain/failure.ts'
import { parseUploadKeys, type UploadKey } from '../../domain/settings/upload-keys.ts'
import type { AppContext } from '../context.ts'
import { countUp } from '../counters.ts'
import { settingReader } from '../setting-reader.ts'

/** The field of programs that cannot set a header. */
const UPLOAD_KEY_FIELD = 'upload_key'

const CREDENTIALS = /^(Bearer|Basic) +(\S+)$/i

// A setting that cannot be read opens nothing.
const readKeys = settingReader<string, readonly UploadKey[] | undefined>({
  parse: parseUploadKeys,
  otherwise: [],
  problem: 'read UPLOAD_KEYS',
})

/** Checks the key of an upload in the form. Returns whether the form has it: only then was it not charged before (D61). */
type FormKeyCheck = (texts: ReadonlyMap<string, string>) => Promise<boolean>

/**
 * Checks the key of an upload in the header `Authorization`, before the body is read. Returns the check of the form, where the header
 * has no key. Throws `upload_key_required` for a wrong one.
 */
export async function checkUploadKey(c: AppContext): Promise<FormKeyCheck> {
  const keys = uploadKeys(c)
  if (keys === undefined) return needNone
  const shown = keyOfHeader(c)
  if (shown !== undefined) {
    await requireKey(c, keys, shown)
    return needNone
  }
  return async (texts) => {
    await requireKey(c, keys, texts.get(UPLOAD_KEY_FIELD))
    return true
  }
}

/** Requires a key in the header `Authorization`, as browsers send one after they have asked for it. */
export async function requireUploadKey(c: AppContext): Promise<void> {
  const keys = uploadKeys(c)
  if (keys !== undefined) await requireKey(c, keys, keyOfHeader(c))
}

/** Notes the key in the header `Authorization` of a request that needs none, for its limits. A wrong one is no error. */
export async function noteUploadKey(c: AppContext): Promise<void> {
  const keys = uploadKeys(c)
  const known = keys && (await findKey(keys, keyOfHeader(c)))
  if (known) c.set('uploadKey', known)
}

/** Whether uploads need a key. */
export function needsUploadKey(c: AppContext): boolean {
  return uploadKeys(c) !== undefined
}

function uploadKeys({ env, var: { logProblem } }: AppContext): readonly UploadKey[] | undefined {
  return readKeys(env.UPLOAD_KEYS ?? '', logProblem)
}

/** The check of the form where the header has the key, or nobody needs one. */
export async function needNone(): Promise<boolean> {
  return false
}

/** A browser adds Basic credentials to forms of any site by itself, so those of other sites do not count. */
function keyOfHeader(c: AppContext): string | undefined {
  const [, scheme = '', value = ''] = CREDENTIALS.exec(c.req.header('Authorization') ?? '') ?? []
  if (scheme.toLowerCase() !== 'basic') return value || undefined
  if (c.req.header('Sec-Fetch-Site') === 'cross-site') return undefined
  return passwordOf(value)
}

/** The password of Basic credentials (RFC 7617); the user name is ignored. */
function passwordOf(credentials: string): string | undefined {
  try {
    const pair = atob(credentials)
    return pair.slice(pair.indexOf(':') + 1)
  } catch {
    return undefined
  }
}

/** All keys are compared, each in constant time. */
async function requireKey(c: AppContext, keys: readonly UploadKey[], shown: string | undefined): Promise<void> {
  const known = await findKey(keys, shown)
  if (known === undefined) throw new Failure('upload_key_required')
  countUp('keyed_uploads', { key: known.name })
  c.set('uploadKey', known)
}

async function findKey(keys: readonly UploadKey[], shown: string | undefined): Promise<UploadKey | undefined> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(shown ?? ''))
  const [known] = keys.filter((key) => crypto.subtle.timingSafeEqual(digest, bytesOf(key.digest)))
  return shown === undefined ? undefined : known
}

function bytesOf(digest: string): Uint8Array {
  return Uint8Array.from(digest.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
}
