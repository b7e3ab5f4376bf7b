/**
 * Returns the PSNR of two RGBA images of one size in dB, over their colours as seen on white and their alphas.
 * Infinite if they are equal.
 */
export function psnr(a: Uint8Array, b: Uint8Array): number {
  if (a.length !== b.length || a.length === 0) throw new Error(`pictures of ${a.length} and ${b.length} bytes`)
  let sum = 0
  for (let pixel = 0; pixel < a.length; pixel += 4) {
    const alphaA = at(a, pixel + 3)
    const alphaB = at(b, pixel + 3)
    for (let c = 0; c < 3; c++) {
      const onWhiteA = 255 + ((at(a, pixel + c) - 255) * alphaA) / 255
      const onWhiteB = 255 + ((at(b, pixel + c) - 255) * alphaB) / 255
      sum += (onWhiteA - onWhiteB) ** 2
    }
    sum += (alphaA - alphaB) ** 2
  }
  return 10 * Math.log10((255 * 255 * a.length) / sum)
}

function at(samples: Uint8Array, index: number): number {
  return samples[index] ?? 0
}
