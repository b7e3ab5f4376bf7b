import { bytesBE, concat } from '../../src/bytes.ts'
import { itemBytes, readItems } from '../../src/container/avif-items.ts'
import { ALPHA, av1C, avif, ispe, type MadeItem } from '../probe/made.ts'

/** Of the third byte of av1C (AV1 Codec ISO Media File Format Binding, 2.3.3). */
const HALVED_CHROMA = 0x0c
const HIGH_BIT_DEPTH = 0x40

/** Options of a grid. */
interface GridWish {
  columns: number
  rows: number
  /** Of the image. */
  width: number
  height: number
  /** The files of the tiles, row by row, and how large each is; fewer files than tiles go round. */
  tiles: readonly Uint8Array[]
  tile: { width: number; height: number }
  /** Whether it has alpha, whose tiles are the colours' light, or all of them this file. */
  alpha?: boolean | Uint8Array
  chroma?: '4:2:0' | '4:4:4'
  /** Bits a sample. */
  depth?: 8 | 10
}

/** An AVIF whose primary item is a grid of the images in these files. */
export function gridOf({
  columns,
  rows,
  width,
  height,
  tiles,
  tile,
  alpha = false,
  chroma = '4:2:0',
  depth = 8,
}: GridWish): Uint8Array {
  const data = concat([[0, 1, rows - 1, columns - 1].map((byte) => bytesBE(byte, 1)), bytesBE(width, 4)].flat())
  const files = alpha instanceof Uint8Array ? [...tiles, alpha] : tiles
  const coded = files.map((file, i): MadeItem => {
    const items = readItems(file)
    if (!items) throw new Error('no items')
    const coding = av1C((chroma === '4:2:0' ? HALVED_CHROMA : 0) | (depth === 10 ? HIGH_BIT_DEPTH : 0))
    const obus = itemBytes(file, items.primary)
    return { id: 10 + i, type: 'av01', data: obus, properties: [ispe(tile.width, tile.height), coding] }
  })
  const ids = Array.from({ length: columns * rows }, (_, i) => 10 + (i % tiles.length))
  const grid: MadeItem = {
    id: 1,
    type: 'grid',
    data: concat([data, bytesBE(height, 4)]),
    properties: [ispe(width, height)],
    references: [['dimg', ...ids]],
  }
  const alphaIds = alpha instanceof Uint8Array ? ids.map(() => 10 + tiles.length) : ids
  const alphaGrid = { ...grid, id: 2, properties: [ispe(width, height), ALPHA] }
  return avif([
    grid,
    ...(alpha
      ? [
          {
            ...alphaGrid,
            references: [['dimg', ...alphaIds] as [string, ...number[]], ['auxl', 1] as [string, number]],
          },
        ]
      : []),
    ...coded,
  ])
}
