import { AlphaKind, YUV_ROWS_AT_ONCE } from '../../assembly/pipeline/yuv-format.ts'
import { Status } from '../../assembly/status.ts'
import { colourTransform } from '../colours/cicp.ts'
import { ImageRefusal } from '../refusal.ts'
import type { AvifObus, Nclx } from './avif-obus.ts'
import {
  type AvifRows,
  type Decoders,
  type Narrowing,
  nclxOf,
  openFirst,
  type PlaneRows,
  rowsOf,
  type Tile,
} from './avif-rows.ts'
import { type BoxedTiles, boxedTiles, giveTiles } from './avif-tiles.ts'
import { outOfMemory } from './budget.ts'
import { type Core, put } from './core.ts'
import type { Cores } from './cores.ts'
import type { Source } from './source.ts'
import { stretchedRows } from './stretched-rows.ts'

/** Matrix coefficients of ITU-T H.273. */
const IDENTITY = 0
const BT709 = 1
const BT2020 = 9
const BT2020_CONSTANT_LUMINANCE = 10
const BY_PRIMARIES = 12
const BY_PRIMARIES_CONSTANT_LUMINANCE = 13
/** Matrix coefficients that decoders do not show correctly: Y'D'zD'x, ICtCp, and the lossless variants of YCgCo. */
const NOT_SUPPORTED = [11, 14, 16, 17]
/** The matrices that primaries have: of H.273 under the same number, but for those of P3, which the codec calls 12. */
const MATRICES_OF_PRIMARIES = [4, 5, 6, 7, 9, 12]

/**
 * From this scale down, filters after the reconstruction are left out: they move pixels by a few levels, which the mean of
 * 64 pixels and more hides.
 */
const UNFILTERED_FROM_SCALE = 8

interface AvifOptions {
  /** Memory for all decoders. */
  heldMaxBytes: number
  /** The size of the image, relative to that of the largest output. */
  scale?: number
}

/** The AV1 data of an AVIF. */
export function avifSource(cores: Cores, coded: AvifObus, { heldMaxBytes, scale = 1 }: AvifOptions): Source {
  let rows: Generator<void> | undefined
  return {
    open(core) {
      // Opens the decoders, too: by its first step.
      rows = cores.withBorrowedCores(coded.alpha !== undefined || coded.colour.grid !== undefined, (borrowed) => {
        const decoders: Decoders = {
          core,
          borrow: borrowed.borrow,
          isFiltered: scale < UNFILTERED_FROM_SCALE,
          limit() {
            const left = heldMaxBytes - borrowed.bytes()
            if (left < 0) throw outOfMemory()
            return left
          },
        }
        return giveRows(decoders, coded)
      })
      rows.next()
      return Status.Ok
    },
    *give() {
      rows?.next()
      yield
    },
    close() {
      rows?.return(undefined)
    },
  }
}

/** Opens the decoders, and passes rows to the core in chunks. */
function* giveRows(decoders: Decoders, coded: AvifObus): Generator<void> {
  const { core } = decoders
  const first = openFirst(decoders, coded.colour, core)
  const alphaFirst = coded.alpha && openFirst(decoders, coded.alpha)
  const description = describe(core, coded, first)
  const tiles = boxedTiles(core, coded, description, first, alphaFirst)
  if (tiles) return yield* giveBoxedTiles(decoders, coded, tiles, description)
  const colour = rowsOf(decoders, coded.colour, first, description)
  const codedAlpha = coded.alpha && alphaFirst && rowsOf(decoders, coded.alpha, alphaFirst)
  const isStretched = codedAlpha && (codedAlpha.width !== colour.width || codedAlpha.height !== colour.height)
  const alpha = isStretched ? stretchedRows(core, codedAlpha, colour) : codedAlpha
  start(core, coded, colour, description, 1)
  yield
  for (let y = 0; y < colour.height; ) {
    if (colour.ready() === 0) yield* colour.fill()
    if (alpha?.ready() === 0) yield* alpha.fill()
    const rows = Math.min(YUV_ROWS_AT_ONCE, colour.ready(), alpha?.ready() ?? YUV_ROWS_AT_ONCE, colour.height - y)
    feed(core, colour.take(rows), alpha?.take(rows), rows, alpha?.nclx.isFullRange)
    y += rows
    yield
  }
}

/** Feeds an image in tiles that are decoded one after the other. */
function* giveBoxedTiles(
  decoders: Decoders,
  coded: AvifObus,
  tiles: BoxedTiles,
  description: Description,
): Generator<void> {
  const { core } = decoders
  const { sampling } = tiles.colour.first
  start(core, coded, { ...tiles.grid, sampling }, description, tiles.box)
  const isAlphaFull = tiles.alpha && nclxOf(tiles.alpha.first.core).isFullRange
  yield
  yield* giveTiles(decoders, tiles, description, (colour, alpha, rows) => feed(core, colour, alpha, rows, isAlphaFull))
}

/** The coding of an image's colours. */
interface Description extends Narrowing {
  matrix: number
}

/** Describes the colours of an image to the core, where it is to change them. */
function describe(core: Core, coded: AvifObus, { core: decoder }: Tile): Description {
  const nclx = coded.nclx ?? nclxOf(decoder)
  const matrix = matrixOf(nclx)
  // With a matrix that is derived from primaries, Chromium takes all colours for those of sRGB (D39).
  const isConverted = !coded.hasProfile && !isByPrimaries(nclx)
  const table = isConverted ? colourTransform(nclx, coded.peakNits) : undefined
  if (table) core.transformColours(put(core, table))
  const isDeep = decoder.av1Depth() > 8 && core.isChanged() !== 0
  return { matrix, isFullRange: nclx.isFullRange, isRgb: matrix === IDENTITY, isDeep }
}

/** Announces the image to the core: the means of boxes with this side. */
function start(
  core: Core,
  coded: AvifObus,
  { width, height, sampling }: Pick<AvifRows, 'width' | 'height' | 'sampling'>,
  { matrix, isFullRange, isDeep }: Description,
  box: number,
): void {
  const alphaKind = !coded.alpha ? AlphaKind.None : coded.isPremultiplied ? AlphaKind.Premultiplied : AlphaKind.Straight
  core.deepenYuv(isDeep)
  core.openYuv(width, height, sampling, matrix, isFullRange, alphaKind, box)
}

/** The matrix by which the codec is to decode; code points that it does not know are taken for BT.601's. */
function matrixOf({ matrix, primaries }: Nclx): number {
  if (NOT_SUPPORTED.includes(matrix)) {
    throw new ImageRefusal('unreadable', 'its colours are coded in a way that is not supported')
  }
  if (matrix === BT2020_CONSTANT_LUMINANCE) return BT2020
  if (!isByPrimaries({ matrix })) return matrix
  return MATRICES_OF_PRIMARIES.includes(primaries) ? primaries : BT709
}

function isByPrimaries({ matrix }: Pick<Nclx, 'matrix'>): boolean {
  return matrix === BY_PRIMARIES || matrix === BY_PRIMARIES_CONSTANT_LUMINANCE
}

function feed(
  core: Core,
  { y, cb, cr, stride, chromaStride }: PlaneRows,
  alpha: PlaneRows | undefined,
  rows: number,
  isAlphaFull = true,
): void {
  if (alpha && !isAlphaFull) core.expandRange(alpha.y, alpha.stride * rows)
  if (alpha) core.setAlphaRows(alpha.y, alpha.stride)
  core.feedYuv(y, cb, cr, stride, chromaStride, rows)
}
