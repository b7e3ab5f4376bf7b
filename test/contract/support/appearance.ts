import sharp from 'sharp'

/** The quarters of `quarters`, stored with each EXIF orientation, as they are shown (EXIF 2.32, 4.6.4 A). */
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

/** Returns the size of an image inside a box (D30): never enlarged, rounded down, at least 1. */
export function fitted(width: number, height: number, box: number): { width: number; height: number } {
  const longest = Math.max(width, height)
  if (longest <= box) return { width, height }
  const scaled = (side: number) => Math.max(1, Math.floor((side * box) / longest))
  return { width: scaled(width), height: scaled(height) }
}

/**
 * Returns the RGB colour at a position, in parts of the width and height, as a decoder shows it (transparency over
 * black).
 */
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

/** Returns the letter of the nearest colour of the images above, because letters make failures readable. */
export async function letterAt(file: Buffer, partX: number, partY: number): Promise<string> {
  const colour = await colourAt(file, partX, partY)
  const known = { R: [255, 0, 0], G: [0, 255, 0], B: [0, 0, 255], W: [255, 255, 255], K: [0, 0, 0] }
  const distance = (other: readonly number[]) => colour.reduce((sum, c, i) => sum + (c - (other[i] ?? 0)) ** 2, 0)
  return Object.entries(known).reduce((best, row) => (distance(row[1]) < distance(best[1]) ? row : best))[0]
}

/** Returns the four quarters row by row, such as `RGBW` for `quarters` upright. */
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
