import { joinSideBySide, type Panel } from '../../../src/image/codecs.ts'
import { type ImageFacts, uprightSize } from '../../../src/image/format.ts'
import { type AnyFacts, probe } from '../../../src/image/probe.ts'

/** What the header of a picture that must be one tells. */
export function factsOf(bytes: Uint8Array): AnyFacts {
  const facts = probe(bytes)
  if (!facts) throw new Error('no picture')
  return facts
}

/** A picture scaled to a height, as covers are (D35). */
export function panel(bytes: Uint8Array, height: number): Panel {
  const facts = factsOf(bytes)
  const upright = uprightSize(facts)
  const width = Math.max(1, Math.round((upright.width * height) / upright.height))
  return { picture: { bytes, facts }, size: { width, height } }
}

/** The lesser of the upright heights. */
export function lesserHeight(left: ImageFacts, right: ImageFacts): number {
  return Math.min(uprightSize(left).height, uprightSize(right).height)
}

/** Both pictures as a cover, of the format that is asked for. Throws ImageRefusal. */
export async function joined(
  left: Uint8Array,
  right: Uint8Array,
  format: 'jpeg' | 'png' = 'jpeg',
): Promise<Uint8Array> {
  const height = lesserHeight(factsOf(left), factsOf(right))
  const { bytes } = await joinSideBySide(panel(left, height), panel(right, height), format)
  return bytes
}
