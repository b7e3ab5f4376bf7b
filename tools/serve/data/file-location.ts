// The location of a data folder's files: on its disk, or in S3. The data folder records it in files.json, and the
// bucket names its owner in an object. Two services in one folder of a bucket would treat each other's files as
// orphans.

import { createHash, randomUUID } from 'node:crypto'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import type { S3Files } from '../../../src/storage/files/s3.ts'
import type { S3Settings } from '../../../src/storage/files/s3-settings.ts'
import { codeOf, messageOf, reasonOf } from '../../shared/command-line.ts'
import { syncFolder, writeDurably } from '../../shared/durable-files.ts'
import { isObject, type JsonObject, parseObject } from '../../shared/json.ts'
import { readDigests } from './digests.ts'
import { readS3Keys } from './s3-keys.ts'
import { findDatabases, readKeysOfImages, withDatabase } from './stored-data.ts'

/** Beside the databases: a backup takes it with them. */
export const LOCATION_FILE = 'files.json'
/** The field of that file with the S3 address. */
const S3_FIELD = 'place'
/** The files of so many of the newest images are looked for where files were moved. */
const SAMPLED_FILES = 40

/** The setting S3_URL with those that go with it, or undefined for the disk. */
interface S3Address {
  S3_URL: string
  S3_ENDPOINT?: string
  S3_REGION?: string
  S3_ADDRESSING?: string
}

/**
 * The content of files.json. `deployment` is the owner of the bucket's files, and `isMarked` says whether the bucket
 * names it yet.
 */
export interface Location {
  s3: S3Address
  keysFile?: string
  deployment: string
  isMarked: boolean
}

/**
 * Options about files: `disk` or an S3 address with its options, and whether the files were moved there. Missing
 * options stay unchanged.
 */
export interface WantedFiles {
  files?: string
  s3: Partial<S3Address>
  keysFile?: string
  moved: boolean
}

/** Returns where the files of a data folder are; undefined for its disk. */
export function readLocation(data: string): Location | undefined {
  try {
    return parseLocation(readFileSync(path.join(data, LOCATION_FILE), 'utf8'))
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw new Error(`${path.join(data, LOCATION_FILE)} cannot be read: ${messageOf(error)}`)
  }
}

function parseLocation(text: string): Location {
  const { [S3_FIELD]: s3, keysFile, deployment, isMarked } = parseObject(text)
  const { S3_URL, ...others } = isObject(s3) ? s3 : {}
  if (typeof S3_URL !== 'string' || typeof deployment !== 'string') throw new Error('it names no bucket or deployment')
  return {
    s3: { S3_URL, ...textsOf(others) },
    ...(typeof keysFile === 'string' && { keysFile }),
    deployment,
    isMarked: isMarked === true,
  }
}

/** Returns the properties that are texts. */
function textsOf(values: JsonObject): Record<string, string> {
  const texts: Record<string, string> = {}
  for (const [name, value] of Object.entries(values)) if (typeof value === 'string') texts[name] = value
  return texts
}

/**
 * Returns the variables by which the Worker reaches the files: none for the disk. Before, it tries the bucket, and holds that it has
 * the files of this data folder. Throws a sentence. This process must have taken the data folder.
 */
export async function locateFiles(
  data: string,
  { files, s3, keysFile, moved }: WantedFiles,
): Promise<Record<string, string>> {
  const known = readLocation(data)
  const url = files ?? known?.s3.S3_URL ?? 'disk'
  if (url === 'disk') {
    if (Object.keys(s3).length > 0 || keysFile !== undefined)
      throw new Error('options of S3 go with --files s3://bucket')
    if (known) await moveToDisk(data, known, moved)
    return {}
  }
  const address = { ...(known?.s3.S3_URL === url ? known.s3 : {}), ...s3, S3_URL: url }
  const keysOfBucket = keysFile ?? known?.keysFile
  const bucket = await openBucket(address, keysOfBucket)
  await requireRights(bucket)
  if (known === undefined && !moved && hasImages(data)) {
    throw new Error(`the files of ${data} are on its disk: copy them to ${url}, then start once with --files-moved`)
  }
  const deployment = known?.deployment ?? randomUUID()
  const owner = await requireOwnBucket(bucket, deployment)
  if (owner === undefined && known?.isMarked && !moved) {
    throw new Error(
      `${url} does not have the files of ${data}: name the bucket that has them, or copy them, then start once with --files-moved`,
    )
  }
  if (moved || (known && known.s3.S3_URL !== url)) await requireFiles(data, bucket)
  const location: Location = {
    s3: address,
    ...(keysOfBucket === undefined ? {} : { keysFile: keysOfBucket }),
    deployment,
    isMarked: true,
  }
  if (owner === undefined || JSON.stringify(known) !== JSON.stringify(location)) {
    // A start that is cut off between these finds the bucket without an owner, or with this one.
    writeLocation(data, { ...location, isMarked: false })
    if (owner === undefined) await writeOwner(bucket, deployment)
    writeLocation(data, location)
  }
  return { ...variablesOf(address, keysOfBucket), ...(bucket.hasConditionalPut ? {} : { S3_CONDITIONAL_PUT: 'off' }) }
}

/** Records that the files are on the disk again. Throws a sentence where they are not. */
async function moveToDisk(data: string, { s3: address }: Location, moved: boolean) {
  if (!moved) {
    throw new Error(
      `the files of ${data} are in ${address.S3_URL}: copy them to ${path.join(data, 'files')}, then start once with --files disk --files-moved`,
    )
  }
  for (const key of await sampleKeys(data)) {
    if (!existsSync(path.join(data, 'files', key)))
      throw new Error(`${path.join(data, 'files')} lacks ${key}: copy all files there first`)
  }
  rmSync(path.join(data, LOCATION_FILE))
  syncFolder(data)
}

/**
 * Returns the bucket that has the files of a data folder, for a command that reads or writes them beside the service; undefined where
 * they are on its disk.
 */
export async function openBucketOf(data: string, keysFile?: string) {
  const known = readLocation(data)
  return known && openBucket(known.s3, keysFile ?? known.keysFile)
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

/** Makes a bucket that of the data folder whose files are put there. Throws a sentence where it has those of another service. */
export async function claimBucket(data: string, bucket: Bucket) {
  const { deployment } = readLocation(data) ?? {}
  if (deployment === undefined) throw new Error(`${path.join(data, LOCATION_FILE)} is missing`)
  const owner = await requireOwnBucket(bucket, deployment)
  if (owner === undefined) await writeOwner(bucket, deployment)
}

function writeLocation(data: string, { s3, ...others }: Location) {
  writeDurably(path.join(data, LOCATION_FILE), `${JSON.stringify({ [S3_FIELD]: s3, ...others })}\n`)
}

function variablesOf(address: S3Address, keysFile: string | undefined) {
  return { ...address, ...readS3Keys(keysFile) }
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

async function openBucket(address: S3Address, keysFile: string | undefined): Promise<Bucket> {
  const { s3Files } = await import('../../../src/storage/files/s3.ts')
  const { readS3Settings } = await import('../../../src/storage/files/s3-settings.ts')
  const settings = readS3Settings(variablesOf(address, keysFile))
  const files = s3Files(settings, async (bytes) => createHash('md5').update(bytes).digest())
  return { name: address.S3_URL, settings, files, hasConditionalPut: true }
}

/** Does each thing that the service does, once: list, write, read and delete. Throws a sentence about the first that fails. */
async function requireRights(bucket: Bucket) {
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
async function requireOwnBucket(bucket: Bucket, deployment: string) {
  const owner = await readOwner(bucket)
  if (owner === undefined || owner === deployment) return owner
  const { bucket: name, folder } = bucket.settings
  throw new Error(
    `${bucket.name} has the files of another Tintype: give this one a folder of its own, such as s3://${name}/${folder}second`,
  )
}

async function writeOwner(bucket: Bucket, deployment: string) {
  const key = await ownerKey()
  const bytes = new TextEncoder().encode(`${deployment}\n`)
  await attempt(bucket, 'write', () => bucket.files.create(key, bytes, { mediaType: 'text/plain' }))
  // Another service may have begun at the same time.
  if ((await readOwner(bucket)) !== deployment) throw new Error(`${bucket.name} was just taken by another Tintype`)
}

/** Throws a sentence where a file of the newest images is not there. */
async function requireFiles(data: string, bucket: Bucket) {
  for (const key of await sampleKeys(data)) {
    if (await attempt(bucket, 'read', () => bucket.files.head(key))) continue
    throw new Error(`${bucket.name} lacks ${key}: copy all files there first`)
  }
}

/** Returns the keys of files of the newest images of each database. */
async function sampleKeys(data: string) {
  const keysOf = await readKeysOfImages()
  return findDatabases(data).flatMap((file) =>
    withDatabase(path.join(data, file), (database) =>
      hasTables(database) ? [...keysOf(database)].slice(-SAMPLED_FILES) : [],
    ),
  )
}

/** Returns whether a data folder has an image, so that its files are somewhere. */
function hasImages(data: string) {
  return findDatabases(data).some((file) =>
    withDatabase(
      path.join(data, file),
      (database) => hasTables(database) && database.prepare('SELECT 1 FROM images LIMIT 1').get() !== undefined,
    ),
  )
}

/** Returns whether the first migration was applied. */
function hasTables(database: DatabaseSync) {
  return database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'images'").get() !== undefined
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
