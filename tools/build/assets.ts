// Makes generated/assets.ts: the style, scripts and icon of the pages, made small, each under an address that changes with it.
// What a script imports by import() is an asset of its own, which is loaded when it is needed.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { ROOT } from '../install/installed.mjs'
import { GENERATED, makeWhenChanged, writeWhole } from '../shared/when-changed.ts'
import { BROWSER_TARGET } from './browser-target.ts'
import { bundle } from './bundle.ts'
import { pack } from './pack.ts'

const PAGES = path.join(ROOT, 'src', 'pages')
const MODULE = path.join(GENERATED, 'assets.ts')

const JAVASCRIPT = 'text/javascript; charset=UTF-8'
const ENTRIES = {
  style: { entry: 'shell/index.css', extension: 'css', type: 'text/css; charset=UTF-8' },
  uploadStyle: { entry: 'upload/index-upload.css', extension: 'css', type: 'text/css; charset=UTF-8' },
  layout: { entry: 'shell/script/layout.ts', extension: 'js', type: JAVASCRIPT },
  page: { entry: 'image/script/page.ts', extension: 'js', type: JAVASCRIPT },
  manage: { entry: 'manage/script/manage.ts', extension: 'js', type: JAVASCRIPT },
  upload: { entry: 'upload/script/upload.ts', extension: 'js', type: JAVASCRIPT },
  uploads: { entry: 'upload/script/uploads.ts', extension: 'js', type: JAVASCRIPT },
  embed: { entry: 'docs/script/embed.ts', extension: 'js', type: JAVASCRIPT },
  shareWorker: { entry: 'upload/script/share/share-worker.ts', extension: 'js', type: JAVASCRIPT },
  icon: { entry: 'shell/icon.svg', extension: 'svg', type: 'image/svg+xml' },
  favicon: { entry: 'shell/icon-192.png', extension: 'ico', type: 'image/x-icon' },
  icon192: { entry: 'shell/icon-192.png', extension: 'png', type: 'image/png' },
  icon512: { entry: 'shell/icon-512.png', extension: 'png', type: 'image/png' },
  iconMaskable: { entry: 'shell/icon-maskable-512.png', extension: 'png', type: 'image/png' },
}

/** Scripts that browsers run as no module: before the page is shown, or in pages of others. */
const NO_MODULES = ['layout', 'embed']

/** Makes the module unless the last one was made of the same. Returns its file. */
export async function ensureAssets() {
  await makeWhenChanged({
    what: 'the scripts and styles of the pages',
    outputs: [MODULE],
    sources: [
      path.join(ROOT, 'tools', 'build', 'assets.ts'),
      path.join(ROOT, 'tools', 'build', 'browser-target.ts'),
      path.join(ROOT, 'tools', 'build', 'pack.ts'),
      path.join(ROOT, 'package-lock.json'),
    ],
    make: makeAssets,
  })
  return MODULE
}

async function makeAssets() {
  const assets: Record<string, { path: string; type: string; base64: boolean }> = {}
  const contents: Record<string, string> = {}
  const allRead = []
  for (const [name, { entry, extension, type }] of Object.entries(ENTRIES)) {
    const { content: made, parts, read } = await contentOf(path.join(PAGES, entry))
    // Files that are no modules would share their names with the page.
    const whole = extension === 'ico' ? icoOf(made) : made
    const content = NO_MODULES.includes(name) ? `(()=>{${whole}})()` : whole
    const hash = createHash('sha256').update(content).digest('base64url').slice(0, 8)
    const address = `/assets/${name}.${hash}.${extension}`
    assets[name] = { path: address, type, base64: extension === 'png' || extension === 'ico' }
    contents[address] = content
    for (const part of parts) {
      const partAddress = `/assets/${part.name}`
      assets[part.name] = { path: partAddress, type, base64: false }
      contents[partAddress] = part.text
    }
    allRead.push(...read)
  }
  const constants = [
    `export const ASSETS = ${JSON.stringify(assets, undefined, 2)}`,
    `/** JSON of the content at each path, packed. */\nexport const PACKED_CONTENTS = '${pack(JSON.stringify(contents))}'`,
  ]
  writeWhole(MODULE, `// Made by tools/build/assets.ts.\n${constants.join('\n\n')}\n`)
  return allRead
}

/**
 * A PNG of 192 x 192 pixels as the only image of an ICO file, both in Base64: a header of 6 bytes and an entry of 16. Two more
 * bytes make the header a multiple of three, so that the PNG has the same letters as in Base64 of its own, and is packed once.
 */
function icoOf(png: string) {
  const bytes = Buffer.from(png, 'base64')
  const header = Buffer.alloc(24)
  header.writeUInt16LE(1, 2)
  header.writeUInt16LE(1, 4)
  header.writeUInt8(192, 6)
  header.writeUInt8(192, 7)
  header.writeUInt16LE(1, 10)
  header.writeUInt16LE(32, 12)
  header.writeUInt32LE(bytes.length, 14)
  header.writeUInt32LE(header.length, 18)
  return Buffer.concat([header, bytes]).toString('base64')
}

/**
 * The content of an asset: an image as it is (PNG in Base64), style and scripts bundled, with the parts that a script loads
 * when it needs them. `read` is what it was made of.
 */
async function contentOf(
  entry: string,
): Promise<{ content: string; parts: { name: string; text: string }[]; read: string[] }> {
  if (entry.endsWith('.svg')) return { content: readFileSync(entry, 'utf8'), parts: [], read: [entry] }
  if (entry.endsWith('.png')) return { content: readFileSync(entry, 'base64'), parts: [], read: [entry] }
  const { text, parts, read } = await bundle({
    entryPoints: [entry],
    // Each part is an asset beside the script.
    outdir: path.dirname(entry),
    splitting: true,
    chunkNames: '[name].[hash]',
    minify: true,
    target: ['es2022', ...Object.entries(BROWSER_TARGET).map(([browser, version]) => browser + version)],
    charset: 'utf8',
    legalComments: 'none',
  })
  // A script that cannot begin before another one is loaded begins later by a round trip.
  if (/(?:^|[;}])import(?:["'{*]| \w+ from)/.test(text))
    throw new Error(`${entry} shares modules with what it imports later`)
  return { content: text.trim(), parts, read }
}
