// `npm run tintype -- bench:previews`: what choosing 30 photographs of 16 megapixels costs the page. It prints frames a second while all of
// their previews are drawn and the list is scrolled to its end, the longest frame, and the memory of the renderer. It
// needs a machine without other work.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { findChromium } from '../test/browser/support/chromium.ts'
import { fail } from '../tools/install/installed.mjs'
import { readNumbers } from '../tools/shared/command-line.ts'
import { runScript } from '../tools/shared/processes.ts'
import { describeFrames } from './support/frames.ts'
import { memory } from './support/process.ts'
import { startService } from './support/service.ts'

const { numbers } = readNumbers({
  usage: `Usage: npm run tintype -- bench:previews [options]
Measures what the upload page does while it draws previews of photographs.
  --photos N   how many are chosen (30)
  --help       this text`,
  numbers: { photos: 30 },
})
runScript('build/build.ts')
const { chromium } = await import('playwright-core')
const { default: sharp } = await import('sharp')
const { makePhoto } = await import('./images/photo.ts')

const PHOTOS = numbers.photos
const PORT = 18_793
const [WIDTH, HEIGHT] = [4928, 3264]
/** Drawn at a quarter of its width, and enlarged. */
const DRAWN = { width: WIDTH / 4, height: HEIGHT / 4, channels: 3 as const }

const found = await findChromium()
const { executablePath, env } = 'missing' in found ? fail(found.missing) : found
const folder = await mkdtemp(join(tmpdir(), 'tintype-previews-'))
const service = await startService(PORT)
try {
  const paths = await writePhotos()
  const browser = await chromium.launch({ executablePath, env: { ...process.env, ...env }, args: ['--disable-gpu'] })
  const page = await browser.newPage({ viewport: { width: 390, height: 844 } })
  await page.goto(`http://127.0.0.1:${PORT}/`, { waitUntil: 'networkidle' })
  const frames = await page.evaluateHandle(countFrames)
  await page.locator('#img').setInputFiles(paths)
  await page.locator('#upload[aria-busy=false]').waitFor()
  for (let photo = 0; photo < PHOTOS; photo++) {
    const card = page.locator('#files > li').nth(photo)
    await card.scrollIntoViewIfNeeded()
    await card.locator('canvas[data-drawn]').waitFor()
  }
  const framesMs = await frames.jsonValue()
  const heap = await page.evaluate(() => ('memory' in performance ? Object(performance.memory).usedJSHeapSize : 0))
  print(framesMs, heap, await mostMemory(browser))
  await browser.close()
} finally {
  await service.stop()
  await rm(folder, { recursive: true })
}

/** Writes one photograph under many names; returns their paths. */
async function writePhotos() {
  const photo = await sharp(makePhoto(DRAWN.width, DRAWN.height, 0), { raw: DRAWN })
    .resize(WIDTH, HEIGHT)
    .jpeg({ quality: 85 })
    .toBuffer()
  const paths = Array.from({ length: PHOTOS }, (_, index) => join(folder, `${index + 1}.jpg`))
  await Promise.all(paths.map((path) => writeFile(path, photo)))
  console.log(`${PHOTOS} JPEGs of ${WIDTH} x ${HEIGHT} pixels and ${Math.round(photo.length / 2 ** 10)} KB`)
  return paths
}

/** In the page: the time between frames, from now on. */
function countFrames(): number[] {
  const framesMs: number[] = []
  let last = performance.now()
  const next = (now: number) => {
    framesMs.push(now - last)
    last = now
    requestAnimationFrame(next)
  }
  requestAnimationFrame(next)
  return framesMs
}

/** The peak memory of a renderer of the browser in MB, as Linux reports it. */
async function mostMemory(browser: Browser) {
  const session = await browser.newBrowserCDPSession()
  const { processInfo } = await session.send('SystemInfo.getProcessInfo')
  const renderers = processInfo.filter(({ type }) => type === 'renderer')
  return Math.max(...renderers.map(({ id }) => memory(id, 'VmHWM')))
}

function print(framesMs: number[], heapBytes: number, mostMb: number) {
  console.log(`${describeFrames(framesMs)}; heap ${Math.round(heapBytes / 1e6)} MB, the renderer ${mostMb} MB at most`)
}
