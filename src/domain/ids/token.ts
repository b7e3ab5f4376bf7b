import { GALLERY_HASH_LENGTH, MANAGEMENT_TOKEN_LENGTH, UPLOAD_TOKEN_LENGTH } from '../../limits.ts'
import { hmacOf } from './hmac.ts'

/**
 * Tokens and public hashes, all cryptographically random. Of a token only the digest is stored. Those of shard 0 are as they were
 * before there were shards; what names another shard is a form that none of them has.
 */

const ALPHANUMERICS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const BASE64URL = `${ALPHANUMERICS}-_`
/** 32 bytes end with four bits and two that are 0: on shard 0 a token ends with one of 16 characters. */
const ENDS = [...BASE64URL].filter((_, at) => at % 4 !== 0)
const MANAGEMENT_TOKEN = new RegExp(`^[A-Za-z0-9_-]{${MANAGEMENT_TOKEN_LENGTH}}$`)

/** A public gallery identifier: 12 alphanumerics, some 71 bits, and on another shard than 0 one more, which names it. */
export function createGalleryHash(shard: number): string {
  return randomAlphanumerics(GALLERY_HASH_LENGTH) + (shard === 0 ? '' : ALPHANUMERICS.charAt(shard))
}

/** The number of the shard that a gallery is on, by its hash; 0 for a text of another form. */
export function shardOfGallery(hash: string): number {
  return hash.length === GALLERY_HASH_LENGTH + 1 ? Math.max(ALPHANUMERICS.indexOf(hash.slice(-1)), 0) : 0
}

/** A private gallery upload token: 43 alphanumerics, 256 bits. */
export function createUploadToken(): string {
  return randomAlphanumerics(UPLOAD_TOKEN_LENGTH)
}

/**
 * A private management token: 256 bits in 43 characters of base64url. On another shard than 0 the last character names it, which
 * leaves 252 bits.
 */
export function createManagementToken(shard: number): string {
  return tokenOf(crypto.getRandomValues(new Uint8Array(32)), shard)
}

/** A random text that makes guest tokens of one management token differ: 128 bits. */
export function createNonce(): string {
  return crypto.randomUUID()
}

/**
 * Derives the token of a guest link from the management token of its gallery, by HMAC-SHA-256. Whoever has that token can derive
 * it again; nobody can go the other way. It names the same shard.
 */
export async function guestTokenOf(managementToken: string, nonce: string): Promise<string> {
  return tokenOf(await hmacOf(managementToken, `guest link ${nonce}`), shardOfManagement(managementToken))
}

function tokenOf(bytes: Uint8Array, shard: number): string {
  const base64 = btoa(String.fromCharCode(...bytes))
  const token = base64.replaceAll('+', '-').replaceAll('/', '_').replace('=', '')
  return shard === 0 ? token : token.slice(0, -1) + (ENDS[shard - 1] ?? '')
}

/** The number of the shard that a management token is for; 0 for a text of another form. */
export function shardOfManagement(token: string): number {
  return ENDS.indexOf(token.slice(-1)) + 1
}

/** The id of an operation that deletes something, for it to know its own mark again: 128 random bits. */
export function createOperationId(): string {
  return crypto.randomUUID()
}

/** Whether a text has the form of a management token at all. */
export function isManagementToken(text: string): boolean {
  return MANAGEMENT_TOKEN.test(text)
}

function randomAlphanumerics(length: number): string {
  let text = ''
  while (text.length < length) {
    for (const byte of crypto.getRandomValues(new Uint8Array(length))) {
      // 248 is the largest multiple of 62 in a byte: larger values are discarded so that all characters are equally likely.
      if (byte < 248 && text.length < length) text += ALPHANUMERICS.charAt(byte % 62)
    }
  }
  return text
}
