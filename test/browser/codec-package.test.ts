import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import { exampleOf } from 'tintype-codec/test/readme'
import { afterAll, beforeAll, expect } from 'vitest'
import { bundleCodec } from '../../tools/build/codec-bundle.ts'
import { freePort } from '../contract/support/service.ts'
import { stopServer } from '../support/stop-server.ts'
import { test } from './support/visit.ts'

/** The package `tintype-codec` on another page, with its files beside one another on a server. */

const ROOT = join(import.meta.dirname, '../..')
const IMAGES = [
  ...['jpeg/progressive-444.jpg', 'png/interlaced-alpha.png', 'gif/transparent.gif', 'webp/lossy-alpha.webp'],
  'avif/10-bit-grid.avif',
]
/** Shows the format of each image, and the size that the browser decodes from its thumbnail. */
const PAGE = `<!DOCTYPE html><html lang="en"><link rel="icon" href="data:,"><title>A page with pictures</title><output></output>
<script type="module">
import { probe, thumbnail } from './browser.mjs'
const seen = await Promise.all(${JSON.stringify(IMAGES)}.map(async (file) => {
  const bytes = new Uint8Array(await (await fetch(file)).arrayBuffer())
  const made = await thumbnail(bytes, { width: 24, height: 24 })
  const { width, height } = await createImageBitmap(new Blob([made.bytes], { type: 'image/webp' }))
  return { format: probe(bytes).format, said: made.size, shown: { width, height } }
})).catch(String)
document.querySelector('output').value = JSON.stringify(seen)
</script>`
const port = await freePort()
let server: Server

beforeAll(async () => {
  const module = readFileSync(join(ROOT, 'codec/generated/codec.wasm'))
  const files = new Map<string | undefined, [type: string, contents: string | Uint8Array]>([
    ['/', ['text/html; charset=UTF-8', PAGE]],
    ['/favicon.ico', ['image/x-icon', '']],
    ['/example.html', ['text/html; charset=UTF-8', exampleOf('example.html')]],
    ['/thumbnails.js', ['text/javascript', exampleOf('thumbnails.js')]],
    ['/browser.mjs', ['text/javascript', await bundleCodec('browser')]],
    ['/codec.wasm', ['application/wasm', module]],
  ])
  for (const file of IMAGES) files.set(`/${file}`, ['', readFileSync(join(ROOT, 'test/fixtures/valid', file))])
  server = createServer(({ url }, response) => {
    const [type, contents] = files.get(url) ?? ['text/plain', 'not found']
    response.writeHead(files.has(url) ? 200 : 404, { 'content-type': type }).end(contents)
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
})
afterAll(() => stopServer(server))

test('the package makes thumbnails of every format in a browser, which shows them', async ({ visit }) => {
  const page = await visit(`http://127.0.0.1:${port}/`)
  const output = page.locator('output')
  await expect.poll(() => output.textContent()).not.toBe('')
  const seen = JSON.parse((await output.textContent()) ?? '')
  expect(seen).toEqual(IMAGES.map((file) => expect.objectContaining({ format: file.split('/')[0] })))
  for (const { said, shown } of seen) {
    expect(shown).toEqual(said)
    expect(Math.max(said.width, said.height)).toBeLessThanOrEqual(24)
  }
})

test('the example of the README shows a thumbnail that a web worker makes', async ({ visit }) => {
  const page = await visit(`http://127.0.0.1:${port}/example.html`)
  await page.locator('input').setInputFiles(join(ROOT, 'test/fixtures/valid/jpeg/progressive-444.jpg'))
  const shown = page.locator('img')
  await expect.poll(() => shown.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)
})
