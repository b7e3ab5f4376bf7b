import sharp from 'sharp'

/** What `quarters` looks like after each EXIF turn (EXIF 2.32, 4.6.4 A), for a picture stored with that orientation. */
export const TURNED_QUARTERS = {
  1: 'RGBW',
  2: 'GRWB',
  3: 'WBGR',
  4: 'BWRG',
  5: 'RBGW',
  6: 'BRWG',
  7: 'WGBR',
  8: 'GWRB',
} as const

/** The size a picture has inside a box (D30): never enlarged, rounded down, at least 1. */
export function fitted(width: number, height: number, box: number): { width: number; height: number } {
  const longest = Math.max(width, height)
  if (longest <= box) return { width, height }
  const scaled = (side: number) => Math.max(1, Math.floor((side * box) / longest))
  return { width: scaled(width), height: scaled(height) }
}

/** The RGB colour at a place given in parts of the width and height, as a decoder shows it (over black where it is transparent). */
export async function colourAt(file: Buffer, partX: number, partY: number): Promise<[number, number, number]> {
  const { data, info } = await sharp(file)
    .toColourspace('srgb')
    .flatten()
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  const x = Math.min(info.width - 1, Math.floor(partX * info.width))
  const y = Math.min(info.height - 1, Math.floor(partY * info.height))
  const at = (y * info.width + x) * info.channels
  return [data[at] ?? -1, data[at + 1] ?? -1, data[at + 2] ?? -1]
}

/** The nearest of the colours that the pictures above are made of: letters make failures readable. */
export async function letterAt(file: Buffer, partX: number, partY: number): Promise<string> {
  const colour = await colourAt(file, partX, partY)
  const known = { R: [255, 0, 0], G: [0, 255, 0], B: [0, 0, 255], W: [255, 255, 255], K: [0, 0, 0] }
  const distance = (other: readonly number[]) => colour.reduce((sum, c, i) => sum + (c - (other[i] ?? 0)) ** 2, 0)
  return Object.entries(known).reduce((best, row) => (distance(row[1]) < distance(best[1]) ? row : best))[0]
}

/** The four quarters read row by row, e.g. `RGBW` for `quarters` upright. */
export async function quarterLetters(file: Buffer): Promise<string> {
  const positions: [number, number][] = [
    [0.25, 0.25],
    [0.75, 0.25],
    [0.25, 0.75],
    [0.75, 0.75],
  ]
  const letters = await Promise.all(positions.map(([x, y]) => letterAt(file, x, y)))
  return letters.join('')
}
