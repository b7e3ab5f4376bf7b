import { uprightSize } from '../../../src/format.ts'
import { type AnyFacts, probe } from '../../../src/probe.ts'
import type { SizedImage } from '../../../src/probed-image.ts'
import { joinSideBySide } from '../../encode.ts'

/** An image scaled to a height, as covers are (D35). */
export function sized(bytes: Uint8Array, height: number): SizedImage {
  const facts = factsOf(bytes)
  const upright = uprightSize(facts)
  const width = Math.max(1, Math.round((upright.width * height) / upright.height))
  return { image: { bytes, facts }, size: { width, height } }
}

/** Both images as a cover, of the format that is asked for. Throws ImageRefusal. */
export async function joined(
  left: Uint8Array,
  right: Uint8Array,
  format: 'jpeg' | 'png' = 'jpeg',
): Promise<Uint8Array> {
  const height = Math.min(...[left, right].map((bytes) => uprightSize(factsOf(bytes)).height))
  const { bytes } = await joinSideBySide(sized(left, height), sized(right, height), format)
  return bytes
}

/** Probes bytes that must be an image. */
function factsOf(bytes: Uint8Array): AnyFacts {
  const facts = probe(bytes)
  if (!facts) throw new Error('no picture')
  return facts
}
