const ALGORITHM = { name: 'HMAC', hash: 'SHA-256' }

/** A secret, as bytes or as the UTF-8 of a text. */
type Secret = string | Uint8Array<ArrayBuffer>

/** Returns the HMAC-SHA-256 of a text. */
export async function hmacOf(secret: Secret, text: string): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await crypto.subtle.sign('HMAC', await importKey(secret, 'sign'), bytesOf(text)))
}

/** Returns whether this is the HMAC-SHA-256 of a text. The comparison takes constant time. */
export async function isHmacOf(secret: Secret, text: string, mac: Uint8Array<ArrayBuffer>): Promise<boolean> {
  return crypto.subtle.verify('HMAC', await importKey(secret, 'verify'), mac, bytesOf(text))
}

function importKey(secret: Secret, usage: 'sign' | 'verify'): Promise<CryptoKey> {
  return crypto.subtle.importKey('raw', bytesOf(secret), ALGORITHM, false, [usage])
}

function bytesOf(secret: Secret): Uint8Array<ArrayBuffer> {
  return typeof secret === 'string' ? Uint8Array.from(new TextEncoder().encode(secret)) : secret
}
