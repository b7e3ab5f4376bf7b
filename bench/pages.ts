// `npm run tintype -- bench:pages`: the loading time of pages. Each page is opened in a browser with an empty cache, on this machine, behind
// Lighthouse's slow 4G: 150 ms of latency, 1638 kbit/s. Weights are those of transferred bodies. A page without its images and scripts may
// have 14 KB, which a server may send before the first acknowledgement, and so may its scripts, which block no paint. It fails if a page is
// heavier, if anything moves, if a script blocks, or if axe finds a barrier. The largest paint may take a second, of images 2.5 s.

import type { Browser } from 'playwright-core'
import { findBarriers } from '../test/browser/support/axe.ts'
import { findChromium } from '../test/browser/support/chromium.ts'
import { fail } from '../tools/install/installed.mjs'
import { readNumbers } from '../tools/shared/command-line.ts'
import { runScript } from '../tools/shared/processes.ts'
import { describeFrames } from './support/frames.ts'
import { startService } from './support/service.ts'
import { median } from './support/statistics.ts'

const { numbers } = readNumbers({
  usage: `Usage: npm run tintype -- bench:pages [options]
Measures what a reader waits for on each page, in a browser on a slow connection.
  --runs N   how often each is opened; the median counts (5)
  --help     this text`,
  numbers: { runs: 5 },
})
runScript('build/build.ts')
const { chromium } = await import('playwright-core')
const { default: sharp } = await import('sharp')
const { makePhoto } = await import('./images/photo.ts')

const SLOW_4G = {
  offline: false,
  latency: 150,
  downloadThroughput: (1638 * 1000) / 8,
  uploadThroughput: (675 * 1000) / 8,
}
const MAX_BYTES = 14 * 1024
/** One script comes with the style sheet, so that the first paint is in the theme that was chosen. */
const MAX_BLOCKING_SCRIPTS = 1
const MAX_PAINT_MS = 1000
/** Of pages that show images; Google's bound of a good largest contentful paint. */
const MAX_IMAGE_PAINT_MS = 2500
/** The size of the large original. */
const LARGE_BYTES = 5_000_000
/** A photograph of 12 megapixels, and its grain. */
const LARGE = { width: 4000, height: 3000, grain: 60 }
/** The images on a page of a gallery. */
const THOUSAND = 1000
const WINDOWS = { desktop: { width: 1280, height: 800 }, phone: { width: 390, height: 800 } }

/** The weight of a page, its paint times, and its name. */
type Measured = Awaited<ReturnType<typeof measure>>

type Row = Measured & { page: string }

const PORT = 18_792
const ORIGIN = `http://127.0.0.1:${PORT}`

const found = await findChromium()
const browserCommand = 'missing' in found ? fail(found.missing) : found
const service = await startService(PORT)
try {
  const rows = await measureAll(await fill())
  print(rows)
  printFrames(await measureScrolling(await fillThousand()))
  const broken = rows.flatMap(brokenBounds)
  for (const line of broken) console.error(line)
  process.exitCode = broken.length === 0 ? 0 : 1
} finally {
  await service.stop()
}

/** Uploads what the pages show; returns their addresses. */
async function fill() {
  const photo = await jpeg(1200, 800)
  const image = await upload(photo, { include_manage_url: '1' })
  const largePhoto = await largeJpeg()
  const large = await upload(largePhoto, {})
  const gallery = await postForm(
    '/galleries',
    new URLSearchParams({ gallery_name: 'A hundred', include_manage_url: '1' }),
  )
  const { gallery_hash, gallery_upload_hash } = gallery
  const small = await Promise.all([jpeg(600, 400), jpeg(400, 600), jpeg(500, 500)])
  for (let count = 0; count < 100; count++) {
    await upload(small[count % 3] ?? photo, { gallery_hash, gallery_upload_hash })
  }
  await postForm(`/galleries/${gallery_hash}/finalize`, new URLSearchParams({ gallery_upload_hash }))
  console.log(
    `The image is a JPEG of 1200 x 800 pixels and ${kilobytes(photo.length)} KB, the large one of ${LARGE.width} x ${LARGE.height} and ` +
      `${kilobytes(largePhoto.length)} KB; the gallery has 100.\n`,
  )
  return {
    upload: `${ORIGIN}/`,
    image: image.show_url,
    'large image': large.show_url,
    'gallery of 100': gallery.gallery_url,
    'its codes': `${gallery.gallery_url}/codes`,
    'manage an image': image.manage_url,
    'manage the gallery': gallery.manage_url,
    uploads: `${ORIGIN}/uploads`,
    report: `${ORIGIN}/report`,
    'no image': `${ORIGIN}/show/1/2_a.png`,
    docs: `${ORIGIN}/docs`,
    'docs, reference': `${ORIGIN}/docs/reference`,
    'docs, errors': `${ORIGIN}/docs/errors`,
    tools: `${ORIGIN}/tools`,
  }
}

/** Uploads a gallery of as many images as a page shows; returns its address. */
async function fillThousand() {
  const gallery = await postForm('/galleries', new URLSearchParams({ gallery_name: 'A thousand' }))
  const { gallery_hash, gallery_upload_hash } = gallery
  const photos = await Promise.all([jpeg(600, 400), jpeg(400, 600), jpeg(500, 500)])
  const fields = { gallery_hash, gallery_upload_hash, max_th_size: '500' }
  let left = THOUSAND
  const uploadRest = async () => {
    while (left-- > 0) await upload(photos[left % 3] ?? Buffer.alloc(0), fields)
  }
  await Promise.all([uploadRest(), uploadRest(), uploadRest()])
  await postForm(`/galleries/${gallery_hash}/finalize`, new URLSearchParams({ gallery_upload_hash }))
  return gallery.gallery_url
}

/**
 * Scrolls through a page from its top to its end, a third of a window in each frame. Returns the time between frames, and the
 * browser's long animation frames. It needs a machine without other work.
 */
async function measureScrolling(address: string) {
  const { executablePath, env } = browserCommand
  const browser = await chromium.launch({ executablePath, env: { ...process.env, ...env }, args: ['--disable-gpu'] })
  const page = await browser.newPage({ viewport: WINDOWS.desktop })
  await page.goto(address, { waitUntil: 'networkidle' })
  const result = await page.evaluate(scrollThrough)
  await browser.close()
  return result
}

/** In the page. */
async function scrollThrough(): Promise<{ framesMs: number[]; longMs: number[] }> {
  const longMs: number[] = []
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) longMs.push(duration)
  }).observe({ type: 'long-animation-frame' })
  const framesMs: number[] = []
  const frame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve))
  let last = await frame()
  while (scrollY + innerHeight < document.documentElement.scrollHeight - 1) {
    scrollBy({ top: innerHeight / 3, behavior: 'instant' })
    const now = await frame()
    framesMs.push(now - last)
    last = now
  }
  return { framesMs, longMs }
}

function printFrames({ framesMs, longMs }: { framesMs: number[]; longMs: number[] }) {
  console.log(
    `\nScrolling through ${THOUSAND} images: ${describeFrames(framesMs)}; ` +
      `${longMs.length} long animation frames (over 50 ms)`,
  )
}

function jpeg(width: number, height: number) {
  return sharp(makePhoto(width, height, 0), { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 80 })
    .toBuffer()
}

/** Returns a JPEG of about LARGE_BYTES, of the highest quality that is not larger. */
async function largeJpeg(): Promise<Buffer> {
  const { width, height, grain } = LARGE
  const pixels = makePhoto(width, height, grain)
  for (let quality = 95; ; quality -= 5) {
    const encoded = await sharp(pixels, { raw: { width, height, channels: 3 } })
      .jpeg({ quality })
      .toBuffer()
    if (encoded.length <= LARGE_BYTES || quality <= 50) return encoded
  }
}

function upload(image: Buffer, fields: Record<string, string>) {
  const form = new FormData()
  for (const [name, value] of Object.entries({ content_type: '0', ...fields })) form.set(name, value)
  form.set('img', new Blob([new Uint8Array(image)]), 'photo.jpg')
  return postForm('/images', form)
}

async function postForm(address: string, body: FormData | URLSearchParams) {
  const response = await fetch(ORIGIN + address, { method: 'POST', body })
  const text = await response.text()
  if (!response.ok) throw new Error(`${address} answered ${response.status}: ${text}`)
  return text === '' ? {} : JSON.parse(text)
}

async function measureAll(addresses: Record<string, string>): Promise<Row[]> {
  const { executablePath, env } = browserCommand
  const browser = await chromium.launch({ executablePath, env: { ...process.env, ...env }, args: ['--disable-gpu'] })
  const rows = []
  for (const [name, address] of Object.entries(addresses)) {
    for (const [device, viewport] of Object.entries(WINDOWS)) {
      const runs: Measured[] = []
      for (let run = 0; run < numbers.runs; run++) runs.push(await measure(browser, address, viewport))
      const of = (key: keyof Measured) => median(runs.map((run) => run[key]))
      rows.push({
        page: `${name}, ${device}`,
        bytes: of('bytes'),
        scriptBytes: of('scriptBytes'),
        requests: of('requests'),
        blockingScripts: Math.max(...runs.map((run) => run.blockingScripts)),
        shift: Math.max(...runs.map((run) => run.shift)),
        firstPaintMs: of('firstPaintMs'),
        largestPaintMs: of('largestPaintMs'),
        imageBytes: of('imageBytes'),
        barriers: of('barriers'),
      })
    }
  }
  await browser.close()
  return rows
}

/** Opens the page once, in a new profile, and then looks through it to its end. */
async function measure(browser: Browser, address: string, viewport: { width: number; height: number }) {
  const context = await browser.newContext({ viewport })
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', SLOW_4G)
  await page.goto(address, { waitUntil: 'networkidle' })
  const paints = await page.evaluate(readPaints)
  for (let step = 0; step < 20; step++) await page.mouse.wheel(0, viewport.height)
  await page.waitForLoadState('networkidle')
  const barriers = (await findBarriers(page)).length
  const result = { ...paints, ...(await page.evaluate(readWeights)), shift: await page.evaluate(readShift), barriers }
  await context.close()
  return result
}

/** In the page: when something, and when the largest thing, was painted. */
function readPaints(): Promise<{ firstPaintMs: number; largestPaintMs: number }> {
  return new Promise((resolve) => {
    new PerformanceObserver((list) => {
      const [first] = performance.getEntriesByName('first-contentful-paint')
      const largest = list.getEntries().at(-1)
      resolve({ firstPaintMs: first?.startTime ?? Infinity, largestPaintMs: largest?.startTime ?? Infinity })
    }).observe({ type: 'largest-contentful-paint', buffered: true })
  })
}

/** Layout shifts by the browser's own measure, whatever their cause. Runs in the page. */
function readShift(): Promise<number> {
  return new Promise((resolve) => {
    let sum = 0
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) if ('value' in entry) sum += Number(entry.value)
    }).observe({ type: 'layout-shift', buffered: true })
    requestAnimationFrame(() => setTimeout(() => resolve(sum), 100))
  })
}

/** In the page: what was transferred for it. */
function readWeights() {
  // The page itself is one of them.
  const loaded = performance.getEntries().filter((entry) => entry instanceof PerformanceResourceTiming)
  const isImage = ({ initiatorType, name }: PerformanceResourceTiming) =>
    initiatorType === 'img' || /\/(thumbs|previews|images)\//.test(name)
  const isScript = ({ name }: PerformanceResourceTiming) => name.endsWith('.js')
  const weigh = (entries: PerformanceResourceTiming[]) =>
    entries.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)
  const blocks = (entry: PerformanceResourceTiming) =>
    entry.initiatorType === 'script' && 'renderBlockingStatus' in entry && entry.renderBlockingStatus === 'blocking'
  return {
    bytes: weigh(loaded.filter((entry) => !isImage(entry) && !isScript(entry))),
    scriptBytes: weigh(loaded.filter(isScript)),
    imageBytes: weigh(loaded.filter(isImage)),
    requests: loaded.filter((entry) => !isImage(entry)).length,
    blockingScripts: loaded.filter(blocks).length,
  }
}

function print(rows: Row[]) {
  console.log(
    '| page | KB without images and scripts | KB of scripts | requests | blocking scripts | layout shift | first paint | largest paint | images KB | axe |',
  )
  console.log('|---|---|---|---|---|---|---|---|---|---|')
  for (const row of rows) {
    const cells = [
      row.page,
      kilobytes(row.bytes),
      kilobytes(row.scriptBytes),
      row.requests,
      row.blockingScripts,
      Number(row.shift.toFixed(4)),
      `${Math.round(row.firstPaintMs)} ms`,
      `${Math.round(row.largestPaintMs)} ms`,
      kilobytes(row.imageBytes),
      row.barriers,
    ]
    console.log(`| ${cells.join(' | ')} |`)
  }
  console.log(
    `\nbounds: ${kilobytes(MAX_BYTES)} KB each, ${MAX_BLOCKING_SCRIPTS} blocking script, 0 layout shift, no barrier, largest paint under ${MAX_PAINT_MS} ms, with images ${MAX_IMAGE_PAINT_MS} ms`,
  )
}

function brokenBounds({ page, bytes, scriptBytes, blockingScripts, shift, largestPaintMs, imageBytes, barriers }: Row) {
  const maxPaintMs = imageBytes > 0 ? MAX_IMAGE_PAINT_MS : MAX_PAINT_MS
  return [
    bytes > MAX_BYTES && `${page}: weighs ${kilobytes(bytes)} KB`,
    scriptBytes > MAX_BYTES && `${page}: its scripts weigh ${kilobytes(scriptBytes)} KB`,
    blockingScripts > MAX_BLOCKING_SCRIPTS && `${page}: ${blockingScripts} scripts block it`,
    shift > 0 && `${page}: moves by ${shift}`,
    barriers > 0 && `${page}: axe finds ${barriers} barriers`,
    largestPaintMs >= maxPaintMs && `${page}: takes ${Math.round(largestPaintMs)} ms to its largest paint`,
  ].filter((line) => line !== false)
}

function kilobytes(bytes: number) {
  return (bytes / 1024).toFixed(1)
}
