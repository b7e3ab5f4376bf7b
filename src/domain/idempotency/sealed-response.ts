import { Buffer } from 'node:buffer'
import { digestOf } from '../ids/digest.ts'

/**
 * A response is stored with the Idempotency-Key of its request so that the database alone reveals neither. The row is found by the
 * SHA-256 digest of the key. Secrets derived from the key (HKDF-SHA256, salted with the random id of the request's lease) encrypt the
 * response (AES-256-GCM) and fingerprint the request (HMAC-SHA256). Only the client has the key; a key that can be guessed protects
 * nothing.
 */

const IV_BYTES = 12
const LEASE_ID_BYTES = 16

/** Returns the digest that a key is found by. It differs from the digest of a token, in case a client uses a token as its key. */
export function keyDigest(key: string): Promise<string> {
  return digestOf(`Idempotency-Key ${key}`)
}

/** Returns the id of a new lease: 128 random bits. */
export function createLeaseId(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(LEASE_ID_BYTES))).toString('hex')
}

/** Returns a fingerprint of a request's description, under the key and the lease's id. */
export async function fingerprint(key: string, leaseId: string, description: string): Promise<string> {
  const secret = await derive(key, leaseId, 'fingerprint', { name: 'HMAC', hash: 'SHA-256', length: 256 }, ['sign'])
  return Buffer.from(await crypto.subtle.sign('HMAC', secret, bytesOf(description))).toString('base64')
}

/** Encrypts a response under the key and the lease's id. */
export async function sealResponse(key: string, leaseId: string, response: string): Promise<string> {
  const secret = await responseSecret(key, leaseId)
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES))
  const encrypted = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, secret, bytesOf(response))
  return Buffer.concat([iv, new Uint8Array(encrypted)]).toString('base64')
}

/** Decrypts what `sealResponse` returned. Throws for another key or another lease's id. */
export async function openResponse(key: string, leaseId: string, sealed: string): Promise<string> {
  const secret = await responseSecret(key, leaseId)
  const bytes = Buffer.from(sealed, 'base64')
  const iv = bytes.subarray(0, IV_BYTES)
  const response = await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, secret, bytes.subarray(IV_BYTES))
  return new TextDecoder().decode(response)
}

function responseSecret(key: string, leaseId: string): Promise<CryptoKey> {
  return derive(key, leaseId, 'answer', { name: 'AES-GCM', length: 256 }, ['encrypt', 'decrypt'])
}

async function derive(
  key: string,
  leaseId: string,
  purpose: string,
  algorithm: { name: string; hash?: string; length: number },
  usages: string[],
): Promise<CryptoKey> {
  const material = await crypto.subtle.importKey('raw', bytesOf(key), 'HKDF', false, ['deriveKey'])
  const hkdf = { name: 'HKDF', hash: 'SHA-256', salt: bytesOf(leaseId), info: bytesOf(purpose) }
  return crypto.subtle.deriveKey(hkdf, material, algorithm, false, usages)
}

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}
