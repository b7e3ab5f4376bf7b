import { expect } from 'vitest'
import { accepted, type Codec, decode } from './decoder.ts'
import { psnr } from './images.ts'
import { golden } from './sharp.ts'

/** Asserts that a file decoded to a size is within `least` dB of the yardstick. */
export async function assertGolden(
  codec: Codec,
  file: Uint8Array,
  size: [number, number],
  least: number,
): Promise<void> {
  const { bytes } = accepted(decode(codec, file, { size }))
  const ratio = psnr(bytes, 4, await golden(file, ...size), 3)
  expect(ratio, 'dB').toBeGreaterThanOrEqual(least)
}
