import { probe } from '../../src/probe.ts'
import { stripMetadata, trimImageData } from '../../src/strip.ts'

/** Returns an image without its metadata and what follows its image data, by the header that is read of it. */
export function strip(bytes: Uint8Array): Uint8Array {
  const facts = probe(bytes)
  if (!facts) throw new Error('not an image')
  return trimImageData(stripMetadata(bytes, facts), facts)
}
