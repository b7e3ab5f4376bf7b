// The location of a data folder's files: on its disk, or in S3. The data folder records it in files.json.

import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { codeOf, messageOf } from '../../shared/command-line.ts'
import { syncFolder, writeDurably } from '../../shared/durable-files.ts'
import { isObject, type JsonObject, parseObject } from '../../shared/json.ts'
import type { Bucket, S3Address } from './bucket.ts'
import { isInBucket, openBucket, requireOwnBucket, requireRights, variablesOf, writeOwner } from './bucket.ts'
import { findDatabases, readKeysOfImages, withDatabase } from './stored-data.ts'

/** Beside the databases: a backup takes it with them. */
export const LOCATION_FILE = 'files.json'
/** The field of that file with the S3 address. */
const S3_FIELD = 'place'
/** The files of so many of the newest images are looked for where files were moved. */
const SAMPLED_FILES = 40

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

/** Throws a sentence where a file of the newest images is not there. */
async function requireFiles(data: string, bucket: Bucket) {
  for (const key of await sampleKeys(data)) {
    if (await isInBucket(bucket, key)) continue
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
