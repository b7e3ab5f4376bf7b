import { ImageRefusal, type ProbedImage, probe, type SizedImage, uprightSize } from 'tintype-codec/interface'
import { codec, inTurn } from './codec.ts'
import type { Requester } from './turns.ts'
import { workOf } from './work.ts'

/**
 * Joins two images side by side, both scaled down to the smaller height: a JPEG, or a PNG if either may have transparency
 * (D35). Throws ImageRefusal if one cannot be decoded or they are too large together.
 */
export async function joinCover(
  left: ProbedImage,
  right: ProbedImage,
  requester: Requester = {},
): Promise<ProbedImage> {
  const height = Math.min(uprightSize(left.facts).height, uprightSize(right.facts).height)
  const format = left.facts.alpha || right.facts.alpha ? 'png' : 'jpeg'
  const { bytes } = await inTurn(requester, workOf('cover', left, right), () =>
    codec.join(scaledTo(height, left), scaledTo(height, right), format),
  )
  const facts = probe(bytes)
  if (!facts) throw new ImageRefusal('unreadable', 'the two pictures cannot be joined')
  return { bytes, facts }
}

function scaledTo(height: number, image: ProbedImage): SizedImage {
  const upright = uprightSize(image.facts)
  return { image, size: { width: Math.max(1, Math.round((upright.width * height) / upright.height)), height } }
}
