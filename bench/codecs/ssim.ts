/** The mean structural similarity (Wang and others, 2004) of two planes, of windows of 8 x 8 samples, each 4 from the next. */
export function ssim(a: Uint8Array, b: Uint8Array, width: number, height: number) {
  const [c1, c2, count] = [(0.01 * 255) ** 2, (0.03 * 255) ** 2, 64]
  let [sum, windows] = [0, 0]
  for (let top = 0; top + 8 <= height; top += 4) {
    for (let left = 0; left + 8 <= width; left += 4) {
      let [sa, sb, saa, sbb, sab] = [0, 0, 0, 0, 0]
      for (let y = top; y < top + 8; y++) {
        for (let i = y * width + left, end = i + 8; i < end; i++) {
          const [p, q] = [a[i] ?? 0, b[i] ?? 0]
          sa += p
          sb += q
          saa += p * p
          sbb += q * q
          sab += p * q
        }
      }
      const [ma, mb] = [sa / count, sb / count]
      const [va, vb, cov] = [saa / count - ma * ma, sbb / count - mb * mb, sab / count - ma * mb]
      sum += ((2 * ma * mb + c1) * (2 * cov + c2)) / ((ma * ma + mb * mb + c1) * (va + vb + c2))
      windows++
    }
  }
  return sum / windows
}
