import { Buffer } from 'node:buffer'
import { digestOf } from './digest.ts'

/**
 * How an answer is stored with the Idempotency-Key of its request so that the database alone reveals neither. The row is found
 * by the SHA-256 digest of the key. Secrets derived from the key (HKDF-SHA256, salted with the random id of the request's
 * claim) encrypt the answer (AES-256-GCM) and fingerprint the request (HMAC-SHA256). Only the client has the key; a key that
 * can be guessed protects nothing.
 */

const IV_BYTES = 12
const CLAIM_BYTES = 16

/** The digest that a key is found by. It differs from the digest of a token, in case a client uses a token as its key. */
export function keyDigest(key: string): Promise<string> {
  return digestOf(`Idempotency-Key ${key}`)
}

/** The id of a new claim to a key: 128 random bits. */
export function createClaimId(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(CLAIM_BYTES))).toString('hex')
}

/** A fingerprint of a request's description, under the key and the claim's id. */
export async function fingerprint(key: string, claimId: string, description: string): Promise<string> {
  const secret = await derive(key, claimId, 'fingerprint', { name: 'HMAC', hash: 'SHA-256', length: 256 }, ['sign'])
  return Buffer.from(await crypto.subtle.sign('HMAC', secret, bytesOf(description))).toString('base64')
}

/** Encrypts an answer under the key and the claim's id. */
export async function sealAnswer(key: string, claimId: string, answer: string): Promise<string> {
  const secret = await answerSecret(key, claimId)
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES))
  const encrypted = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, secret, bytesOf(answer))
  return Buffer.concat([iv, new Uint8Array(encrypted)]).toString('base64')
}

/** Decrypts what `sealAnswer` gave. Throws for another key or another claim's id. */
export async function openAnswer(key: string, claimId: string, sealed: string): Promise<string> {
  const secret = await answerSecret(key, claimId)
  const bytes = Buffer.from(sealed, 'base64')
  const iv = bytes.subarray(0, IV_BYTES)
  const answer = await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, secret, bytes.subarray(IV_BYTES))
  return new TextDecoder().decode(answer)
}

function answerSecret(key: string, claimId: string): Promise<CryptoKey> {
  return derive(key, claimId, 'answer', { name: 'AES-GCM', length: 256 }, ['encrypt', 'decrypt'])
}

async function derive(
  key: string,
  claimId: string,
  purpose: string,
  algorithm: { name: string; hash?: string; length: number },
  usages: string[],
): Promise<CryptoKey> {
  const material = await crypto.subtle.importKey('raw', bytesOf(key), 'HKDF', false, ['deriveKey'])
  const hkdf = { name: 'HKDF', hash: 'SHA-256', salt: bytesOf(claimId), info: bytesOf(purpose) }
  return crypto.subtle.deriveKey(hkdf, material, algorithm, false, usages)
}

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}
