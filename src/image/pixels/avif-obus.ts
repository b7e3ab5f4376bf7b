import { hasText, uint16BE } from '../bytes.ts'
import { type Av1Colours, readSequence } from '../container/av1-sequence.ts'
import { type AvifItem, type AvifItems, itemBytes, readItems } from '../container/avif-items.ts'
import { codedItems, findAlphas, findProperty, type Grid, readGrid } from '../container/avif-sources.ts'
import { findSampleEntry, findTrack, firstSample } from '../container/avif-track.ts'
import type { Box } from '../container/boxes.ts'
import { ImageRefusal } from '../refusal.ts'
import { AVIF_MAX_TILES } from './budget.ts'

/** AV1 data of a picture: one piece, or one for each tile, row by row. */
export interface Tiles {
  grid: Grid | undefined
  data: Uint8Array[]
}

/** The AV1 data of an AVIF's picture, of 8 bits a sample. */
export interface AvifObus {
  colour: Tiles
  alpha: Tiles | undefined
  isPremultiplied: boolean
  /** What the boxes say of the colours; it counts more than what the AV1 data says. */
  colours: Av1Colours | undefined
}

/** In ftyp, the first box (ISO/IEC 14496-12, 4.3). */
const MAJOR_BRAND_AT = 8
/** Type, primaries, transfer, matrix, range (ISO/IEC 14496-12, 12.1.5). */
const NCLX_BYTES = 11
/** Pictures in layers: which to decode, and where each ends (AV1 Image File Format, 2.3.2). */
const LAYERS = ['a1op', 'a1lx', 'lsel']

/**
 * Finds the AV1 data of an image sequence's first frame, or of any other AVIF's primary item. `undefined` of what is left to
 * another decoder: more than 8 bits a sample, layers, and what is derived otherwise than as a grid. Throws ImageRefusal.
 */
export function findAvifObus(bytes: Uint8Array): AvifObus | undefined {
  const items = readItems(bytes)
  const isSequence = hasText(bytes, MAJOR_BRAND_AT, 'avis')
  const sample = isSequence || !items ? findFirstSamples(bytes) : undefined
  const coded = sample ?? (items && findItems(bytes, items))
  const data = coded && [...coded.colour.data, ...(coded.alpha?.data ?? [])]
  return data?.every((obus) => readSequence(obus).bitDepth === 8) ? coded : undefined
}

function findItems(bytes: Uint8Array, items: AvifItems): AvifObus | undefined {
  const { primary } = items
  const colour = findTiles(bytes, items, primary)
  if (!colour) return undefined
  const alphas = findAlphas(bytes, items)
  const tiles = codedItems(items, primary)
  const alphaItem = alphas.get(primary.id)
  const tileAlphas = tiles.map(({ id }) => alphas.get(id)).filter((item) => item !== undefined)
  const alpha = alphaItem ? findTiles(bytes, items, alphaItem) : collectTiles(bytes, tileAlphas, colour.grid)
  const isAlphaLeft = !alpha && (alphaItem !== undefined || tileAlphas.length > 0)
  if (isAlphaLeft || (alpha && !alphaItem && tileAlphas.length !== tiles.length)) return undefined
  return {
    colour,
    alpha,
    isPremultiplied: primary.references.some(({ type }) => type === 'prem'),
    colours: findNclx(bytes, primary.properties) ?? findNclx(bytes, tiles[0]?.properties ?? []),
  }
}

function findTiles(bytes: Uint8Array, items: AvifItems, item: AvifItem): Tiles | undefined {
  if (item.type === 'av01') return collectTiles(bytes, [item], undefined)
  return item.type === 'grid' ? collectTiles(bytes, codedItems(items, item), readGrid(bytes, items, item)) : undefined
}

function collectTiles(bytes: Uint8Array, tiles: readonly AvifItem[], grid: Grid | undefined): Tiles | undefined {
  if (tiles.length > AVIF_MAX_TILES) {
    throw new ImageRefusal('over_budget', `an AVIF must have at most ${AVIF_MAX_TILES} tiles: received ${tiles.length}`)
  }
  const isPlain = (tile: AvifItem) => tile.type === 'av01' && !LAYERS.some((type) => findProperty(tile, type))
  if (tiles.length === 0 || !tiles.every(isPlain)) return undefined
  return { grid, data: tiles.map((tile) => itemBytes(bytes, tile)) }
}

/** What a colr box of type nclx says. */
function findNclx(bytes: Uint8Array, properties: readonly Box[]): Av1Colours | undefined {
  const colr = properties.find(({ type, body }) => type === 'colr' && hasText(bytes, body, 'nclx'))
  if (!colr || colr.end < colr.body + NCLX_BYTES) return undefined
  return { matrix: uint16BE(bytes, colr.body + 8) ?? 0, isFullRange: ((bytes[colr.body + 10] ?? 0) & 0x80) !== 0 }
}

function findFirstSamples(bytes: Uint8Array): AvifObus | undefined {
  const [track, alphaTrack] = [findTrack(bytes, 'pict'), findTrack(bytes, 'auxv')]
  if (!track) return undefined
  return {
    colour: { grid: undefined, data: [firstSample(bytes, track)] },
    alpha: alphaTrack && { grid: undefined, data: [firstSample(bytes, alphaTrack)] },
    isPremultiplied: false,
    colours: findNclx(bytes, findSampleEntry(bytes, track)?.properties ?? []),
  }
}
