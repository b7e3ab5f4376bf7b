// `npm run tintype -- bench:slow-readers`: resident memory of workerd while clients have asked for originals and read nothing of them, with the
// edge cache and without it. The difference is the cost of filling the cache beside a slow client.

import { mkdtempSync, rmSync } from 'node:fs'
import net from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { LocalService } from '../tools/serve/local-service.ts'
import { readStartOptions } from '../tools/serve/start-options.ts'
import { readNumbers } from '../tools/shared/command-line.ts'
import { runScript } from '../tools/shared/processes.ts'
import { noisePng } from './images/noise-png.ts'
import { addressOf, sendPatiently, uploadForm } from './support/clients.ts'
import { memory, workerdOf } from './support/process.ts'

const { numbers } = readNumbers({
  usage: `Usage: npm run tintype -- bench:slow-readers [options]
Measures the memory of workerd while clients read nothing of the originals they asked for.
  --clients N   the number of clients, each with an original of its own of 10 MB (20)
  --seconds N   the time after which the memory is read (5)
  --help        this text`,
  numbers: { clients: 20, seconds: 5 },
})
runScript('build/build.ts')

const PORT = 18_801
/** Three bytes a pixel: nearly the 10 MiB that an upload may have. */
const EDGE_PX = 1860

console.log('| edge cache | before MB | with slow readers MB | added MB |\n|---|---|---|---|')
for (const edgeCache of [false, true]) {
  const { before, withReaders } = await measure(edgeCache)
  console.log(`| ${edgeCache ? 'on' : 'off'} | ${before} | ${withReaders} | ${withReaders - before} |`)
}
process.exit(0)

async function measure(edgeCache: boolean) {
  const data = mkdtempSync(path.join(tmpdir(), 'tintype-bench-'))
  const options = await readStartOptions(['--port', String(PORT), '--data', data, '--client-limits', 'off'])
  try {
    // The memory that uploads took would serve the readers.
    const paths = await during(new LocalService(options), uploadAll)
    return await during(new LocalService(options, { edgeCache }), () => memoryWithReaders(paths))
  } finally {
    rmSync(data, { recursive: true, force: true })
  }
}

/** Returns the result of `work`, which runs beside a service. */
async function during<Result>(service: LocalService, work: () => Promise<Result>) {
  await service.start()
  try {
    return await work()
  } finally {
    await service.stop()
  }
}

async function memoryWithReaders(paths: string[]) {
  const workerd = workerdOf(process.pid)
  const [first = '', ...others] = paths
  const warming = await openAndStall(first)
  warming.destroy()
  await wait(numbers.seconds * 1000)
  const before = memory(workerd, 'VmRSS')
  const readers = await Promise.all(others.map(openAndStall))
  await wait(numbers.seconds * 1000)
  const withReaders = memory(workerd, 'VmRSS')
  for (const reader of readers) reader.destroy()
  return { before, withReaders }
}

/** Uploads an original for each client and one to warm up with; returns their paths. */
async function uploadAll() {
  const paths: string[] = []
  for (let at = 0; at <= numbers.clients; at++) {
    const form = uploadForm(noisePng(EDGE_PX, at), { content_type: '0' })
    const outcomes = await sendPatiently({ port: PORT, path: '/images', address: addressOf(at), ...form })
    const { status, text } = outcomes.at(-1) ?? { status: 0, text: '' }
    if (status !== 200) throw new Error(`an upload got ${status}: ${text}`)
    paths.push(new URL(JSON.parse(text).show_url).pathname.replace('/show/', '/images/'))
  }
  return paths
}

/** Asks for a file, reads its headers, and nothing more. */
function openAndStall(file: string): Promise<net.Socket> {
  const socket = net.connect({ port: PORT, host: '127.0.0.1' })
  socket.write(`GET ${file} HTTP/1.1\r\nHost: localhost:${PORT}\r\nConnection: close\r\n\r\n`)
  return new Promise((resolve, reject) => {
    socket.once('error', reject)
    socket.once('data', (head) => {
      socket.pause()
      if (!head.toString('latin1').startsWith('HTTP/1.1 200')) reject(new Error(head.toString('latin1').slice(0, 200)))
      resolve(socket)
    })
  })
}
