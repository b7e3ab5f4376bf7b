// `npm run tintype -- bench:webp`: the size of our lossy WebPs, relative to those of cwebp (Debian's package webp), at equal SSIM or
// PSNR of luma. SSIMULACRA 2 is a third measure where the machine has the program of libjxl. The images are photographs of the
// corpus, if it is there, and synthetic ones. Both encoders get the same YUV 4:2:0.

import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Sharp } from 'sharp'
import sharp from 'sharp'
import type { Core } from 'tintype-codec/core'
import type { Yuv } from 'tintype-codec/test/formats/webp-lossy/encoder/encoder'
import { toYuv } from 'tintype-codec/test/formats/webp-lossy/encoder/images'
import { samplePsnr } from 'tintype-codec/test/formats/webp-lossy/encoder/sample-psnr'
import { listCorpus } from '../../test/support/corpus.ts'
import { photo } from '../../test/support/photo.ts'
import { CODEC_WASM } from '../../tools/build/codec.ts'
import { fail } from '../../tools/install/installed.mjs'
import { readCommandLine } from '../../tools/shared/command-line.ts'
import { runScript } from '../../tools/shared/processes.ts'
import { GENERATED } from '../../tools/shared/when-changed.ts'
import { ssim } from './ssim.ts'

const { values } = readCommandLine({
  usage: `Usage: npm run tintype -- bench:webp [options]
Compares the bytes of our lossy WebPs with those of cwebp, at equal SSIM, PSNR and SSIMULACRA 2.
  --quick         only a third of the photographs
  --images        prints each photograph, too
  --fine          fits a curve to 13 of 25 qualities of cwebp, instead of joining two of 7: takes 4 times as long
  --module FILE   another codec.wasm than the one that is built
  --ssimulacra2 PROGRAM   of libjxl; without it that measure is left out (ssimulacra2)
  --help          this text`,
  options: {
    quick: { type: 'boolean', default: false },
    images: { type: 'boolean', default: false },
    fine: { type: 'boolean', default: false },
    module: { type: 'string', default: CODEC_WASM },
    ssimulacra2: { type: 'string', default: 'ssimulacra2' },
  },
})
runScript('build/made.ts')

/** Photographs of the corpus, by the ends of their paths. */
const PHOTOS = [
  'sos_news.jpeg',
  'fujifilm-dx10.jpg',
  'sony-powershota5.jpg',
  'tests/11-tests.jpg',
  '45-gps_ifd.jpg',
  'flowers.jpeg',
  'exif_gps_typeerror.jpg',
  'examples/Portrait_2.jpg',
  'canon-ixus.jpg',
  'olympus-d320l.jpg',
  'sanyo-vpcg250.jpg',
  'sanyo-vpcsx550.jpg',
  'DSCN0010.jpg',
  'DSCN0029.jpg',
  'sharp/Landscape_1.jpg',
  'sugarshack_bad_mpo_header.jpg',
  'huge_sof_number.jpg',
  'Mexico.avif',
  'Ronda_rotate90.avif',
  'fox.profile0.8bpc.yuv420.avif',
  'kimono.avif',
]

/** An optimized image (here with few pixels, to be quick) and a thumbnail. */
const JOBS = [
  { name: 'optimized', edge: 900, quality: 90 },
  { name: 'thumbnail', edge: 200, quality: 80 },
]
const METHODS = [4, 6]
/** Qualities of cwebp beside ours, whose files enclose ours. */
const STEPS = values.fine ? Array.from({ length: 25 }, (_, i) => i - 14) : [-14, -9, -5, -2, 1, 4, 8]
/** The files of cwebp, nearest to ours in size, that a curve is fitted to. */
const FITTED = 13

interface Photograph extends Yuv {
  /** A PNG of the pixels that the samples were made of: the reference of SSIMULACRA 2. */
  png: Uint8Array
}
interface Point {
  bytes: number
  ssim: number
  psnr: number
  /** 0 without the program. */
  ssimulacra2: number
}
type Measure = Exclude<keyof Point, 'bytes'>

const folder = mkdtempSync(path.join(tmpdir(), 'webp-bytes-'))
const known = path.join(GENERATED, 'bench-webp')
mkdirSync(known, { recursive: true })
process.on('exit', () => rmSync(folder, { recursive: true }))
try {
  execFileSync('cwebp', ['-version'], { stdio: 'ignore' })
} catch {
  fail('npm run tintype -- bench:webp needs cwebp and dwebp: apt-get install webp')
}
const core = newCore(values.module)
const measures: Measure[] = ['ssim', 'psnr']
if (isProgram(values.ssimulacra2)) measures.push('ssimulacra2')
else console.log(`SSIMULACRA 2 is not measured: there is no program ${values.ssimulacra2} (--ssimulacra2 PROGRAM).`)

const ratios = new Map<string, number[]>()
for (const { name, file } of photographs().filter((_, i) => !values.quick || i % 3 === 0)) {
  for (const job of JOBS) {
    const yuv = await scaled(file, job.edge)
    const ours = measured(encode(yuv, job.quality), yuv)
    const cells = METHODS.flatMap((method) => {
      const points = theirs(name, yuv, job.quality, method)
      return measures.map((measure) => {
        const ratio =
          ours.bytes / (values.fine ? fittedBytes(points, measure, ours) : bytesAt(points, measure, ours[measure]))
        const key = `| ${job.name}, q${job.quality} | -m ${method} | ${measure} |`
        ratios.set(key, [...(ratios.get(key) ?? []), ratio])
        return `m${method} ${measure} ${ratio.toFixed(3)}`
      })
    })
    if (values.images) {
      console.log(
        name,
        job.name,
        `${ours.bytes} bytes, SSIM ${ours.ssim.toFixed(4)}, ${ours.psnr.toFixed(2)} dB, SSIMULACRA 2 ${ours.ssimulacra2.toFixed(1)}:`,
        ...cells,
      )
    }
  }
}
console.log('| bytes of ours over those of cwebp | method | at equal | median | worst tenth | worst | photographs |')
console.log('|---|---|---|---|---|---|---|')
for (const [key, list] of ratios) {
  const sorted = list.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]?.toFixed(3)
  console.log(`${key} ${at(0.5)} | ${at(0.9)} | ${at(1)} | ${sorted.length} |`)
}

function photographs(): { name: string; file: Sharp }[] {
  const ofCorpus = listCorpus()
    .filter((entry) => PHOTOS.some((end) => entry.path.endsWith(end)))
    .map((entry) => ({ name: entry.path, file: sharp(entry.read()) }))
  const made = [2, 5, 9].map((grain) => ({
    name: `made, grain ${grain}`,
    file: sharp(photo(1500, 1000, 20 + grain, grain), { raw: { width: 1500, height: 1000, channels: 3 } }),
  }))
  return [...ofCorpus, ...made]
}

/**
 * A photograph of at most so many pixels a side, and no more than three quarters of its own: what it lost when it was coded is gone.
 */
async function scaled(file: Sharp, edge: number): Promise<Photograph> {
  const { width, height } = await file.metadata()
  const scale = Math.min(0.75, edge / Math.max(width, height))
  const even = (side: number) => Math.max(2, 2 * Math.round((side * scale) / 2))
  const { data, info } = await file
    .clone()
    .resize(even(width), even(height), { fit: 'fill' })
    .removeAlpha()
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
  const png = await sharp(data, { raw: info }).png({ compressionLevel: 1 }).toBuffer()
  return { ...toYuv(data, info.width, info.height), png }
}

/** The exports of a codec.wasm. */
function newCore(file: string): Core {
  // The cast is of our own module's exports, not of input.
  return new WebAssembly.Instance(new WebAssembly.Module(readFileSync(file))).exports as unknown as Core
}

/** Our WebP of samples as they are. */
function encode({ width, height, samples }: Yuv, quality: number) {
  const [sampling420, bt601, ok, more] = [1, 6, 0, 5]
  core.reset()
  const at = core.allocate(samples.length + 64)
  new Uint8Array(core.memory.buffer).set(samples, at)
  core.toWebp(width, height, 1, quality)
  core.openYuv(width, height, sampling420, bt601, false, 0, 1)
  const [u, v] = [at + width * height, at + (width * height * 5) / 4]
  for (let y = 0; y < height; y += 2) {
    core.feedYuv(at + y * width, u + (y * width) / 4, v + (y * width) / 4, width, width / 2, 2)
  }
  if (core.finish() !== ok) throw new Error('the image is incomplete')
  let status = core.finishWebp()
  while (status === more) status = core.finishWebp()
  if (status !== ok) throw new Error(`finishWebp returned ${status}`)
  return new Uint8Array(core.memory.buffer).slice(core.fileStart(), core.fileStart() + core.fileBytes())
}

/** Encodes with cwebp at qualities around this one, and caches the results. */
function theirs(name: string, yuv: Photograph, quality: number, method: number): Point[] {
  const file = path.join(
    known,
    `${name.replaceAll(/\W+/g, '-')}.${yuv.width}.${quality}.m${method}.${measures.length}${values.fine ? '.fine' : ''}.json`,
  )
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    // It was not made yet.
  }
  const [input, output] = [path.join(folder, 'in.yuv'), path.join(folder, 'out.webp')]
  writeFileSync(input, yuv.samples)
  const points = STEPS.map((step) => {
    const size = ['-s', String(yuv.width), String(yuv.height)]
    const options = ['-m', String(method), '-q', String(Math.min(100, quality + step)), '-quiet']
    execFileSync('cwebp', [...size, ...options, input, '-o', output])
    return measured(readFileSync(output), yuv)
  })
  writeFileSync(file, JSON.stringify(points))
  return points
}

function measured(webp: Uint8Array, { width, height, samples, png }: Photograph): Point {
  const [input, output] = [path.join(folder, 'in.webp'), path.join(folder, 'out.yuv')]
  writeFileSync(input, webp)
  execFileSync('dwebp', [input, '-yuv', '-quiet', '-o', output])
  const decoded = readFileSync(output)
  const luma = width * height
  return {
    bytes: webp.length,
    ssim: ssim(decoded, samples, width, height),
    psnr: samplePsnr(decoded.subarray(0, luma), samples.subarray(0, luma)),
    ssimulacra2: ssimulacra2(input, png),
  }
}

/** SSIMULACRA 2 of a WebP file, relative to a PNG: 100 if both are the same. */
function ssimulacra2(webp: string, png: Uint8Array) {
  if (!measures.includes('ssimulacra2')) return 0
  const [original, distorted] = [path.join(folder, 'original.png'), path.join(folder, 'distorted.png')]
  writeFileSync(original, png)
  execFileSync('dwebp', [webp, '-quiet', '-o', distorted])
  return Number(execFileSync(values.ssimulacra2, [original, distorted], { encoding: 'utf8' }))
}

/** Whether a program is there: without arguments, it may fail, but starts. */
function isProgram(program: string) {
  return spawnSync(program, [], { stdio: 'ignore' }).error === undefined
}

/** A measure; SSIM on a logarithmic scale, like bytes. */
function scaleOf(measure: Measure, value: number) {
  return measure === 'ssim' ? -Math.log(1 - value) : value
}

/**
 * The bytes that cwebp would need for the measure of our file: a parabola of least squares. Measures of small images scatter by several
 * percent of bytes.
 */
function fittedBytes(points: Point[], measure: Measure, ours: Point) {
  const distance = (p: Point) => Math.abs(Math.log(p.bytes / ours.bytes))
  const fitted = points.toSorted((p, q) => distance(p) - distance(q)).slice(0, FITTED)
  const at = fitted.map((p) => scaleOf(measure, p[measure]) - scaleOf(measure, ours[measure]))
  const logs = fitted.map((p) => Math.log(p.bytes))
  const moment = (power: number, of: (i: number) => number) => at.reduce((sum, x, i) => sum + of(i) * x ** power, 0)
  const sum = (power: number) => moment(power, () => 1)
  const logSum = (power: number) => moment(power, (i) => logs[i] ?? 0)
  const [s1, s2, s3, s4] = [sum(1), sum(2), sum(3), sum(4)]
  // Cramer's rule, for the value where `at` is 0.
  const determinant = (a: number, b: number, c: number) =>
    a * (s2 * s4 - s3 * s3) - s1 * (b * s4 - s3 * c) + s2 * (b * s3 - s2 * c)
  return Math.exp(determinant(logSum(0), logSum(1), logSum(2)) / determinant(sum(0), s1, s2))
}

/** The bytes that cwebp would need for a measure, between (or, a little, beyond) what it took. */
function bytesAt(points: Point[], measure: Measure, value: number) {
  const scale = (p: Point) => scaleOf(measure, p[measure])
  const wanted = scaleOf(measure, value)
  const sorted = points.toSorted((p, q) => scale(p) - scale(q))
  const above = sorted.findIndex((p) => scale(p) >= wanted)
  const high = above < 0 ? sorted.length - 1 : Math.max(1, above)
  const [p, q] = [sorted[high - 1], sorted[high]]
  if (p === undefined || q === undefined) throw new Error('cwebp made too few images')
  const part = (wanted - scale(p)) / (scale(q) - scale(p))
  return p.bytes * (q.bytes / p.bytes) ** part
}
