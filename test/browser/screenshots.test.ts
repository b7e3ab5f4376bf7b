import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { describe, expect, inject } from 'vitest'
import { landscape } from './support/landscape.ts'
import { imagesLoaded } from './support/layout.ts'
import { SCREENSHOT_LANGUAGES } from './support/shown-images.ts'
import { STATES } from './support/states.ts'
import { choose, resultLinks, resultsOf } from './support/upload-page.ts'
import { test } from './support/visit.ts'

const FOLDER = join(import.meta.dirname, '../../generated/screenshots')
/** A phone, a tablet and a desktop. */
const WIDTHS = [390, 768, 1440]
const HEIGHT = 900
const THEMES = ['light', 'dark'] as const

const README_FOLDER = join(import.meta.dirname, '../../docs/pictures')
const WINDOW = { width: 1200, height: 620 }

const LANDSCAPE = [1200, 800] as const
const PORTRAIT = [900, 1200] as const
const WIDE = [1600, 900] as const
const PANORAMA = [1800, 800] as const

/** The images of the gallery: the name of each file, its size, the time of day and the seed of its hills. */
const IMAGES = [
  ['first-light', LANDSCAPE, 'dawn', 11],
  ['jetty', PORTRAIT, 'morning', 12],
  ['north-shore', WIDE, 'noon', 13],
  ['october', LANDSCAPE, 'autumn', 14],
  ['after-sunset', WIDE, 'dusk', 15],
  ['full-moon', LANDSCAPE, 'night', 16],
  ['ferry', PANORAMA, 'morning', 21],
  ['the-long-way-back', PORTRAIT, 'dusk', 22],
  ['midday', LANDSCAPE, 'noon', 23],
  ['larches', PORTRAIT, 'autumn', 24],
  ['before-breakfast', WIDE, 'dawn', 25],
  ['no-wind', LANDSCAPE, 'morning', 26],
  ['island', WIDE, 'autumn', 27],
  ['crossing', LANDSCAPE, 'dawn', 28],
  ['camp', PORTRAIT, 'night', 29],
  ['south-shore', WIDE, 'noon', 30],
  ['last-evening', LANDSCAPE, 'dusk', 31],
  ['going-home', PANORAMA, 'dawn', 32],
] as const

const only = process.env.SCREENSHOT_ONLY ?? ''
const wanted = STATES.filter(({ name }) => name.startsWith(only))

// Defined by `npm run tintype -- screenshots` alone, so that no other run counts them as skipped.
for (const language of SCREENSHOT_LANGUAGES ?? []) {
  test.for(wanted)(`$name, in ${language}`, async ({ name, open }, { visit }) => {
    const complaints = [/status of 4\d\d/, /net::ERR_/]
    const page = await open(visit, language, { complaints, reducedMotion: true })
    mkdirSync(FOLDER, { recursive: true })
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: HEIGHT })
      await imagesLoaded(page)
      for (const colorScheme of THEMES) {
        await page.emulateMedia({ colorScheme })
        await page.screenshot({ path: join(FOLDER, `${name}-${language}-${width}-${colorScheme}.png`), fullPage: true })
      }
    }
  })
}

/** The pages as the README shows them, light and dark. */
describe.skipIf(process.env.SCREENSHOT_README === undefined || !inject('chromium'))(
  'the screenshots of the README (needs npm run tintype -- screenshots --readme)',
  () => {
    test('a gallery, and an image in it', async ({ visit }) => {
      const page = await visit('/', { window: WINDOW, reducedMotion: true })
      await choose(page, await files())
      await page.locator('#one-gallery').check()
      await page.locator('#gallery-name').fill('A week at the lake')
      await page.locator('#start').click()
      await resultsOf(page)
      const [, , , , afterSunset = ''] = await resultLinks(page)
      await page.goto((await page.locator('.lead a.open').getAttribute('href')) ?? '')
      await take(page, 'gallery')
      await page.goto(afterSunset)
      await take(page, 'picture')
    })
  },
)

function files() {
  return Promise.all(
    IMAGES.map(async ([name, [width, height], light, seed]) => {
      const { data } = landscape(width, height, light, seed)
      const buffer = await sharp(data, { raw: { width, height, channels: 3 } })
        .jpeg({ quality: 90 })
        .toBuffer()
      return { name: `${name}.jpg`, mimeType: 'image/jpeg', buffer }
    }),
  )
}

async function take(page: Page, name: string): Promise<void> {
  mkdirSync(README_FOLDER, { recursive: true })
  await imagesLoaded(page)
  for (const colorScheme of THEMES) {
    await page.emulateMedia({ colorScheme })
    const image = await page.screenshot()
    const { size } = await sharp(image)
      .webp({ quality: 82 })
      .toFile(join(README_FOLDER, `${name}-${colorScheme}.webp`))
    expect(size).toBeLessThan(150_000)
  }
}
