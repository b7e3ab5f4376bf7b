/** Width and height in CSS pixels. */
export interface Size {
  width: number
  height: number
}

/** An image in a row of a gallery. */
export interface Tile {
  /** Width by height of the tile. */
  ratio: number
  /** The largest size of the image, in CSS pixels: enlarged further, it would be blurred. */
  most: Size
  /** Whether the image is so small that it has a plain tile, with room around it. */
  isSmall: boolean
}

/** Consecutive tiles of the same height. */
export interface Row {
  /** Index of the first tile. */
  from: number
  /** Index after the last tile. */
  to: number
  /** Width of the gallery without gaps, by the height of the row: the sum of its ratios, or more where it ends early. */
  ratio: number
}

/** The widths of windows that share their rows; heights scale with the width between them. */
interface WidthClass {
  /** Of the window, in pixels, with its scroll bar. */
  from: number
  to: number
}

/** A gallery is this much narrower than its window, and at most this wide. */
const MARGINS_PX = 32
const GALLERY_MAX_PX = 1248
/** Between tiles. The style has the same. */
export const GAP_PX = 4

/** Within a class, heights differ by a quarter at most, except on phones: two images a row suit all of them. */
export const WIDTH_CLASSES: readonly WidthClass[] = [
  { from: 0, to: 480 },
  { from: 480, to: 600 },
  { from: 600, to: 744 },
  { from: 744, to: 912 },
  { from: 912, to: 1096 },
  { from: 1096, to: GALLERY_MAX_PX + MARGINS_PX },
  { from: GALLERY_MAX_PX + MARGINS_PX, to: Number.POSITIVE_INFINITY },
]

/** The smallest window whose galleries have two images a row. */
const PHONE_PX = 320
/** The widths of galleries on common phones, and on large ones. */
const PHONE_GALLERY_PX = 358
const LARGE_PHONE_GALLERY_PX = 398
/** Two images beside each other would be too low. */
const PANORAMA_RATIO = 2.2
/** Three images beside each other are not too low. */
const NARROW_RATIO = 0.55

/** Heights of rows, in pixels. */
interface Heights {
  wanted: number
  least: number
  most: number
}

const USUAL: Heights = { wanted: 240, least: 180, most: 340 }
const ON_PHONES: Heights = { wanted: 150, least: 90, most: 340 }
const SMALL_WINDOW: Heights = { wanted: 190, least: 130, most: 340 }
/** Up to this many images are large. */
const FEW_IMAGES = 4
const FEW: Heights = { wanted: 360, least: 180, most: 560 }
const FEW_ON_PHONES: Heights = { wanted: 260, least: 110, most: 480 }
/** The lowest row of icons. */
const ICON_ROW_PX = 96
/** Room around an icon, in both directions. */
const ICON_ROOM_PX = 48
/** A last row ends early if it would be this many times as high as wanted. */
const STRETCH_MAX = 1.15
/** Rows of few images, by the wanted height. */
const FEW_STRETCH = 1.25
/** More tiles are never tried in a row. */
const ROW_MAX_TILES = 24

/** Costs of what looks wrong, beside the square of the logarithm of height by wanted height. */
const COST = { outOfRange: 6, emptyTile: 4, otherNumber: 0.6, endsEarly: 0.05, alone: 0.5 }

/**
 * Returns the rows of tiles in a class of widths. Of all ways to break them into rows, it is the one whose heights are nearest to
 * the wanted one (Knuth and Plass, "Breaking paragraphs into lines", 1981). Takes time in proportion to the number of tiles.
 */
export function rowsOf(tiles: readonly Tile[], widths: WidthClass): Row[] {
  const measure = new Measure(tiles, widths)
  const costs: number[] = [0]
  const starts: number[] = [0]
  for (let to = 1; to <= tiles.length; to++) {
    let least = Number.POSITIVE_INFINITY
    let ratio = 0
    for (let from = to - 1; from >= Math.max(0, to - ROW_MAX_TILES); from--) {
      ratio += tiles[from]?.ratio ?? 0
      const row = { from, to, ratio }
      const cost = (costs[from] ?? 0) + measure.costOf(row)
      if (cost < least) {
        least = cost
        starts[to] = from
      }
      // Rows with more tiles are lower still.
      if (measure.heightOf(row) < measure.lowestPx) break
    }
    costs[to] = least
  }
  const rows: Row[] = []
  for (let to = tiles.length; to > 0; to = starts[to] ?? 0) {
    const from = starts[to] ?? 0
    rows.unshift({ from, to, ratio: measure.shownRatio(from, to) })
  }
  return rows
}

/** Heights and costs of rows in the middle of a class of widths. */
class Measure {
  readonly #tiles: readonly Tile[]
  readonly #heights: Heights
  readonly #isPhone: boolean
  readonly #isFew: boolean
  readonly #widthPx: number
  /** The widest gallery of the class, by the one that is measured. */
  readonly #widest: number
  readonly lowestPx: number

  constructor(tiles: readonly Tile[], widths: WidthClass) {
    const least = Math.min(Math.max(widths.from, PHONE_PX) - MARGINS_PX, GALLERY_MAX_PX)
    this.#isPhone = widths.from === 0
    const most = this.#isPhone ? LARGE_PHONE_GALLERY_PX : Math.min(widths.to - MARGINS_PX, GALLERY_MAX_PX)
    this.#tiles = tiles
    this.#isFew = tiles.length <= FEW_IMAGES
    this.#widthPx = this.#isPhone ? PHONE_GALLERY_PX : Math.sqrt(least * most)
    this.#widest = most / this.#widthPx
    this.#heights = heightsFor(
      tiles,
      widths,
      this.#isPhone ? 1 : this.#widthPx / least,
      this.#isPhone ? 1 : this.#widest,
    )
    this.lowestPx = Math.min(this.#heights.least, ICON_ROW_PX) / 2
  }

  heightOf({ from, to, ratio }: Row): number {
    return (this.#widthPx - (to - from - 1) * GAP_PX) / ratio
  }

  costOf(row: Row): number {
    const height = this.heightOf(row)
    const number = row.to - row.from
    if (this.#endsEarly(row, height)) return COST.endsEarly + (number === 1 ? COST.alone : 0)
    const { wanted, least, most } = this.#isOfIcons(row) ? this.#iconHeights(row) : this.#heights
    const outside = Math.max(0, Math.log(height / most), Math.log(least / height))
    const ofTile =
      Math.log(height / wanted) ** 2 +
      COST.outOfRange * outside +
      COST.emptyTile * this.#emptyShare(row, height) +
      (this.#isPhone && !this.#isFew ? this.#numberCost(row) : 0)
    return number * ofTile
  }

  /** The sum of the ratios of a row or, where it would be much higher than wanted, the one that leaves it at that height. */
  shownRatio(from: number, to: number): number {
    const ratio = this.#tiles.slice(from, to).reduce((sum, tile) => sum + tile.ratio, 0)
    const height = this.heightOf({ from, to, ratio })
    if (!this.#endsEarly({ from, to, ratio }, height)) return ratio
    return (ratio * height) / this.#naturalHeight({ from, to, ratio })
  }

  /** Whether it is the last row and too short. */
  #endsEarly(row: Row, height: number): boolean {
    return row.to === this.#tiles.length && height > this.#naturalHeight(row) * STRETCH_MAX
  }

  /** The height of a last row that ends early. */
  #naturalHeight(row: Row): number {
    if (this.#isOfIcons(row)) return this.#iconHeights(row).wanted
    const height = this.#isFew ? FEW_STRETCH * this.#heights.wanted : this.#heights.wanted
    const sharp = this.#tiles.slice(row.from, row.to).map(({ most }) => most.height / this.#widest)
    return Math.min(height, Math.max(...sharp))
  }

  #isOfIcons({ from, to }: Row): boolean {
    for (let index = from; index < to; index++) if (!this.#tiles[index]?.isSmall) return false
    return true
  }

  #iconHeights({ from, to }: Row): Heights {
    let highest = 0
    for (let index = from; index < to; index++) highest = Math.max(highest, this.#tiles[index]?.most.height ?? 0)
    const wanted = Math.min(Math.max(highest + ICON_ROOM_PX, ICON_ROW_PX), this.#heights.wanted)
    return { wanted, least: 0.8 * wanted, most: 1.5 * wanted }
  }

  /** The share of a row that images leave empty because they would be blurred. */
  #emptyShare({ from, to, ratio }: Row, height: number): number {
    const highest = height * this.#widest
    let empty = 0
    for (let index = from; index < to; index++) {
      const tile = this.#tiles[index]
      if (!tile || tile.isSmall || tile.most.height >= highest) continue
      empty += tile.ratio * (1 - (tile.most.height / highest) ** 2)
    }
    return empty / ratio
  }

  /** Phones have two images a row, except of panoramas and of narrow images. */
  #numberCost({ from, to, ratio }: Row): number {
    const number = to - from
    if (number === 2 || (number === 1 && ratio > PANORAMA_RATIO)) return 0
    if (number === 3 && ratio < 3 * NARROW_RATIO) return 0
    return COST.otherNumber * Math.abs(number - 2)
  }
}

/** The heights of rows at this width, lower for images that would be blurred in them. */
function heightsFor(tiles: readonly Tile[], widths: WidthClass, byLeast: number, byMost: number): Heights {
  const isFew = tiles.length <= FEW_IMAGES
  const usual = usualHeights(widths, isFew)
  const sharp = tiles
    .filter(({ isSmall }) => !isSmall)
    .map(({ most }) => most.height)
    .sort((a, b) => a - b)
  const wanted = Math.min(usual.wanted, (0.95 * (sharp[Math.floor(sharp.length / 2)] ?? ICON_ROW_PX)) / byMost)
  return {
    wanted,
    least: Math.min(usual.least * byLeast, 0.75 * wanted),
    most: wanted < usual.wanted ? 1.1 * wanted : usual.most / byMost,
  }
}

function usualHeights({ from }: WidthClass, isFew: boolean): Heights {
  if (from < 480) return isFew ? FEW_ON_PHONES : ON_PHONES
  if (isFew) return from < 744 ? { ...FEW, wanted: 300 } : FEW
  return from < 600 ? SMALL_WINDOW : USUAL
}
