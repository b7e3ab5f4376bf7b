// `npm run tintype -- bench:files`: what files cost on the disk of one machine, next to Miniflare's R2, which syncs nothing, and to the same disk
// without syncs. A Worker calls the stores of src/storage/files; their services run as with npm start. Then whole uploads, with and
// without syncs.

import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import system from 'node:fs/promises'
import path from 'node:path'
import { build } from 'esbuild'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'
import { fail, ROOT } from '../tools/install/installed.mjs'
import type { FileSystem } from '../tools/serve/data/disk-files.ts'
import { DiskFiles } from '../tools/serve/data/disk-files.ts'
import { serveFiles } from '../tools/serve/data/service.ts'
import { readCommandLine } from '../tools/shared/command-line.ts'
import { runScript } from '../tools/shared/processes.ts'
import { addressOf, keepingAgent, send, uploadForm } from './support/clients.ts'
import { cpuMs, workerdOf } from './support/process.ts'
import { startService } from './support/service.ts'
import { median } from './support/statistics.ts'

const USAGE = `Usage: npm run tintype -- bench:files [options]
Measures CPU and time of puts and reads of files.
  --folder DIR   where the data is made and removed (the checkout)
  --rounds N     how often each store is measured, in turns (5)
  --help         this text`

const { values } = readCommandLine({
  usage: USAGE,
  options: { folder: { type: 'string', default: ROOT }, rounds: { type: 'string', default: '5' } },
})
// The heap of workerd as npm start limits it.
process.env.MINIFLARE_WORKERD_V8_FLAGS ??= '--max-semi-space-size=2 --initial-old-space-size=4'
// An older Node.js has no SQLite.

/** The measurements: calls, calls at the same time, bytes of a file. */
const WORK = {
  'put of 10 MB': { operation: 'put', calls: 20, together: 1, bytes: 10_000_000 },
  'read of a thumbnail of 20 KB': { operation: 'read', calls: 2000, together: 8, bytes: 20_000 },
  'read of 10 MB': { operation: 'read', calls: 20, together: 1, bytes: 10_000_000 },
  'put of 200 KB and its thumbnail, 8 clients': { operation: 'upload', calls: 200, together: 8, bytes: 200_000 },
} as const
/** Uploads of each round, by 8 clients. */
const UPLOADS = 200
/** A photograph of noise, which no encoder makes small. */
const NOISE = { type: 'gaussian', mean: 128, sigma: 40 } as const
const STORES = ['r2', 'disk', 'unsynced'] as const

const WORKER = `
import { diskFiles } from './src/storage/files/disk.ts'
import { r2Files } from './src/storage/files/r2.ts'

let id = 0
export default {
  async fetch(request, env) {
    const { store, operation, calls, together, bytes } = await request.json()
    const files = {
      r2: () => r2Files(env.FILES),
      disk: () => diskFiles({ FILES_FOLDER: env.FOLDER, FILES_SERVICE: env.SERVICE }),
      unsynced: () => diskFiles({ FILES_FOLDER: env.UNSYNCED_FOLDER, FILES_SERVICE: env.UNSYNCED_SERVICE }),
    }[store]()
    const noise = new Uint8Array(bytes)
    for (let at = 0; at < bytes; at += 65_536) crypto.getRandomValues(noise.subarray(at, at + 65_536))
    const put = async (kind, number, content) => {
      if (!(await files.create(kind + '/12/' + number + '_a.jpg', content, { mediaType: 'image/jpeg' }))) throw new Error('taken')
    }
    const stored = ++id
    if (operation === 'read') await put('images', stored, noise)
    const once = {
      put: () => put('images', ++id, noise),
      upload: () => { const own = ++id; return Promise.all([put('images', own, noise), put('thumbs', own, noise.subarray(0, 20_000))]) },
      read: async () => { for await (const chunk of (await files.read('images/12/' + stored + '_a.jpg')).body) chunk },
    }[operation]
    await once()
    await env.BOUNDARY.fetch('http://boundary/')
    const times = []
    let left = calls
    await Promise.all(Array.from({ length: together }, async () => {
      while (left-- > 0) {
        const begun = Date.now()
        await once()
        times.push(Date.now() - begun)
      }
    }))
    await env.BOUNDARY.fetch('http://boundary/')
    return Response.json(times.sort((a, b) => a - b))
  },
}`

const data = mkdtempSync(path.join(path.resolve(values.folder), 'bench-files-'))
try {
  await measure()
  await measureUploads()
} finally {
  rmSync(data, { recursive: true, force: true })
}

/** Serves files in a folder below the data. Returns the bindings. */
async function serve(name: string, fs?: FileSystem) {
  const folder = path.join(data, name)
  await system.mkdir(folder)
  const files = new DiskFiles(path.join(folder, 'files'), fs)
  await files.open()
  const service = await serveFiles(files, folder)
  return {
    close: service.close,
    folder: { disk: { path: path.join(folder, 'files'), writable: true } },
    service: { external: { address: `unix:${service.socket}`, http: {} } },
  }
}

async function measure() {
  const { outputFiles } = await build({
    stdin: { contents: WORKER, resolveDir: ROOT, loader: 'js' },
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2024',
    external: ['node:*'],
  })
  const disk = await serve('disk')
  const unsynced = await serve('unsynced', {
    ...system,
    open: async (file, flags) => {
      const handle = await system.open(file, flags)
      const without = { datasync: async () => {}, sync: async () => {} }
      return Object.assign(handle, without)
    },
  })
  let spentAtEnds: number[] = []
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      resourcePersistencePath: path.join(data, 'r2'),
      cf: false,
      telemetry: { enabled: false },
      workers: [
        {
          name: 'bench',
          modules: true,
          script: outputFiles[0]?.text ?? '',
          compatibilityDate: '2026-10-20',
          compatibilityFlags: ['nodejs_compat'],
          cacheAPI: false,
          r2Buckets: ['FILES'],
          serviceBindings: {
            FOLDER: disk.folder,
            SERVICE: disk.service,
            UNSYNCED_FOLDER: unsynced.folder,
            UNSYNCED_SERVICE: unsynced.service,
            BOUNDARY: async () => {
              spentAtEnds.push(spentMs())
              return new Response()
            },
          },
        },
      ],
    }),
  )
  await miniflare.ready
  const workerd = workerdOf(process.pid)
  const spentMs = () => cpuMs(process.pid) + cpuMs(workerd)
  const measured = new Map<string, { cpu: number[]; p50: number[] }>()
  for (let round = 0; round < Number(values.rounds); round++) {
    for (const [what, work] of Object.entries(WORK)) {
      for (const store of STORES) {
        spentAtEnds = []
        const response = await miniflare.dispatchFetch('http://bench/', {
          method: 'POST',
          body: JSON.stringify({ store, ...work }),
        })
        if (!response.ok) throw new Error(await response.text())
        const times: number[] = JSON.parse(await response.text())
        const name = `${what}|${store}`
        const { cpu, p50 } = measured.get(name) ?? { cpu: [], p50: [] }
        cpu.push(((spentAtEnds[1] ?? 0) - (spentAtEnds[0] ?? 0)) / work.calls)
        p50.push(times[Math.floor(times.length / 2)] ?? 0)
        measured.set(name, { cpu, p50 })
      }
    }
  }
  await miniflare.dispose()
  disk.close()
  unsynced.close()
  print(measured)
}

/**
 * Measures uploads by 8 clients to the service as `npm start` runs it, and to a service without syncs. There,
 * libeatmydata makes every sync of the files and of the databases return at once.
 */
async function measureUploads() {
  const library = ['x86_64', 'aarch64'].map((name) => `/usr/lib/${name}-linux-gnu/libeatmydata.so`).find(existsSync)
  if (!library)
    return console.log('\nUploads without syncs are not measured: libeatmydata is missing: apt install eatmydata')
  runScript('build/build.ts')
  const { default: sharp } = await import('sharp')
  const noise = { create: { width: 530, height: 440, channels: 3, background: 'grey', noise: NOISE } } as const
  const image = await sharp(noise).jpeg({ quality: 95 }).toBuffer()
  const agent = keepingAgent()
  const services = [
    { name: 'synced', port: 18_821, environment: {} },
    { name: 'without syncs', port: 18_822, environment: { LD_PRELOAD: library } },
  ]
  const times = new Map<string, number[]>(services.map(({ name }) => [name, []]))
  let sent = 0
  for (let round = 0; round < Number(values.rounds); round++) {
    for (const { name, port, environment } of services) {
      const service = await startService(port, environment, path.join(data, name))
      const upload = async () => {
        const begunMs = performance.now()
        const form = uploadForm(image, { content_type: '0' })
        const { status, text } = await send({ port, address: addressOf(++sent), agent, path: '/images', ...form })
        if (status !== 200) fail(`an upload: ${status} ${text}`)
        return performance.now() - begunMs
      }
      for (let warm = 0; warm < 20; warm++) await upload()
      let left = UPLOADS
      await Promise.all(
        Array.from({ length: 8 }, async () => {
          while (left-- > 0) times.get(name)?.push(await upload())
        }),
      )
      await service.stop()
    }
  }
  const [synced = 0, unsynced = 0] = [...times.values()].map(median)
  console.log(
    `\nUploads of ${Math.round(image.length / 1000)} KB by 8 clients, ${UPLOADS * Number(values.rounds)} each:`,
  )
  console.log(
    `p50 ${synced.toFixed(1)} ms, without syncs ${unsynced.toFixed(1)} ms, ratio ${(synced / unsynced).toFixed(2)}`,
  )
}

function print(measured: Map<string, { cpu: number[]; p50: number[] }>) {
  console.log('| | R2 of Miniflare | disk | of that | disk without syncs |\n|---|---|---|---|---|')
  for (const what of Object.keys(WORK)) {
    for (const [unit, kind] of [
      ['ms of CPU', 'cpu'],
      ['ms, p50', 'p50'],
    ] as const) {
      const [r2 = 0, disk = 0, unsynced = 0] = STORES.map((store) =>
        median(measured.get(`${what}|${store}`)?.[kind] ?? []),
      )
      console.log(
        `| ${what}, ${unit} | ${r2.toFixed(2)} | ${disk.toFixed(2)} | ${(disk / r2).toFixed(2)} | ${unsynced.toFixed(2)} |`,
      )
    }
  }
}
