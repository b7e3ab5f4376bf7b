// `npm run tintype -- bench:codecs --weights`: the processor time of each job beside the cost that src/image/work.ts announces for it. The
// weights there are those of the costliest ordinary file of each format, so no ratio should be far above 1.

import { readFileSync } from 'node:fs'
import type { Codec, probe } from 'tintype-codec/interface'
import type { CodecJob } from '../../src/image/work.ts'
import { median } from '../support/statistics.ts'
import { importTintype } from './bundle.ts'
import { JOBS, optionsOf } from './contestants.ts'
import type { Run } from './cpu-time.ts'
import { cpuTimer } from './cpu-time.ts'

interface Image {
  bytes: Uint8Array<ArrayBuffer>
  facts: NonNullable<ReturnType<typeof probe>>
}

/** The kinds of images that each job is measured with. */
const KINDS: readonly (readonly [CodecJob, RegExp])[] = [
  ['thumbnail', /./],
  ['preview', /./],
  ['optimized', /^(?:jpeg|png|webp)/],
  ['lossless', /^png/],
  ['cover', /^(?:jpeg|png)/],
]

export async function printWeights(
  fileOf: (kind: string, size: string) => Promise<string>,
  kinds: string[],
  sizes: string[],
  runs: number,
) {
  const { codec, joinCover, workOf, probe: probeFile } = await importTintype()
  console.log('| job | image | CPU ms | announced | ratio |\n|---|---|---|---|---|')
  for (const [job, allowed] of KINDS) {
    for (const kind of kinds.filter((one) => allowed.test(one))) {
      for (const size of sizes) {
        const bytes = new Uint8Array(readFileSync(await fileOf(kind, size)))
        const facts = probeFile(bytes)
        if (facts === undefined) throw new Error(`${kind} ${size}: no image is recognized`)
        const image = { bytes, facts }
        const run = await runOf({ codec, joinCover }, job, image)
        const cpuMs = await cpuTimer(run)
        const times = []
        for (let i = 0; i < runs; i++) times.push(await cpuMs())
        const measured = median(times)
        const announced = job === 'cover' ? workOf(job, image, image) : workOf(job, image)
        const cells = [job, `${kind} ${size} MP`, measured.toFixed(0), announced, (measured / announced).toFixed(2)]
        console.log(`| ${cells.join(' | ')} |`)
      }
    }
  }
}

async function runOf(
  { codec, joinCover }: { codec: Codec; joinCover: (left: Image, right: Image) => Promise<unknown> },
  job: CodecJob,
  image: Image,
): Promise<Run> {
  const wanted = (name: string) => (JOBS[name] ?? []).map(optionsOf)
  if (job === 'thumbnail') return () => codec.outputs(image.bytes, wanted('thumbnail'))
  if (job === 'preview') return () => codec.outputs(image.bytes, wanted('preview'))
  if (job === 'optimized') return () => codec.outputs(image.bytes, wanted('optimize'))
  if (job === 'cover') return () => joinCover(image, image)
  const [lossy] = await codec.outputs(image.bytes, wanted('optimize'))
  const [{ width, height } = { width: 0, height: 0 }] = wanted('optimize')
  return () => codec.lossless(image.bytes, { width, height, maxBytes: (lossy?.bytes.length ?? 1) - 1 })
}
