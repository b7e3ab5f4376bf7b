import { probe } from '../../src/probe.ts'
import { cutIdleBytes, stripMetadata } from '../../src/strip.ts'

/** Returns an image without its metadata and idle bytes, by the header that is read of it. */
export function strip(bytes: Uint8Array): Uint8Array {
  const facts = probe(bytes)
  if (!facts) throw new Error('not an image')
  return cutIdleBytes(stripMetadata(bytes, facts), facts)
}
