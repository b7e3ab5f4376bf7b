import { type Row, rowsOf, type Size, type Tile, WIDTH_CLASSES } from './rows.ts'

/** A file that shows an image. */
export interface Source extends Size {
  url: string
}

/** The files of an image that a tile can show, and what is known of their pixels. */
export interface TileSources {
  thumbnail: Source
  /** A larger file that loads quickly. Images of before previews have none. */
  preview: Source | undefined
  /** The size of the original. */
  original: Size
  /** Whether its format has no transparency. */
  opaque: boolean
  /** The name of the format of an animation. */
  animation: string | undefined
}

/** Factor by which a thumbnail may be enlarged where there is no preview. Originals are never enlarged. */
const THUMBNAIL_ENLARGED = 1.25
/** Ratios of width to height that are shown as they are. */
const USUAL_RATIOS = { min: 1 / 2.5, max: 3 }
/** The share of an image with another ratio that may be cropped. */
const CROPPED = 0.1
/** Wider images have a row of their own, and keep their ratio. */
const STRIP_RATIO = 7
/** The least ratio of a tile: a narrower one is hard to see and to touch. */
const RATIO_MIN = 0.25
/** Images that are never shown higher than this have a plain tile, with room around them. */
const SMALL_PX = 120
/** The room around such an image, the height of a usual row, and the least ratio of its tile. */
const SMALL = { roomPx: 48, rowPx: 230, ratioMin: 0.6 }
/** Larger images fill every tile. */
const LARGE_PX = 600
/** Smaller thumbnails are not offered beside a preview: they suit no screen. */
const THUMBNAIL_USEFUL_PX = 300

/** The tile of an image: its shape, and the largest size of the image in it. */
export function tileOf(sources: TileSources): Tile {
  const { ratio: natural, most } = shapeOf(sources)
  const isSmall = most.height < SMALL_PX && most.width < LARGE_PX
  if (!isSmall) return { ratio: short(tileRatio(natural)), most, isSmall }
  const ratio = Math.min(Math.max((most.width + SMALL.roomPx) / SMALL.rowPx, SMALL.ratioMin), Math.max(natural, 1))
  return { ratio: short(ratio), most, isSmall }
}

/** The ratio of an image, and its largest size in CSS pixels. */
function shapeOf({ thumbnail, preview, original }: TileSources): { ratio: number; most: Size } {
  if (preview) return { ratio: preview.width / preview.height, most: preview }
  const isWhole = thumbnail.width >= original.width
  const scale = isWhole ? 1 : THUMBNAIL_ENLARGED
  return {
    ratio: thumbnail.width / thumbnail.height,
    most: { width: scale * thumbnail.width, height: scale * thumbnail.height },
  }
}

/** Extreme shapes are cropped by a tenth at most. The narrowest get a wider tile. */
function tileRatio(ratio: number): number {
  const { min, max } = USUAL_RATIOS
  if (ratio > STRIP_RATIO) return ratio
  if (ratio > max) return Math.max(max, ratio * (1 - CROPPED))
  if (ratio < min) return Math.max(Math.min(min, ratio / (1 - CROPPED)), RATIO_MIN)
  return ratio
}

/**
 * Returns the style of the tiles, the n-th of which is the n-th link of its parent. `--r` is the ratio of a tile, and `--s` that of
 * its row, which has `--n` gaps. `--w` and `--h` limit the image in its tile, and `--q` is its ratio.
 */
export function tilesStyle(images: readonly TileSources[]): string {
  const tiles = images.map(tileOf)
  const styles = tiles.map((tile, index) => {
    const image = images[index]
    return `${nth(index)}{--r:${tile.ratio}${image ? imageStyle(image, tile) : ''}}`
  })
  return [
    ...styles,
    ...(tiles.length === 1 ? [aloneStyle(tiles[0])] : []),
    ...WIDTH_CLASSES.map((widths) => {
      const rows = rowsOf(tiles, widths).map(rowStyle).join('')
      const { from, to } = widths
      if (to === Number.POSITIVE_INFINITY) return `@media(width>=${from}px){${rows}}`
      return `@media(${from === 0 ? '' : `${from}px<=`}width<${to}px){${rows}}`
    }),
  ].join('')
}

/** A single image is as large as its file, and at most as high as the window. */
function aloneStyle(tile: Tile | undefined): string {
  if (!tile) return ''
  const width = tile.isSmall ? tile.most.width + SMALL.roomPx : tile.most.width
  return `.images a{flex:0 1 min(100%,${short(width)}px,${short(80 * tile.ratio)}svh)}`
}

function imageStyle(image: TileSources, { ratio, most, isSmall }: Tile): string {
  const natural = shapeOf(image).ratio
  const badge = image.animation === undefined ? '' : `;--badge:"${image.animation}"`
  const checks = image.opaque ? '' : ';--behind:var(--checks)'
  const share = 100 * Math.min(1, natural / ratio)
  if (isSmall || natural > STRIP_RATIO || share < 100 * (1 - CROPPED)) {
    const room = isSmall ? ',calc(100% - 1rem)' : ''
    return `;--w:min(${short(most.width)}px,${short(share)}%${room});--h:auto;--q:${short(natural)}${checks}${badge}`
  }
  const limited = Math.max(most.width, most.height) < LARGE_PX
  const size = limited ? `;--w:min(100%,${short(most.width)}px);--h:min(100%,${short(most.height)}px)` : ''
  return `${size}${checks}${badge}`
}

/** The ratio of a row is rounded up: tiles grow to fill their row, but a tile that does not fit wraps. */
function rowStyle({ from, to, ratio }: Row): string {
  const gaps = to - from - 1
  const tiles = gaps === 0 ? nth(from) : `a:nth-child(n+${from + 1}):nth-child(-n+${to})`
  return `${tiles}{--s:${Math.ceil(ratio * 1000 + 1) / 1000}${gaps === 0 ? '' : `;--n:${gaps}`}}`
}

/** Other links on the page match too: they do not use these properties. */
function nth(index: number): string {
  return `a:nth-child(${index + 1})`
}

/** Returns the attributes of the image in a tile by which browsers choose a file, beside its `src`: the thumbnail. */
export function sourceAttributes({ thumbnail, preview }: TileSources): { srcset?: string; sizes?: string } {
  if (!preview || preview.width <= thumbnail.width) return {}
  if (Math.max(thumbnail.width, thumbnail.height) < THUMBNAIL_USEFUL_PX) return { srcset: preview.url }
  return {
    srcset: `${thumbnail.url} ${thumbnail.width}w, ${preview.url} ${preview.width}w`,
    sizes: `auto,${sizeOf(preview)}`,
  }
}

/** The estimated width of a tile, for browsers that have not loaded the style sheet yet. */
function sizeOf({ width, height }: Size): string {
  const ratio = tileRatio(width / height)
  return ratio > 2 ? '100vw' : `min(50vw,${Math.round(ratio * 270)}px)`
}

function short(number: number): number {
  return Number(number.toFixed(3))
}
