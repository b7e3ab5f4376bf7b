import { Buffer } from 'node:buffer'

/** The SHA-256 digest of bytes, or of a text in UTF-8, in hexadecimal. */
export async function digestOf(data: Uint8Array | string): Promise<string> {
  const bytes = typeof data === 'string' ? new TextEncoder().encode(data) : data
  return Buffer.from(await crypto.subtle.digest('SHA-256', bytes)).toString('hex')
}
