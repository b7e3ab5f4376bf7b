import { hasText, uint16BE } from '../bytes.ts'
import type { Cicp } from '../colours/cicp.ts'
import { type AvifItem, type AvifItems, itemBytes, readItems } from '../container/avif-items.ts'
import {
  codedItems,
  findAlphas,
  findProperty,
  type Grid,
  isProfile,
  itemSize,
  readGrid,
  withoutIdentity,
} from '../container/avif-sources.ts'
import {
  findAlphaTrack,
  findImageTrack,
  findSampleEntry,
  firstSample,
  isTrackPremultiplied,
} from '../container/avif-track.ts'
import type { Box } from '../container/boxes.ts'
import { ImageRefusal } from '../refusal.ts'
import { AVIF_MAX_TILES } from './budget.ts'

/** AV1 data, and which of their layers are the image. */
export interface Coded {
  units: Uint8Array
  /** The operating point of the sequence, which says which layers there are. */
  operatingPoint: number
  /** The spatial layer, or `ANY_LAYER` for the highest. */
  layer: number
}

/** AV1 data of an image: one piece, or one for each tile, row by row. */
export interface Tiles {
  grid: Grid | undefined
  data: Coded[]
}

/** As the codec takes it. */
const ANY_LAYER = 255
/** In a box lsel: no layer is selected (ISO/IEC 23008-12, 6.5.11). */
const PROGRESSIVE = 0xffff

/** Coding of the colours of an image. */
export interface Nclx extends Cicp {
  /** MatrixCoefficients of ITU-T H.273. */
  matrix: number
  isFullRange: boolean
}

/** The AV1 data of an AVIF's image. */
export interface AvifObus {
  colour: Tiles
  alpha: Tiles | undefined
  isPremultiplied: boolean
  /** Colours from the boxes, which take precedence over those in the AV1 data. */
  nclx: Nclx | undefined
  /** Whether an ICC profile says what the colours are, whatever else does. */
  hasProfile: boolean
  /** The most light of a pixel, in cd/m², where the boxes say so (MaxCLL). */
  peakNits: number | undefined
}

/** In ftyp, the first box (ISO/IEC 14496-12, 4.3). */
const MAJOR_BRAND_AT = 8
/** Type, primaries, transfer, matrix, range (ISO/IEC 14496-12, 12.1.5). */
const NCLX_BYTES = 11

/**
 * Finds the AV1 data of an image sequence's first frame, or of any other AVIF's primary item. Throws ImageRefusal, also for what is
 * derived otherwise than as a grid.
 */
export function findAvifObus(bytes: Uint8Array): AvifObus {
  const read = readItems(bytes)
  const items = read && withoutIdentity(read)
  const isSequence = hasText(bytes, MAJOR_BRAND_AT, 'avis')
  const found = (isSequence || !items ? findFirstSamples(bytes) : undefined) ?? (items && findItems(bytes, items))
  if (!found) throw notCoded()
  return found
}

/** The AV1 data of one of the items. Throws ImageRefusal. */
export function findItemObus(bytes: Uint8Array, items: AvifItems, item: AvifItem): AvifObus {
  return findItems(bytes, { ...items, primary: item })
}

function findItems(bytes: Uint8Array, items: AvifItems): AvifObus {
  const { primary } = items
  const colour = findTiles(bytes, items, primary)
  const alphas = findAlphas(bytes, items)
  const tiles = codedItems(items, primary)
  const alphaItem = alphas.get(primary.id)
  const [size, alphaSize] = [itemSize(bytes, primary), alphaItem && itemSize(bytes, alphaItem)]
  if (alphaItem && (size?.width !== alphaSize?.width || size?.height !== alphaSize?.height)) {
    throw new ImageRefusal('unreadable', "an AVIF's alpha must be as large as its picture")
  }
  const tileAlphas = tiles.map(({ id }) => alphas.get(id)).filter((item) => item !== undefined)
  const alpha = alphaItem ? findTiles(bytes, items, alphaItem) : collectTiles(bytes, tileAlphas, colour.grid)
  const hasAlpha = alphaItem !== undefined || (tiles.length > 0 && tileAlphas.length === tiles.length)
  return {
    colour,
    alpha: hasAlpha ? alpha : undefined,
    isPremultiplied: primary.references.some(({ type }) => type === 'prem'),
    ...describeColours(bytes, primary.properties, tiles[0]?.properties ?? []),
  }
}

function findTiles(bytes: Uint8Array, items: AvifItems, item: AvifItem): Tiles {
  if (item.type === 'av01') return collectTiles(bytes, [item], undefined)
  if (item.type !== 'grid') throw notCoded()
  const tiles = collectTiles(bytes, codedItems(items, item), readGrid(bytes, items, item))
  if (tiles.data.length === 0) throw notCoded()
  return tiles
}

function collectTiles(bytes: Uint8Array, tiles: readonly AvifItem[], grid: Grid | undefined): Tiles {
  if (tiles.length > AVIF_MAX_TILES) {
    throw new ImageRefusal('over_budget', `an AVIF must have at most ${AVIF_MAX_TILES} tiles: received ${tiles.length}`)
  }
  if (!tiles.every(({ type }) => type === 'av01')) throw notCoded()
  return { grid, data: tiles.map((tile) => ({ units: itemBytes(bytes, tile), ...findLayer(bytes, tile) })) }
}

/** Reads the a1op (AV1 Image File Format, 2.3.2) and lsel properties of an item. */
function findLayer(bytes: Uint8Array, item: AvifItem): Pick<Coded, 'operatingPoint' | 'layer'> {
  const [a1op, lsel] = [findProperty(item, 'a1op'), findProperty(item, 'lsel')]
  const layer = (lsel && uint16BE(bytes, lsel.body)) ?? PROGRESSIVE
  return { operatingPoint: (a1op && bytes[a1op.body]) ?? 0, layer: Math.min(layer, ANY_LAYER) }
}

/** The first sample of a track. */
function sampleTile(bytes: Uint8Array, track: Box): Tiles {
  return { grid: undefined, data: [{ units: firstSample(bytes, track), operatingPoint: 0, layer: ANY_LAYER }] }
}

function notCoded(): ImageRefusal {
  return new ImageRefusal('unreadable', "an AVIF's picture must be coded in AV1, as a whole or as a grid of tiles")
}

/** Of an image, and else of its first tile. */
function describeColours(
  bytes: Uint8Array,
  properties: readonly Box[],
  ofTile: readonly Box[] = [],
): Pick<AvifObus, 'nclx' | 'hasProfile' | 'peakNits'> {
  return {
    nclx: findNclx(bytes, properties) ?? findNclx(bytes, ofTile),
    hasProfile: properties.some((box) => isProfile(bytes, box)),
    peakNits: findPeak(bytes, properties) ?? findPeak(bytes, ofTile),
  }
}

/** Reads a colr box of type nclx. */
function findNclx(bytes: Uint8Array, properties: readonly Box[]): Nclx | undefined {
  const colr = properties.find(({ type, body }) => type === 'colr' && hasText(bytes, body, 'nclx'))
  if (!colr || colr.end < colr.body + NCLX_BYTES) return undefined
  const [primaries = 0, transfer = 0, matrix = 0] = [4, 6, 8].map((at) => uint16BE(bytes, colr.body + at))
  return { primaries, transfer, matrix, isFullRange: ((bytes[colr.body + 10] ?? 0) & 0x80) !== 0 }
}

/** max_content_light_level of a clli box (ISO/IEC 14496-12, 12.1.6); 0 where it is not known. */
function findPeak(bytes: Uint8Array, properties: readonly Box[]): number | undefined {
  const clli = properties.find(({ type }) => type === 'clli')
  return (clli && uint16BE(bytes, clli.body)) || undefined
}

function findFirstSamples(bytes: Uint8Array): AvifObus | undefined {
  const [track, alphaTrack] = [findImageTrack(bytes), findAlphaTrack(bytes)]
  if (!track) return undefined
  return {
    colour: sampleTile(bytes, track),
    alpha: alphaTrack && sampleTile(bytes, alphaTrack),
    isPremultiplied: isTrackPremultiplied(bytes, track),
    ...describeColours(bytes, findSampleEntry(bytes, track)?.properties ?? []),
  }
}
