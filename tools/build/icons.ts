// `npm run tintype -- icons`: draws the icons for home screens, which take no SVG, from src/pages/shell/icon.svg. They are committed, so that no
// drawing program is needed to serve. `--check` says instead whether they are what the drawing looks like.
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { continueInOwnNode, ensureInstalled, fail, ROOT } from '../install/installed.mjs'
import { readCommandLine } from '../shared/command-line.ts'

const PAGES = path.join(ROOT, 'src', 'pages', 'shell')
const DRAWING = path.join(PAGES, 'icon.svg')
const DRAWING_SIZE = 32

/**
 * By their file: the square's side, and the ground left round the drawing. One that may be cut to any shape keeps off its
 * edges.
 */
const ICONS = {
  'icon-192.png': { size: 192, inset: 0 },
  'icon-512.png': { size: 512, inset: 0 },
  'icon-maskable-512.png': { size: 512, inset: 56 },
}

// Another processor may round a blended edge differently.
const MAX_DIFFERENCE = 4

const { values } = readCommandLine({
  usage: `Usage: npm run tintype -- icons [options]
Draws the icons of the installed page from src/pages/shell/icon.svg.
  --check   says instead whether they are what the drawing looks like
  --help    this text`,
  options: { check: { type: 'boolean', default: false } },
})
ensureInstalled('all')
continueInOwnNode()
const { default: sharp } = await import('sharp')
for (const [name, icon] of Object.entries(ICONS)) {
  const file = path.join(PAGES, name)
  const drawn = await draw(icon)
  if (!values.check) writeFileSync(file, drawn)
  else if (!(await areAlike(readFileSync(file), drawn)))
    fail(`${name} is not what icon.svg looks like: npm run tintype -- icons`)
}

/** As PNG; with an inset, on a ground of the drawing's own colour. */
function draw({ size, inset }: { size: number; inset: number }) {
  const side = size - 2 * inset
  const image = sharp(DRAWING, { density: (72 * side) / DRAWING_SIZE }).resize(side, side)
  if (inset > 0) {
    const background =
      /fill="(#[0-9a-f]{6})"/.exec(readFileSync(DRAWING, 'utf8'))?.[1] ?? fail('icon.svg has no ground')
    image.extend({ top: inset, bottom: inset, left: inset, right: inset, background }).flatten({ background })
  }
  return image.png({ palette: true, effort: 10 }).toBuffer()
}

async function areAlike(png: Buffer, other: Buffer) {
  const [pixels, others] = await Promise.all([png, other].map((file) => sharp(file).ensureAlpha().raw().toBuffer()))
  if (pixels?.length !== others?.length) return false
  return pixels?.every((value, at) => Math.abs(value - Number(others?.[at])) <= MAX_DIFFERENCE)
}
