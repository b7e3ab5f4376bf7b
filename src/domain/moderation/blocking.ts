import { Buffer } from 'node:buffer'
import { type ImageFile, ImageRefusal } from 'tintype-codec/interface'
import { distanceOf, type Fingerprint } from '../../image/fingerprint.ts'
import { fingerprintOfThumbnail } from '../../image/thumbnail.ts'
import type { Requester } from '../../image/turns.ts'
import { TurnRefusal } from '../../image/turns.ts'
import { FINGERPRINT_MAX_DISTANCE } from '../../limits.ts'
import { readFile } from '../../storage/files.ts'
import { findBlockedFiles, findSimilarFingerprints, insertBlocked } from '../../storage/moderation/blocked.ts'
import type { Image } from '../../storage/schema.ts'
import { homeOf, type Store } from '../../storage/store.ts'
import { Failure } from '../failure.ts'
import { digestOf } from '../ids/digest.ts'
import { imagePath } from '../ids/links.ts'

/**
 * Images that the operator removed and does not want again (D42). Blocks are stored on shard 0, whatever shard the image is on.
 */

/** Whether fingerprints are blocked too. Digests are compared before anything is decoded, fingerprints after. */
export interface FingerprintCheck {
  isNeeded: boolean
}

/** Throws `blocked_content` if one of these files is blocked. */
export async function refuseBlockedFiles(store: Store, digests: readonly string[]): Promise<FingerprintCheck> {
  const { isBlocked, hasFingerprints } = await findBlockedFiles(homeOf(store), digests)
  if (isBlocked) throw blocked()
  return { isNeeded: hasFingerprints }
}

/** Throws `blocked_content` if the fingerprint of the thumbnail matches that of a blocked image. */
export async function refuseSimilarImages(
  store: Store,
  { isNeeded }: FingerprintCheck,
  thumbnail: ImageFile,
  requester: Requester = {},
): Promise<void> {
  const fingerprint = isNeeded ? await fingerprintOfThumbnail(thumbnail.bytes, requester) : undefined
  if (!fingerprint) return
  const similar = await findSimilarFingerprints(homeOf(store), textOf(fingerprint))
  if (similar.some((other) => distanceOf(fingerprint, Buffer.from(other, 'hex')) <= FINGERPRINT_MAX_DISTANCE)) {
    throw blocked()
  }
}

/** Blocks an image by its digests and its fingerprint. Returns false if its files are already removed. */
export async function blockImage(store: Store, image: Image, nowMs: number): Promise<boolean> {
  const path = imagePath(image)
  const stored = await readFile(store, 'images', path)
  const thumbnail = await readFile(store, 'thumbs', path)
  const digests = [image.sentDigest, stored && (await digestOf(stored))].filter((digest) => typeof digest === 'string')
  if (digests.length === 0) return false
  const fingerprint = thumbnail && (await fingerprintIfReadable(thumbnail))
  await insertBlocked(
    homeOf(store),
    { imageId: image.id, digests, fingerprint: fingerprint && textOf(fingerprint) },
    nowMs,
  )
  return true
}

/** Returns the fingerprint of a stored thumbnail; undefined if it has no detail or is damaged. Throws `overloaded`. */
async function fingerprintIfReadable(thumbnail: Uint8Array): Promise<Fingerprint | undefined> {
  try {
    return await fingerprintOfThumbnail(thumbnail)
  } catch (error) {
    if (!(error instanceof ImageRefusal)) throw error
    if (error.reason !== 'busy') return undefined
    throw new Failure('overloaded', error.message, error instanceof TurnRefusal ? error.retryAfterS : 1)
  }
}

function textOf(fingerprint: Fingerprint): string {
  return Buffer.from(fingerprint).toString('hex')
}

function blocked(): Failure {
  return new Failure('blocked_content')
}
