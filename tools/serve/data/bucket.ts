// A bucket of an S3 service, which has the files of one data folder. It names its owner in an object: two services in one folder
// of a bucket would treat each other's files as orphans.

import { createHash, randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { S3Files } from '../../../src/storage/files/s3.ts'
import type { S3Settings } from '../../../src/storage/files/s3-settings.ts'
import { codeOf, messageOf, reasonOf } from '../../shared/command-line.ts'
import { readDigests } from './digests.ts'
import { readS3Keys } from './s3-keys.ts'

/** The setting S3_URL with those that go with it, or undefined for the disk. */
export interface S3Address {
  S3_URL: string
  S3_ENDPOINT?: string
  S3_REGION?: string
  S3_ADDRESSING?: string
}

/**
 * A bucket, or a folder of it. `hasConditionalPut` is false where it was found to refuse
 * `If-None-Match: *`, or to overwrite in spite of it.
 */
export interface Bucket {
  name: string
  settings: S3Settings
  files: S3Files
  hasConditionalPut: boolean
}

/** Opens a bucket, without a request. */
export async function openBucket(address: S3Address, keysFile: string | undefined): Promise<Bucket> {
  const { s3Files } = await import('../../../src/storage/files/s3.ts')
  const { readS3Settings } = await import('../../../src/storage/files/s3-settings.ts')
  const settings = readS3Settings(variablesOf(address, keysFile))
  const files = s3Files(settings, async (bytes) => createHash('md5').update(bytes).digest())
  return { name: address.S3_URL, settings, files, hasConditionalPut: true }
}

/** Does each thing that the service does, once: list, write, read and delete. Throws a sentence about the first that fails. */
export async function requireRights(bucket: Bucket) {
  const { OWN_KEYS } = await import('../../../src/storage/files/s3.ts')
  const key = `${OWN_KEYS}try-${randomUUID()}`
  const bytes = new TextEncoder().encode('Tintype tries whether it may write here.\n')
  const info = { mediaType: 'text/plain' }
  const { files } = bucket
  await attempt(bucket, 'list', () => files.list({ limit: 1 }))
  await attempt(bucket, 'write', () => files.create(key, bytes, info))
  try {
    const isOverwritten = await attempt(bucket, 'write', () => files.create(key, bytes, info))
    bucket.hasConditionalPut = !isOverwritten && !files.refusesConditionalPut()
    const found = await attempt(bucket, 'read', () => files.read(key))
    await found?.body.cancel()
    if (found?.size !== bytes.length) throw new Error(`${bucket.name} does not return what was written to it`)
  } finally {
    await attempt(bucket, 'delete', () => files.delete([key]))
  }
}

/** The key of the object that says whose files a bucket has. */
async function ownerKey() {
  const { OWN_KEYS } = await import('../../../src/storage/files/s3.ts')
  return `${OWN_KEYS}deployment`
}

/** Returns which deployment has its files there; undefined where none has. */
async function readOwner(bucket: Bucket) {
  const key = await ownerKey()
  const found = await attempt(bucket, 'read', () => bucket.files.read(key))
  return found && (await new Response(found.body).text()).trim()
}

/** Returns the owner of a bucket, if it has one. Throws a sentence where that is another deployment. */
export async function requireOwnBucket(bucket: Bucket, deployment: string) {
  const owner = await readOwner(bucket)
  if (owner === undefined || owner === deployment) return owner
  const { bucket: name, folder } = bucket.settings
  throw new Error(
    `${bucket.name} has the files of another Tintype: give this one a folder of its own, such as s3://${name}/${folder}second`,
  )
}

/** Makes a deployment the owner of a bucket. Throws a sentence where another one was faster. */
export async function writeOwner(bucket: Bucket, deployment: string) {
  const key = await ownerKey()
  const bytes = new TextEncoder().encode(`${deployment}\n`)
  await attempt(bucket, 'write', () => bucket.files.create(key, bytes, { mediaType: 'text/plain' }))
  // Another service may have begun at the same time.
  if ((await readOwner(bucket)) !== deployment) throw new Error(`${bucket.name} was just taken by another Tintype`)
}

/**
 * Copies a file of a bucket to the disk, where `pathOf` says by the MD5 that was stored. Returns its digests and facts; undefined if
 * there is no such file. Throws a sentence.
 */
export async function copyFromBucket(bucket: Bucket, key: string, pathOf: (md5: string | undefined) => string) {
  const { NO_RESPONSE, S3Error } = await import('../../../src/storage/files/s3-error.ts')
  return attempt(bucket, 'read', async () => {
    const found = await bucket.files.read(key)
    if (!found) return undefined
    const md5 = found.md5 && Buffer.from(found.md5).toString('hex')
    const filePath = pathOf(md5)
    const digests = await readDigests(found.body, filePath).catch((cause) => {
      // A disk that refuses to write says why.
      throw String(codeOf(cause)).startsWith('E') ? cause : new S3Error('GET', 0, NO_RESPONSE, { cause })
    })
    if (digests.bytes !== found.size) throw new S3Error('GET', 0, NO_RESPONSE)
    return { ...digests, filePath, storedMd5: md5, storedMs: found.uploaded.getTime() }
  })
}

/** Puts a file that was backed up into a bucket, where it is not there yet. Throws a sentence. */
export async function copyToBucket(bucket: Bucket, key: string, filePath: string) {
  if (await isInBucket(bucket, key)) return
  const { mediaTypeOf } = await import('./media-type.ts')
  const bytes = await readFile(filePath)
  const mediaType = mediaTypeOf(key, bytes)
  await attempt(bucket, 'write', () => bucket.files.create(key, bytes, { mediaType }))
}

/** Returns whether a bucket has a file. */
export async function isInBucket(bucket: Bucket, key: string) {
  return (await attempt(bucket, 'read', () => bucket.files.head(key))) !== undefined
}

/** Returns the variables by which the Worker reaches a bucket. */
export function variablesOf(address: S3Address, keysFile: string | undefined) {
  return { ...address, ...readS3Keys(keysFile) }
}

/** Throws a sentence that names the missing right, such as "read", where the bucket refuses the keys. */
async function attempt<Result>(bucket: Bucket, right: string, call: () => Promise<Result>): Promise<Result> {
  const { isRetryable } = await import('../../../src/storage/files/s3-error.ts')
  for (let tries = 1; ; tries++) {
    try {
      return await call()
    } catch (error) {
      if (!isRetryable(error) || tries === 3) throw new Error(await explain(bucket, right, error), { cause: error })
      await new Promise((resolve) => setTimeout(resolve, 200 * tries))
    }
  }
}

/** Returns the sentence that says what to change. */
async function explain({ name, settings }: Bucket, right: string, error: unknown) {
  const { isFull, NO_RESPONSE, S3Error } = await import('../../../src/storage/files/s3-error.ts')
  const { endpoint, bucket, region } = settings
  if (!(error instanceof S3Error)) return messageOf(error)
  if (isFull(error)) return `${name} has no room left (${error.message})`
  if (error.code === NO_RESPONSE) {
    return `${endpoint} cannot be reached (${reasonOf(error.cause)}): check --s3-endpoint, its name and the network`
  }
  if (error.region !== undefined && error.region !== region) {
    return `the bucket ${bucket} is in the region ${error.region}: start with --s3-region ${error.region}`
  }
  const sentence = SENTENCES[error.code]
  if (sentence) return `${endpoint} ${sentence} (${error.message})`
  if (error.code === 'NoSuchBucket' || error.status === 404) {
    return `${endpoint} has no bucket "${bucket}": make it, or name another with --files (${error.message})`
  }
  if (error.status === 401 || error.status === 403) {
    return `the keys may not ${right} in ${name}: give their account the right to list, read, write and delete there (${error.message})`
  }
  if (error.status >= 300 && error.status < 400) {
    return `${endpoint} redirects to another address: name that with --s3-endpoint, or the bucket's region with --s3-region (${error.message})`
  }
  return `${name} cannot be used: ${error.message}`
}

const SENTENCES: Readonly<Record<string, string>> = {
  InvalidAccessKeyId: 'does not know the key id: check AWS_ACCESS_KEY_ID',
  SignatureDoesNotMatch: 'refuses the keys: check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY',
  AuthorizationHeaderMalformed: 'refuses the signature: check --s3-region',
  RequestTimeTooSkewed: "has another time than this machine: set this machine's clock",
  InvalidToken: 'refuses AWS_SESSION_TOKEN: leave it out, or get a new one',
  ExpiredToken: 'refuses AWS_SESSION_TOKEN, which has expired: get a new one',
}
