import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { GAP_PX, type Row, rowsOf, type Tile, WIDTH_CLASSES } from '../../../src/pages/gallery/rows.ts'
import { sourceAttributes, type TileSources, tileOf } from '../../../src/pages/gallery/tiles.ts'
import { parametersOf } from '../../support/property.ts'

/** A photograph with a preview, as a tile of this ratio. */
function photograph(ratio: number): Tile {
  return { ratio, most: { width: 1280, height: 1280 / ratio }, isSmall: false }
}

function photographs(...ratios: number[]): Tile[] {
  return ratios.map(photograph)
}

const WIDE = WIDTH_CLASSES.at(-1) ?? expect.fail('there is no class of widths')
const PHONE = WIDTH_CLASSES[0] ?? expect.fail('there is no class of widths')
/** The width of a gallery in windows of the widest class. */
const WIDE_PX = 1248

function heightOf({ from, to, ratio }: Row, widthPx: number): number {
  return (widthPx - (to - from - 1) * GAP_PX) / ratio
}

describe('rows', () => {
  const parameters = parametersOf(process.env.TINTYPE_SEED, 20261124, 200)

  test(`have every image once, in order (seed ${parameters.seed})`, () => {
    const ratio = fc.double({ min: 0.25, max: 7, noNaN: true })
    fc.assert(
      fc.property(fc.array(ratio, { maxLength: 60 }), fc.constantFrom(...WIDTH_CLASSES), (ratios, widths) => {
        const rows = rowsOf(photographs(...ratios), widths)
        expect(rows.flatMap(({ from, to }) => Array.from({ length: to - from }, (_, i) => from + i))).toEqual([
          ...ratios.keys(),
        ])
      }),
      parameters,
    )
  })

  test(`of photographs are 180 to 340 px high, but for the last (seed ${parameters.seed})`, () => {
    const ratio = fc.constantFrom(2 / 3, 3 / 4, 1, 4 / 3, 3 / 2, 16 / 9)
    fc.assert(
      fc.property(fc.array(ratio, { minLength: 12, maxLength: 60 }), (ratios) => {
        const rows = rowsOf(photographs(...ratios), WIDE)
        for (const row of rows.slice(0, -1)) {
          expect(heightOf(row, WIDE_PX)).toBeGreaterThan(179)
          expect(heightOf(row, WIDE_PX)).toBeLessThan(341)
        }
      }),
      parameters,
    )
  })

  test('are the best of all ways, not the first that fits: no image is left alone for the row before', () => {
    // Four beside each other would be nearer to the wanted height, and leave one.
    const rows = rowsOf(photographs(1.5, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5), WIDE)
    expect(rows.map(({ from, to }) => to - from)).toEqual([3, 3, 3])
  })

  test('on a phone have two images', () => {
    const rows = rowsOf(photographs(1.5, 0.67, 1.33, 1.5, 0.75, 1.5, 1, 1.78), PHONE)
    expect(rows.map(({ from, to }) => to - from)).toEqual([2, 2, 2, 2])
  })

  test('end early rather than enlarge the last images', () => {
    const [row] = rowsOf(photographs(1.5), WIDE)
    expect(row?.ratio).toBeGreaterThan(1.5)
    expect(heightOf(row ?? expect.fail('there is no row'), WIDE_PX)).toBeLessThan(560)
  })
})

const SOURCES: TileSources = {
  thumbnail: { url: 't', width: 200, height: 150 },
  preview: { url: 'p', width: 1280, height: 960 },
  original: { width: 4000, height: 3000 },
  opaque: true,
  animation: undefined,
}

describe('a tile', () => {
  test.each([
    ['a photograph', 1280, 960, 1.333],
    ['2.5 times as high as wide', 512, 1280, 0.4],
    ['higher: a tenth is cropped', 475, 1280, 0.4],
    ['a high strip, which lies in a wider tile', 128, 1280, 0.25],
    ['three times as wide as high', 1280, 427, 2.998],
    ['wider: a tenth is cropped', 1280, 320, 3.6],
    ['a low strip, which has a row of its own', 1280, 128, 10],
  ])('has the shape of its image: %s', (_name, width, height, ratio) => {
    expect(tileOf({ ...SOURCES, preview: { url: 'p', width, height } }).ratio).toBeCloseTo(ratio, 2)
  })

  test('shows a thumbnail without a preview a quarter larger at most, and not at all if it is the whole image', () => {
    expect(tileOf({ ...SOURCES, preview: undefined }).most).toEqual({ width: 250, height: 187.5 })
    expect(tileOf({ ...SOURCES, preview: undefined, original: { width: 200, height: 150 } }).most.width).toBe(200)
  })

  test('of an icon is quiet, with room around it', () => {
    const icon = {
      ...SOURCES,
      thumbnail: { url: 't', width: 32, height: 32 },
      preview: { url: 'o', width: 32, height: 32 },
    }
    expect(tileOf(icon)).toMatchObject({ isSmall: true, ratio: 0.6 })
  })

  test('lets the browser choose the preview or a thumbnail that is large enough', () => {
    expect(sourceAttributes(SOURCES)).toEqual({ srcset: 'p' })
    const large = { ...SOURCES, thumbnail: { url: 't', width: 500, height: 375 } }
    expect(sourceAttributes(large)).toEqual({ srcset: 't 500w, p 1280w', sizes: 'auto,min(50vw,360px)' })
    expect(sourceAttributes({ ...SOURCES, preview: undefined })).toEqual({})
  })
})
