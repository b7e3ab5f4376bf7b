import { Buffer } from 'node:buffer'
import { brotliDecompressSync } from 'node:zlib'

/** The text of what `pack` in tools/build/pack.ts made: Brotli (RFC 7932) in Base64. */
export function unpack(packed: string): string {
  return new TextDecoder().decode(brotliDecompressSync(Buffer.from(packed, 'base64')))
}
