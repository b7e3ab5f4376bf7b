// Makes src/pages/build/assets.ts, if what it is made of has changed: the style, scripts and icon of the pages, made small,
// each under an address that changes with it.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { digestOf } from './digest.mjs'
import { ROOT } from './installed.mjs'

const PAGES = path.join(ROOT, 'src', 'pages')
const BUILD = path.join(PAGES, 'build')
const MODULE = path.join(BUILD, 'assets.ts')
const DIGEST = path.join(BUILD, 'digest')

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
export async function ensureAssets() {
  const sources = [PAGES, path.join(ROOT, 'scripts', 'assets.mjs')]
  const digest = digestOf(sources, (file) => !file.startsWith(BUILD))
  if (existsSync(MODULE) && existsSync(DIGEST) && readFileSync(DIGEST, 'utf8') === digest) return
  const assets = {}
  for (const [name, { entry, extension, type, ...size }] of Object.entries(ENTRIES)) {
    const isPng = extension === 'png'
    const content = await (isPng ? pngOf(path.join(PAGES, entry), size) : contentOf(path.join(PAGES, entry)))
    const hash = createHash('sha256').update(content).digest('base64url').slice(0, 8)
    assets[name] = { path: `/assets/${name}.${hash}.${extension}`, type, content, base64: isPng }
  }
  mkdirSync(BUILD, { recursive: true })
  const lines = Object.entries(assets).map(([name, asset]) => `  ${name}: ${JSON.stringify(asset)},\n`)
  writeFileSync(MODULE, `// Made by scripts/assets.mjs.\nexport const ASSETS = {\n${lines.join('')}}\n`)
  writeFileSync(DIGEST, digest)
}

async function contentOf(entry) {
  if (entry.endsWith('.svg')) return readFileSync(entry, 'utf8')
  const { build } = await import('esbuild')
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    target: ['es2022', 'chrome123', 'firefox120', 'safari17.5'],
    charset: 'utf8',
    legalComments: 'none',
  })
  return outputFiles[0].text.trim()
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
  return (await image.png({ palette: true, effort: 10 }).toBuffer()).toString('base64')
}
