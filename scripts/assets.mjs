// Makes generated/assets.ts: the style, scripts and icon of the pages, made small, each under an address that changes with it.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { bundle } from './bundle.mjs'
import { ROOT } from './installed.mjs'
import { GENERATED, makeWhenChanged, writeWhole } from './when-changed.mjs'

const PAGES = path.join(ROOT, 'src', 'pages')
const MODULE = path.join(GENERATED, 'assets.ts')

const JAVASCRIPT = 'text/javascript; charset=UTF-8'
const ENTRIES = {
  style: { entry: 'styles/index.css', extension: 'css', type: 'text/css; charset=UTF-8' },
  uploadStyle: { entry: 'styles/index-upload.css', extension: 'css', type: 'text/css; charset=UTF-8' },
  page: { entry: 'client/page.ts', extension: 'js', type: JAVASCRIPT },
  upload: { entry: 'client/upload.ts', extension: 'js', type: JAVASCRIPT },
  icon: { entry: 'icon.svg', extension: 'svg', type: 'image/svg+xml' },
  // For home screens, which take no SVG. The last one may be cut to any shape, so the drawing keeps off its edges.
  icon192: { entry: 'icon.svg', extension: 'png', type: 'image/png', size: 192, inset: 0 },
  icon512: { entry: 'icon.svg', extension: 'png', type: 'image/png', size: 512, inset: 0 },
  iconMaskable: { entry: 'icon.svg', extension: 'png', type: 'image/png', size: 512, inset: 56 },
}

/** Makes the module unless the last one was made of the same. */
export function ensureAssets() {
  return makeWhenChanged({
    outputs: [MODULE],
    sources: [import.meta.filename, path.join(ROOT, 'package-lock.json')],
    make: makeAssets,
  })
}

async function makeAssets() {
  const lines = []
  const allRead = []
  for (const [name, { entry, extension, type, ...size }] of Object.entries(ENTRIES)) {
    const isPng = extension === 'png'
    const file = path.join(PAGES, entry)
    const { content, read } = await (isPng ? pngOf(file, size) : contentOf(file))
    const hash = createHash('sha256').update(content).digest('base64url').slice(0, 8)
    const asset = { path: `/assets/${name}.${hash}.${extension}`, type, content, base64: isPng }
    lines.push(`  ${name}: ${JSON.stringify(asset)},\n`)
    allRead.push(...read)
  }
  writeWhole(MODULE, `// Made by scripts/assets.mjs.\nexport const ASSETS = {\n${lines.join('')}}\n`)
  return allRead
}

async function contentOf(entry) {
  if (entry.endsWith('.svg')) return { content: readFileSync(entry, 'utf8'), read: [entry] }
  const { text, read } = await bundle({
    entryPoints: [entry],
    minify: true,
    target: ['es2022', 'chrome123', 'firefox120', 'safari17.5'],
    charset: 'utf8',
    legalComments: 'none',
  })
  return { content: text.trim(), read }
}

/** The drawing as a square PNG in Base64; with an inset, on a ground of its own colour. */
async function pngOf(entry, { size, inset }) {
  const { default: sharp } = await import('sharp')
  const ground = /fill="(#[0-9a-f]{6})"/.exec(readFileSync(entry, 'utf8'))?.[1]
  const drawing = size - 2 * inset
  const image = sharp(entry, { density: (72 * drawing) / 32 }).resize(drawing, drawing)
  if (inset > 0)
    image
      .extend({ top: inset, bottom: inset, left: inset, right: inset, background: ground })
      .flatten({ background: ground })
  const png = await image.png({ palette: true, effort: 10 }).toBuffer()
  return { content: png.toString('base64'), read: [entry] }
}
