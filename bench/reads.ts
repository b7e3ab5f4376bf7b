// `npm run tintype -- bench:reads`: requests a second for thumbnails and pages of images, popular ones and thumbnails that were
// not requested before. They are compared with an empty Worker on the same runtime, with wrk on the same cores. It
// fails if a request does.

import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import sharp from 'sharp'
import { fail } from '../tools/install/installed.mjs'
import { readNumbers } from '../tools/shared/command-line.ts'
import { runScript } from '../tools/shared/processes.ts'
import { addressOf, keepingAgent, send, uploadForm } from './support/clients.ts'
import { cpuMs, memory, workerdOf } from './support/process.ts'
import { newDataFolder, startService, startTrivialService } from './support/service.ts'
import { quantile } from './support/statistics.ts'

interface Service {
  pid: number
  stop: () => Promise<void>
}
interface Row {
  perSecond: number
  p50: string
  p99: string
  failures: number
  cpu: number
}

const { numbers } = readNumbers({
  usage: `Usage: npm run tintype -- bench:reads [options]
Measures how many thumbnails and pages of images are read a second.
  --seconds N   how long each row is asked for (10)
  --images N    how many images are requested again and again (100)
  --cold N      how many thumbnails are asked for once (2000)
  --help        this text`,
  numbers: { seconds: 10, images: 100, cold: 2000 },
})
if (spawnSync('wrk', ['--version']).error) fail('wrk is missing: apt install wrk')
runScript('build/build.ts')
const { imageFile } = await import('./images/pictures.ts')

const CONNECTIONS = [8, 500]
/** Rates at which 500 connections ask, each in its turn: what the service is to sustain, in requests a second. */
const SUSTAINED = { thumbnails: 2500, pages: 1500 }
const COLD_CLIENTS = 8
/** As a browser asks for a page. */
const BROWSER = { 'Accept-Encoding': 'gzip, deflate, br, zstd', 'Accept-Language': 'de-AT,de;q=0.9,en;q=0.5' }

const scripts = mkdtempSync(path.join(tmpdir(), 'tintype-wrk-'))
const data = newDataFolder()
const agent = keepingAgent()
let requests = 0
try {
  console.log('| what | connections | requests/s | p50 | p99 | CPU ms each | failures |\n|---|---|---|---|---|---|---|')
  await measureTrivial(18_811)
  const paths = await upload(18_812)
  // Started again, because new uploads are in no cache yet.
  const service = await startService(18_812, {}, data)
  await measureCold(18_812, service, paths.thumbnails.slice(numbers.images))
  const hot = paths.thumbnails.slice(0, numbers.images)
  await measure('thumbnails', 18_812, service, hot)
  await measureSustained('thumbnails', 18_812, service, hot, SUSTAINED.thumbnails)
  await measure('thumbnails, unchanged', 18_812, service, hot, { 'If-None-Match': '*' })
  await measure('pages of images', 18_812, service, paths.pages.slice(0, numbers.images), BROWSER)
  await measureSustained('pages of images', 18_812, service, paths.pages.slice(0, numbers.images), SUSTAINED.pages)
  console.log(`\nresident memory of workerd at the end: ${memory(workerdOf(service.pid), 'VmRSS')} MB`)
  await service.stop()
} finally {
  rmSync(data, { recursive: true, force: true })
  rmSync(scripts, { recursive: true, force: true })
}

async function measureTrivial(port: number) {
  const service = await startTrivialService(port)
  await measure('a Worker that does nothing', port, service, ['/'])
  await service.stop()
}

/** Uploads a photograph, a little different each time, and returns the paths of their thumbnails and pages. */
async function upload(port: number) {
  const service = await startService(port, {}, data)
  const photo = sharp(readFileSync(await imageFile('jpeg', 12))).resize(1000)
  const thumbnails: string[] = []
  const pages: string[] = []
  const one = await photo.jpeg().toBuffer()
  const client = async () => {
    while (requests < numbers.images + numbers.cold) {
      const outcome = await send({
        port,
        address: addressOf(++requests),
        agent,
        path: '/images',
        ...uploadForm(one, { content_type: '0' }),
      })
      if (outcome.status !== 200) fail(`an upload: ${outcome.status} ${outcome.text}`)
      const { th_url: thumbnail, show_url: page } = JSON.parse(outcome.text)
      thumbnails.push(new URL(thumbnail).pathname)
      pages.push(new URL(page).pathname)
    }
  }
  await Promise.all(Array.from({ length: COLD_CLIENTS }, client))
  await service.stop()
  return { thumbnails, pages }
}

async function measure(
  name: string,
  port: number,
  service: Service,
  paths: readonly string[],
  headers: Record<string, string> = {},
) {
  const script = path.join(scripts, 'paths.lua')
  writeFileSync(script, scriptOf(paths, headers))
  for (const connections of CONNECTIONS) {
    await wrk(port, script, connections, 2)
    const before = cpuOf(service)
    const { perSecond, requests: count, p50, p99, failures } = await wrk(port, script, connections, numbers.seconds)
    print(name, connections, { perSecond, p50, p99, failures, cpu: (cpuOf(service) - before) / count })
  }
}

/**
 * Measures requests at a rate, as they come from many readers. Without a rate each connection asks again at once, and
 * latencies at 500 connections are those of a queue that never empties, of an empty Worker too.
 * @param rate requests a second, of all connections
 */
async function measureSustained(name: string, port: number, service: Service, paths: readonly string[], rate: number) {
  const connections = Math.max(...CONNECTIONS)
  const script = path.join(scripts, 'sustained.lua')
  writeFileSync(script, scriptOf(paths, name.startsWith('pages') ? BROWSER : {}, (1000 * connections) / rate))
  await wrk(port, script, connections, 2)
  const before = cpuOf(service)
  const { perSecond, requests: count, p50, p99, failures } = await wrk(port, script, connections, numbers.seconds)
  const cpu = (cpuOf(service) - before) / count
  print(`${name}, at most ${rate} a second`, connections, { perSecond, p50, p99, failures, cpu })
}

/** Each path once, by a few clients. */
async function measureCold(port: number, service: Service, paths: string[]) {
  const times: number[] = []
  let failures = 0
  let next = 0
  const before = cpuOf(service)
  const startedMs = performance.now()
  const client = async () => {
    for (let at = paths[next++]; at !== undefined; at = paths[next++]) {
      const begunMs = performance.now()
      const { status } = await send({ port, address: addressOf(++requests), agent, path: at, method: 'GET' })
      if (status !== 200) failures++
      times.push(performance.now() - begunMs)
    }
  }
  await Promise.all(Array.from({ length: COLD_CLIENTS }, client))
  const seconds = (performance.now() - startedMs) / 1000
  const at = (share: number) => `${quantile(times, share).toFixed(2)}ms`
  const cpu = (cpuOf(service) - before) / paths.length
  const row = { perSecond: paths.length / seconds, p50: at(0.5), p99: at(0.99), failures, cpu }
  print('thumbnails, each for the first time', COLD_CLIENTS, row)
}

function print(name: string, connections: number, { perSecond, p50, p99, failures, cpu }: Row) {
  const cells = [name, connections, perSecond.toFixed(0), p50, p99, cpu.toFixed(3), failures]
  console.log(`| ${cells.join(' | ')} |`)
  if (failures > 0) process.exitCode = 1
}

/** Returns the CPU that both processes of a service have used: workerd, and the one that started it. */
function cpuOf({ pid }: Service) {
  return cpuMs(pid) + cpuMs(workerdOf(pid))
}

/** A script of wrk that asks for these paths in turn, with a pause of about `pauseMs` before each request of a connection. */
function scriptOf(paths: readonly string[], headers: Record<string, string>, pauseMs = 0) {
  const quoted = (text: string) => JSON.stringify(text)
  return `
    local paths = { ${paths.map(quoted).join(', ')} }
    local headers = { ${Object.entries(headers)
      .map(([name, value]) => `[${quoted(name)}] = ${quoted(value)}`)
      .join(', ')} }
    local requests = {}
    local turn = 0
    init = function()
      for i, path in ipairs(paths) do requests[i] = wrk.format("GET", path, headers) end
      math.randomseed(os.time())
      turn = math.random(#requests)
    end
    request = function()
      turn = turn % #requests + 1
      return requests[turn]
    end
    ${pauseMs > 0 ? `delay = function() return math.random(${Math.round(2 * pauseMs)}) end` : ''}
    done = function(summary, latency)
      local errors = summary.errors
      io.write(string.format("RESULT %d %d %f %f %d\\n", summary.requests, summary.duration, latency:percentile(50),
        latency:percentile(99), errors.connect + errors.read + errors.write + errors.status + errors.timeout))
    end`
}

async function wrk(port: number, script: string, connections: number, seconds: number) {
  const args = ['-t', '1', '-c', String(connections), '-d', `${seconds}s`, '--timeout', '30s', '-s', script]
  const program = spawn('wrk', [...args, `http://127.0.0.1:${port}`], { stdio: ['ignore', 'pipe', 'inherit'] })
  let printed = ''
  program.stdout.on('data', (text) => {
    printed += text
  })
  await new Promise((resolve) => program.once('close', resolve))
  const found = /RESULT (\d+) (\d+) ([\d.]+) ([\d.]+) (\d+)/.exec(printed)
  if (!found) return fail(`wrk ended without a result:\n${printed}`)
  const [count = 0, duration = 1, p50 = 0, p99 = 0, failures = 0] = found.slice(1).map(Number)
  const ms = (microseconds: number) => `${(microseconds / 1000).toFixed(2)}ms`
  return { requests: count, perSecond: (count / duration) * 1e6, p50: ms(p50), p99: ms(p99), failures }
}
