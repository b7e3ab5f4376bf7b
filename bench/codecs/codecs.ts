// `npm run tintype -- bench:codecs`: compares this codec, @jsquash and native sharp (one thread) on the same files, with a fresh process for each
// case. It also compares the processor time of this codec and sharp, which take turns in one process.
import { spawnSync } from 'node:child_process'
import { statSync } from 'node:fs'
import path from 'node:path'
import { readCommandLine } from '../../tools/shared/command-line.ts'
import { runScript } from '../../tools/shared/processes.ts'

const { values } = readCommandLine({
  usage: `Usage: npm run tintype -- bench:codecs [options]
Measures this project's codec beside @jsquash and native sharp, on the same files.
  --sizes LIST         of the images, in megapixels (1,3,12,24,48)
  --kinds LIST         of the images (all: jpeg,jpeg-progressive,png, ... as in docs/benchmarks.md)
  --jobs LIST          any of thumbnail, preview, optimize and optimize-text (thumbnail,preview,optimize)
  --runs N             how often each is measured; the median counts (5)
  --contestants LIST   any of tintype, jsquash and sharp (all)
  --weights            print the processor time of each job beside the cost that the queue of images announces for it
  --help               this text`,
  options: {
    sizes: { type: 'string', default: '1,3,12,24,48' },
    kinds: {
      type: 'string',
      default: 'jpeg,jpeg-progressive,png,png-flat,png-text,gif,gif-flat,webp,avif,avif-10,avif-10-444,avif-10-grid',
    },
    jobs: { type: 'string', default: 'thumbnail,preview,optimize' },
    runs: { type: 'string', default: '5' },
    contestants: { type: 'string', default: 'tintype,jsquash,sharp' },
    weights: { type: 'boolean', default: false },
  },
})
runScript('build/made.ts')
const { imageFile } = await import('../images/pictures.ts')
if (values.weights) {
  const { printWeights } = await import('./weights.ts')
  await printWeights(imageFile, values.kinds.split(','), values.sizes.split(','), Number(values.runs))
  process.exit()
}

const MB = 1_000_000
const contestants = values.contestants.split(',')

console.log(
  '| image | job | file MB | tintype ms | jsquash ms | sharp ms | jsquash / tintype | tintype / sharp | tintype / sharp CPU | tintype WASM MB | jsquash WASM MB | tintype resident MB |',
)
console.log('|---|---|---|---|---|---|---|---|---|---|---|---|')
for (const job of values.jobs.split(',')) {
  for (const kind of values.kinds.split(',')) {
    // For text the lossless WebP is smaller; for photographs it is not attempted.
    const asked = job === 'optimize' && kind === 'png-text' ? 'optimize-text' : job
    for (const size of values.sizes.split(',')) {
      if (/^(avif|gif)/.test(kind) && job === 'optimize') continue
      const file = await imageFile(kind, size)
      const measureCase = (contestant: string) =>
        contestants.includes(contestant) &&
        (contestant !== 'jsquash' || !(kind.startsWith('gif') || asked === 'preview'))
          ? measure('measure.ts', [contestant, asked, kind, file, values.runs])
          : {}
      const isPaired = contestants.includes('tintype') && contestants.includes('sharp')
      const paired = isPaired ? measure('paired.ts', ['tintype', 'sharp', asked, kind, file, values.runs]) : {}
      const [ours, jsquash, sharp] = [measureCase('tintype'), measureCase('jsquash'), measureCase('sharp')]
      const cells = [
        `${kind} ${size} MP`,
        asked,
        (statSync(file).size / MB).toFixed(1),
        ms(ours),
        ms(jsquash),
        ms(sharp),
        ratio(jsquash, ours),
        ratio(ours, sharp),
        paired.ratio?.toFixed(2) ?? '–',
        megabytes(ours.wasmBytes),
        megabytes(jsquash.wasmBytes),
        megabytes(ours.residentBytes),
      ]
      console.log(`| ${cells.join(' | ')} |`)
    }
  }
}

/** The output of bench/codecs/measure.ts or bench/codecs/paired.ts, or the reason why there is none. */
interface Measured {
  ms?: number
  wasmBytes?: number
  residentBytes?: number
  ratio?: number
  error?: string
}

function measure(script: string, args: string[]): Measured {
  const file = path.join(import.meta.dirname, script)
  const { stdout, stderr } = spawnSync(process.execPath, ['--expose-gc', file, ...args], { encoding: 'utf8' })
  const lastLine = (text: string) => text.trim().split('\n').at(-1) ?? ''
  return stdout ? JSON.parse(lastLine(stdout)) : { error: lastLine(stderr) }
}

function ms({ ms: value, error }: Measured) {
  return value?.toFixed(0) ?? (error === undefined ? '–' : `refused (${error})`)
}

function ratio(a: Measured, b: Measured) {
  return a.ms && b.ms ? (a.ms / b.ms).toFixed(2) : '–'
}

function megabytes(bytes: number | undefined) {
  return bytes === undefined ? '–' : (bytes / MB).toFixed(1)
}
