/** Where the first segment of a marker begins, from `from` on. */
export function find(file: Uint8Array, marker: number, from = 0): number {
  return file.findIndex((byte, i) => i >= from && byte === 0xff && file[i + 1] === marker)
}

/** The file with bytes written over it. */
export function written(file: Uint8Array, at: number, ...bytes: number[]): Uint8Array {
  const copy = file.slice()
  copy.set(bytes, at)
  return copy
}

/** The file without its first segment of a marker, if it has one. */
export function without(file: Uint8Array, marker: number): Uint8Array {
  const at = find(file, marker)
  if (at < 0) return file
  const length = 2 + ((file[at + 2] ?? 0) << 8) + (file[at + 3] ?? 0)
  return new Uint8Array([...file.subarray(0, at), ...file.subarray(at + length)])
}

/** The same samples called R, G and B, by an Adobe segment with transform 0; libvips writes no JFIF segment. */
export function asRgb(file: Uint8Array): Uint8Array {
  const adobe = [0xff, 0xee, 0, 14, 0x41, 0x64, 0x6f, 0x62, 0x65, 0, 100, 0, 0, 0, 0, 0]
  return new Uint8Array([0xff, 0xd8, ...adobe, ...file.subarray(2)])
}
