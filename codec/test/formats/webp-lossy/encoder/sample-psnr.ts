/** The PSNR of samples in dB; infinite if they are equal. */
export function samplePsnr(a: Uint8Array, b: Uint8Array): number {
  if (a.length !== b.length) throw new Error(`${a.length} and ${b.length} samples`)
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += ((a[i] ?? 0) - (b[i] ?? 0)) ** 2
  return 10 * Math.log10((255 * 255 * a.length) / sum)
}
