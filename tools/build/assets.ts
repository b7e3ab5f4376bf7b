// Makes the styles, scripts and icons of the pages, minified, as static assets of the Worker: files in generated/static/assets/,
// whose names change with their content. generated/assets.ts has their addresses. What a script imports by import() is an asset of
// its own, which is loaded when it is needed.
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { ROOT } from '../install/installed.mjs'
import { syncTree } from '../shared/durable-files.ts'
import { GENERATED, makeWhenChanged, writeWhole } from '../shared/when-changed.ts'
import { BROWSER_TARGET } from './browser-target.ts'
import { bundle } from './bundle.ts'
import { STATIC } from './static.ts'

const PAGES = path.join(ROOT, 'src', 'pages')
const MODULE = path.join(GENERATED, 'assets.ts')
const FOLDER = path.join(STATIC, 'assets')

const JAVASCRIPT = 'text/javascript; charset=UTF-8'
const ENTRIES = {
  style: { entry: 'shell/index.css', extension: 'css', type: 'text/css; charset=UTF-8' },
  uploadStyle: { entry: 'upload/index-upload.css', extension: 'css', type: 'text/css; charset=UTF-8' },
  layout: { entry: 'shell/script/layout.ts', extension: 'js', type: JAVASCRIPT },
  page: { entry: 'image/script/page.ts', extension: 'js', type: JAVASCRIPT },
  manage: { entry: 'manage/script/manage.ts', extension: 'js', type: JAVASCRIPT },
  upload: { entry: 'upload/script/upload.ts', extension: 'js', type: JAVASCRIPT },
  uploads: { entry: 'upload/script/uploads.ts', extension: 'js', type: JAVASCRIPT },
  guest: { entry: 'manage/script/guest.ts', extension: 'js', type: JAVASCRIPT },
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
    outputs: [MODULE, FOLDER],
    sources: [
      path.join(ROOT, 'tools', 'build', 'assets.ts'),
      path.join(ROOT, 'tools', 'build', 'browser-target.ts'),
      path.join(ROOT, 'package-lock.json'),
    ],
    make: makeAssets,
  })
  return MODULE
}

async function makeAssets() {
  const assets: Record<string, { path: string; type: string }> = {}
  const allRead = []
  const fresh = `${FOLDER}.${process.pid}`
  mkdirSync(fresh, { recursive: true })
  const add = (name: string, file: string, { type, content }: { type: string; content: string | Uint8Array }) => {
    assets[name] = { path: `/assets/${file}`, type }
    writeFileSync(path.join(fresh, file), content)
  }
  for (const [name, { entry, extension, type }] of Object.entries(ENTRIES)) {
    const { content: made, parts, read } = await contentOf(path.join(PAGES, entry))
    // Files that are no modules would share their names with the page.
    const whole = extension === 'ico' ? icoOf(made) : made
    const content = NO_MODULES.includes(name) ? `(()=>{${whole}})()` : whole
    const hash = createHash('sha256').update(content).digest('base64url').slice(0, 8)
    add(name, `${name}.${hash}.${extension}`, { type, content })
    for (const part of parts) add(part.name, part.name, { type, content: part.text })
    allRead.push(...read)
  }
  syncTree(fresh)
  rmSync(FOLDER, { recursive: true, force: true })
  renameSync(fresh, FOLDER)
  writeWhole(
    MODULE,
    `// Made by tools/build/assets.ts.\nexport const ASSETS = ${JSON.stringify(assets, undefined, 2)}\n`,
  )
  return allRead
}

/** Returns an ICO file with a PNG of 192 x 192 pixels as its only image: a header of 6 bytes and an entry of 16. */
function icoOf(png: string | Uint8Array) {
  const bytes = Buffer.from(png)
  const header = Buffer.alloc(22)
  header.writeUInt16LE(1, 2)
  header.writeUInt16LE(1, 4)
  header.writeUInt8(192, 6)
  header.writeUInt8(192, 7)
  header.writeUInt16LE(1, 10)
  header.writeUInt16LE(32, 12)
  header.writeUInt32LE(bytes.length, 14)
  header.writeUInt32LE(header.length, 18)
  return Buffer.concat([header, bytes])
}

/**
 * The content of an asset: an image as it is, style and scripts bundled, with the parts that a script loads when it needs them.
 * `read` is what it was made of.
 */
async function contentOf(
  entry: string,
): Promise<{ content: string | Uint8Array; parts: { name: string; text: string }[]; read: string[] }> {
  if (/\.(?:svg|png)$/.test(entry)) return { content: readFileSync(entry), parts: [], read: [entry] }
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
