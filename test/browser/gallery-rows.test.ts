import type { Page } from 'playwright-core'
import { describe, expect, inject } from 'vitest'
import { galleryOf, once } from './support/content.ts'
import { type Box, boxesOf, overflowOf } from './support/layout.ts'
import { test } from './support/visit.ts'

/** Photographs, panoramas, strips, squares, icons and small images. */
const SHAPES: readonly (readonly [number, number])[] = [
  ...([
    [1200, 800],
    [800, 1200],
    [1200, 900],
    [1280, 320],
    [900, 1200],
    [1200, 675],
    [64, 64],
    [1000, 1000],
  ] as const),
  ...([
    [540, 1200],
    [1280, 213],
    [1200, 800],
    [800, 1200],
    [64, 1280],
    [1200, 540],
    [32, 32],
    [1200, 900],
  ] as const),
  ...([
    [300, 200],
    [675, 1200],
    [1280, 64],
    [1200, 800],
    [1280, 400],
    [900, 1200],
    [128, 96],
    [1200, 800],
  ] as const),
  ...([
    [1200, 800],
    [800, 800],
    [1200, 900],
    [150, 100],
    [800, 1200],
    [1280, 427],
    [1200, 675],
    [16, 16],
  ] as const),
  ...([
    [900, 1200],
    [1200, 800],
    [500, 500],
    [1280, 160],
    [400, 600],
    [1200, 900],
    [800, 1200],
    [1200, 800],
  ] as const),
]

/** An image in its tile, as it is laid out. */
interface Laid {
  name: string
  tile: Box
  image: Box
}

describe.skipIf(!inject('chromium'))('a gallery of 40 shapes', () => {
  const shapes = once(() => galleryOf(SHAPES, { name: 'Forty shapes' }))

  test.for([
    { script: true, language: 'en' },
    { script: false, language: 'ar' },
  ])(
    'has rows that reach both edges at every width (scripts: $script, language: $language)',
    async ({ script, language }, { visit }) => {
      const { gallery } = await shapes()
      const page = await visit(`${gallery.url}?lang=${language}`, { script })
      for (const width of script ? [320, 390, 600, 768, 1024, 1440, 1920] : [390, 1024]) {
        await page.setViewportSize({ width, height: 800 })
        const [frame] = await boxesOf(page, '.images')
        const laid = await laidOut(page)
        const rows = rowsOf(laid)
        expect(rows.flat()).toHaveLength(SHAPES.length)
        if (!frame) expect.fail('no images')
        for (const row of rows.slice(0, -1)) {
          const what = `${width}: ${row.map(({ name }) => name)}`
          const edges = row.flatMap(({ tile }) => [tile.x, tile.x + tile.width])
          expect(Math.abs(Math.min(...edges) - frame.x), what).toBeLessThan(1)
          expect(Math.abs(Math.max(...edges) - frame.x - frame.width), what).toBeLessThan(1)
          const heights = row.map(({ tile }) => tile.height)
          expect(Math.max(...heights) - Math.min(...heights), what).toBeLessThan(1)
        }
        if (width === 390) expectPairs(rows.slice(0, -1))
        for (const one of laid) expectWhole(one, width)
        // Of the page, without the last row, which may end early.
        const full = rows.slice(0, -1).flat()
        const end = Math.max(...full.map(({ tile }) => tile.y + tile.height))
        const covered = full.reduce((sum, one) => sum + areaOf(isIcon(sizeOf(one.name)) ? one.tile : one.image), 0)
        if (width >= 768) expect(covered / (frame.width * (end - frame.y)), `covered at ${width}`).toBeGreaterThan(0.92)
        expect(await overflowOf(page)).toBe(0)
      }
    },
  )
})

/** Expects two images a row, but for low and narrow ones. Of an odd number between those, one has a row to itself. */
function expectPairs(rows: readonly Laid[][]): void {
  let isOneAlone = false
  for (const row of rows) {
    if (!row.every(({ name }) => isUsual(sizeOf(name)))) isOneAlone = false
    else if (row.length === 2) continue
    else {
      expect([row.length, isOneAlone], `${row.map(({ name }) => name)}`).toEqual([1, false])
      isOneAlone = true
    }
  }
}

/** Expects that an image is no larger than its file, lies in its tile and is cropped by a tenth at most. */
function expectWhole({ name, tile, image }: Laid, width: number): void {
  const [w, h] = sizeOf(name)
  const what = `${name} of ${w} x ${h} at ${width}`
  // Pixels of borders, and of rounding.
  expect(image.width, what).toBeLessThan(w + 2)
  expect(image.height, what).toBeLessThan(h + 2)
  expect(image.width, what).toBeLessThan(tile.width + 1)
  expect(image.height, what).toBeLessThan(tile.height + 1)
  const shown = (image.width * h) / (image.height * w)
  const rounding = 1 - 2 / Math.min(image.width, image.height)
  const isExtreme = w / h > 3 || h / w > 2.5
  expect(Math.min(shown, 1 / shown), what).toBeGreaterThan((isExtreme ? 0.895 : 0.99) * rounding)
}

function sizeOf(name: string): readonly [number, number] {
  return SHAPES[Number(/picture-([0-9]+)/.exec(name)?.[1]) - 1] ?? expect.fail(`no shape of ${name}`)
}

function isIcon([w, h]: readonly [number, number]): boolean {
  return Math.max(w, h) < 160
}

function isUsual([w, h]: readonly [number, number]): boolean {
  return Math.max(w, h) > 400 && w / h < 2.2 && w / h > 0.55
}

function areaOf({ width, height }: Box): number {
  return width * height
}

function laidOut(page: Page): Promise<Laid[]> {
  return page.locator('.images > a').evaluateAll((links) =>
    links.map((link) => {
      const image = link.querySelector('img')
      const box = (element: Element) => {
        const { x, y, width, height } = element.getBoundingClientRect()
        return { x, y, width, height }
      }
      return { name: image?.alt ?? '', tile: box(link), image: box(image ?? link) }
    }),
  )
}

function rowsOf(laid: readonly Laid[]): Laid[][] {
  const rows: Laid[][] = []
  for (const one of laid) {
    const row = rows.at(-1)
    if (row?.[0] && Math.abs(row[0].tile.y - one.tile.y) < 2) row.push(one)
    else rows.push([one])
  }
  return rows
}
