// `npm run tintype -- bench:stuck-readers`: the effect of clients that read an original of 10 MB slowly, or not at all. It measures workerd's memory,
// the time other requests wait, and when idle readers are disconnected. It fails if another request does.

import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import sharp from 'sharp'
import { fail } from '../tools/install/installed.mjs'
import { readNumbers } from '../tools/shared/command-line.ts'
import { runScript } from '../tools/shared/processes.ts'
import { paddedJpeg } from './images/padded.ts'
import { addressOf, keepingAgent, send, uploadForm } from './support/clients.ts'
import { cpuMs, memory, workerdOf } from './support/process.ts'
import { startService } from './support/service.ts'

const { numbers } = readNumbers({
  usage: `Usage: npm run tintype -- bench:stuck-readers [options]
Measures what readers cost that read slowly or not at all.
  --slow N      how many read 64 KB a second (20)
  --stuck N     how many read nothing (600)
  --seconds N   how long they are watched (90)
  --help        this text`,
  numbers: { slow: 20, stuck: 600, seconds: 90 },
})
runScript('build/build.ts')

const PORT = 18_820
const LARGE_BYTES = 10_000_000
const SLOW_BYTES = 64_000
const PROBE_MS = 100

const agent = keepingAgent()
let probes = 0
const service = await startService(PORT)
try {
  const workerd = workerdOf(service.pid)
  const tiny = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
    .jpeg()
    .toBuffer()
  const original = await upload(paddedJpeg(tiny, LARGE_BYTES))
  const other = await upload(tiny)
  console.log(
    '| moment | workerd MB | Node.js MB | longest wait of others ms | open | CPU s |\n|---|---|---|---|---|---|',
  )
  const watched = watch(other, workerd)
  await watched.row('before', 5, () => 0)
  const slow = Array.from({ length: numbers.slow }, () => reader(original, SLOW_BYTES))
  await watched.row(`${numbers.slow} that read slowly`, 10, () => openOf(slow))
  const stuck = Array.from({ length: numbers.stuck }, () => reader(original, 0))
  await watched.row(`and ${numbers.stuck} that do not`, 10, () => openOf(stuck))
  const rows = Math.ceil(numbers.seconds / 20)
  for (let row = 1; row <= rows; row++) await watched.row(`${10 + row * 20} s later`, 20, () => openOf(stuck))
  for (const { end } of [...slow, ...stuck]) end()
  await watched.row('when all have gone', 5, () => 0)
  watched.end()
} finally {
  await service.stop()
}

async function upload(image: Buffer) {
  const form = uploadForm(image, { content_type: '0' })
  const { status, text } = await send({ port: PORT, path: '/images', address: addressOf(++probes), agent, ...form })
  if (status !== 200) fail(`an upload: ${status} ${text}`)
  const { image_url: _, th_url: thumbnail } = JSON.parse(text)
  return new URL(thumbnail).pathname.replace('/thumbs/', '/images/')
}

/** Asks for the file and takes so many bytes a second of it. */
function reader(path: string, bytesPerSecond: number) {
  const socket = connect(PORT, '127.0.0.1')
  socket.on('error', () => {})
  socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
  socket.pause()
  const timer = setInterval(() => {
    for (let left = bytesPerSecond; left > 0; ) {
      const chunk = socket.read()
      if (chunk === null) break
      left -= chunk.length
    }
  }, 1000)
  const end = () => {
    clearInterval(timer)
    socket.destroy()
  }
  return { port: () => socket.localPort, end }
}

/** The number of these readers whose connections the service still has (proc_net_tcp(5)): a client that reads nothing does not notice. */
function openOf(readers: { port: () => number | undefined }[]) {
  const hex = (port: number) => `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  const lines = readFileSync('/proc/net/tcp', 'utf8').split('\n')
  const fields = lines.map((line) => line.trim().split(/\s+/))
  const served = new Set(fields.flatMap(([, local, remote]) => (local?.endsWith(hex(PORT)) ? [remote?.slice(-5)] : [])))
  return readers.filter(({ port }) => served.has(hex(port() ?? 0))).length
}

/** Requests another file ten times a second, and reports the results of each interval. */
function watch(path: string, workerd: number) {
  let isOver = false
  let longestMs = 0
  const probe = async () => {
    while (!isOver) {
      const startedMs = performance.now()
      const { status } = await send({ port: PORT, path, address: addressOf(++probes), method: 'GET', agent })
      longestMs = Math.max(longestMs, performance.now() - startedMs)
      if (status !== 200) {
        console.log(`another request: ${status}`)
        process.exitCode = 1
      }
      await wait(PROBE_MS)
    }
  }
  void probe()
  return {
    async row(name: string, seconds: number, open: () => number) {
      longestMs = 0
      const before = cpuMs(workerd) + cpuMs(service.pid)
      await wait(seconds * 1000)
      const cpu = (cpuMs(workerd) + cpuMs(service.pid) - before) / 1000
      const cells = [
        name,
        memory(workerd, 'VmRSS'),
        memory(service.pid, 'VmRSS'),
        longestMs.toFixed(0),
        open(),
        cpu.toFixed(1),
      ]
      console.log(`| ${cells.join(' | ')} |`)
    },
    end() {
      isOver = true
    },
  }
}
