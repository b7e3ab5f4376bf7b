// `npm run tintype -- bench:load`: the memory of workerd during a minute of uploads. Four clients send 12-megapixel photographs,
// half of them to be optimized. Then a fresh service gets as many requests of the same size: tiny images padded with
// comments. Bodies and the local D1 and R2 are in the same process, so the difference is the memory of the images.

import { readFileSync } from 'node:fs'
import sharp from 'sharp'
import { readNumbers } from '../tools/shared/command-line.ts'
import { runScript } from '../tools/shared/processes.ts'
import { paddedJpeg } from './images/padded.ts'
import { memory, workerdOf } from './support/process.ts'
import { startService } from './support/service.ts'

const { numbers } = readNumbers({
  usage: `Usage: npm run tintype -- bench:load [options]
Measures what uploads of photographs do to the memory of workerd.
  --seconds N   for how long they are sent (60)
  --clients N   how many send them (4)
  --help        this text`,
  numbers: { seconds: 60, clients: 4 },
})
runScript('build/build.ts')
const { imageFile } = await import('./images/pictures.ts')

const PORT = 18_790

const photo = readFileSync(await imageFile('jpeg', 12))
const tiny = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
  .jpeg()
  .toBuffer()

const measured = await measure(photo, { seconds: numbers.seconds, requests: Number.POSITIVE_INFINITY })
const baseline = await measure(paddedJpeg(tiny, photo.length), {
  seconds: Number.POSITIVE_INFINITY,
  requests: measured.requests,
})
console.log('| load | requests | failed | resident before MB | highest MB | growth MB |')
console.log('|---|---|---|---|---|---|')
for (const [name, row] of Object.entries({ '12 MP photographs': measured, 'tiny images, padded': baseline })) {
  console.log(
    `| ${name} | ${row.requests} | ${row.failed} | ${row.before} | ${row.highest} | ${row.highest - row.before} |`,
  )
}
console.log(
  `\nbeyond the same load with tiny images: ${measured.highest - measured.before - (baseline.highest - baseline.before)} MB`,
)

/** Sends the image until one of these is reached. */
async function measure(image: Buffer, most: { seconds: number; requests: number }) {
  const service = await startService(PORT)
  const workerd = workerdOf(service.pid)
  const before = memory(workerd, 'VmRSS')
  const end = Date.now() + most.seconds * 1000
  let requests = 0
  let failed = 0
  const client = async () => {
    while (Date.now() < end && requests < most.requests) {
      const form = new FormData()
      form.set('img', new Blob([new Uint8Array(image)]), 'photo.jpg')
      form.set('content_type', '0')
      form.set('optimize_for_web', String(requests++ % 2))
      const response = await fetch(`http://127.0.0.1:${PORT}/images`, { method: 'POST', body: form }).catch(
        () => undefined,
      )
      if (response?.status !== 200) failed++
      await response?.arrayBuffer()
    }
  }
  await Promise.all(Array.from({ length: numbers.clients }, client))
  const highest = memory(workerd, 'VmHWM')
  await service.stop()
  return { requests, failed, before, highest }
}
