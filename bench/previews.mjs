// `npm run bench:previews`: what choosing 30 photographs of 16 megapixels costs the page. It prints frames a second while all of
// their previews are drawn and the list is scrolled to its end, the longest frame, and the memory of the renderer. Option:
// `--photos 30`. It needs a machine without other work.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { continueInOwnNode, ensureInstalled, fail, runScript } from '../scripts/installed.mjs'
import { makePhoto } from './photo.mjs'
import { startService } from './service.mjs'

ensureInstalled('all')
continueInOwnNode()
runScript('build.mjs')
const { chromium } = await import('playwright-core')
const { default: sharp } = await import('sharp')
const { findChromium } = await import('../test/browser/support/chromium.ts')

const { values } = parseArgs({ options: { photos: { type: 'string', default: '30' } } })
const PHOTOS = Number(values.photos)
const PORT = 18_793
const [WIDTH, HEIGHT] = [4928, 3264]
/** Drawn at a quarter of its width, and enlarged. */
const DRAWN = { width: WIDTH / 4, height: HEIGHT / 4, channels: /** @type {const} */ (3) }
/** One and a half of the 60 frames in a second. */
const LATE_FRAME_MS = 25
const SECOND_MS = 1000

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
  print(framesMs, heap, await residentMib(browser))
  await browser.close()
} finally {
  await service.stop()
  await rm(folder, { recursive: true })
}

/** Writes one photograph under many names; gives their paths. */
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

/**
 * In the page: the time between frames, from now on.
 * @returns {number[]}
 */
function countFrames() {
  /** @type {number[]} */
  const framesMs = []
  let last = performance.now()
  const next = (/** @type {number} */ now) => {
    framesMs.push(now - last)
    last = now
    requestAnimationFrame(next)
  }
  requestAnimationFrame(next)
  return framesMs
}

/** The most memory that a renderer of the browser ever had, in MiB; Linux tells it. */
async function residentMib(/** @type {import('playwright-core').Browser} */ browser) {
  const session = await browser.newBrowserCDPSession()
  const { processInfo } = await session.send('SystemInfo.getProcessInfo')
  const most = await Promise.all(
    processInfo
      .filter(({ type }) => type === 'renderer')
      .map(async ({ id }) => {
        const status = await readFile(`/proc/${id}/status`, 'utf8')
        return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 2 ** 10
      }),
  )
  return Math.max(...most)
}

function print(/** @type {number[]} */ framesMs, /** @type {number} */ heapBytes, /** @type {number} */ mostMib) {
  const seconds = framesMs.reduce((sum, ms) => sum + ms, 0) / SECOND_MS
  const late = framesMs.filter((ms) => ms > LATE_FRAME_MS).length
  console.log(
    `${framesMs.length} frames in ${seconds.toFixed(1)} s, ${(framesMs.length / seconds).toFixed(0)} a second; ${late} took more than ` +
      `${LATE_FRAME_MS} ms, the longest ${Math.round(Math.max(...framesMs))} ms; heap ${Math.round(heapBytes / 2 ** 20)} MiB, the ` +
      `renderer ${Math.round(mostMib)} MiB at most`,
  )
}
