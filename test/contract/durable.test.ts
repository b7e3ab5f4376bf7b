import { spawn } from 'node:child_process'
import { mkdtemp, readFile, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { apiAt, freshAddress, mayStartServices } from './support/api.ts'
import { type Call, canTrace, DiskModel, readCalls, remoteAddresses, traced } from './support/disk-model.ts'
import { freePort } from './support/service.ts'
import { createGallery, uploadImage } from './support/steps.ts'

const TOOLS = join(import.meta.dirname, '../../tools')

/**
 * Files that need no sync. The lock counts only while a process holds it, SQLite's index of a WAL is rebuilt, and the
 * next start removes names of files that are being stored.
 */
const NEEDS_NO_SYNC = /\/service\.lock$|\/backup\.lock$|\/backup\.lock-journal$|-shm$|^entry .*\/files\/incoming\//

describe.skipIf(!mayStartServices())('what is acknowledged is on the disk (needs services of its own)', () => {
  let work: string
  const pathTo = (name: string) => join(work, name)
  const trace = (name: string) => pathTo(`${name}.strace`)

  beforeAll(async () => {
    // The path without symbolic links, as in the trace.
    work = await realpath(await mkdtemp(join(tmpdir(), 'tintype-durable-')))
  })
  afterAll(() => rm(work, { recursive: true, force: true }))

  test('a first start, each commit before its response, a backup and a restore; no other host is called', async ({
    skip,
  }) => {
    skip(!canTrace(), 'the calls of the file system were not looked at: apt install strace')
    const port = await freePort()
    const service = await serveTraced(port)
    const api = apiAt(`http://127.0.0.1:${port}`)
    await createGallery(api)
    const { showUrl } = await uploadImage(api)
    await api.status([showUrl], freshAddress())
    await service.stop()
    expectServiceSynced(port)
    // Its own connections stay on the machine, between its processes.
    expect(remoteAddresses(trace('start'))).toEqual([])

    const data = pathTo('data')
    for (const run of ['backup-1', 'backup-2']) {
      await expectSynced(
        run,
        ['backup', pathTo('backups'), '--data', data, '--keep', '1'],
        pathTo('backups'),
        /: \d+ files/,
      )
    }
    await expectSynced('restore', ['restore', pathTo('backups'), '--data', data, '--replace'], data, /is as it was at/)
    expect(await readFile(join(data, 'operator.key'), 'utf8')).toMatch(/^[0-9a-f]{64}\n$/)
  })

  /** Starts the service in processes of its own, and waits until it serves. */
  async function serveTraced(port: number) {
    const start = [
      process.execPath,
      join(TOOLS, 'serve/serve.ts'),
      '--data',
      pathTo('data'),
      '--port',
      String(port),
    ] as const
    const [command, args] = traced(trace('start'), [...start])
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] })
    const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
    let printed = ''
    await new Promise<void>((resolve, reject) => {
      child.once('exit', (code) => reject(new Error(`the start ended with ${code}`)))
      child.stdout?.on('data', (text) => {
        printed += text
        if (printed.includes('Tintype serves')) resolve()
      })
    })
    return {
      stop: async () => {
        // Closing the channel stops the service.
        child.disconnect()
        await ended
      },
    }
  }

  /** Expects that all writes are on the disk at "Tintype serves", and whenever the service sends a response. */
  function expectServiceSynced(port: number) {
    const disk = new DiskModel(work)
    const [served, responses, commits] = [[] as string[][], [] as string[][], { d1: 0, do: 0 }]
    for (const call of readCalls(trace('start'))) {
      disk.apply(call)
      if (isPrinted(call, /Tintype serves/)) served.push(unsynced(disk))
      if (isResponse(call, port)) responses.push(unsynced(disk))
      if (/^f(?:data)?sync$/.test(call.name)) {
        for (const part of ['d1', 'do'] as const) if (call.args[0]?.includes(`/data/${part}/`)) commits[part]++
      }
    }
    expect(served).toEqual([[]])
    // At least a gallery, an upload and a status.
    expect(responses.length).toBeGreaterThanOrEqual(3)
    expect(responses.filter((late) => late.length > 0)).toEqual([])
    expect(commits.d1).toBeGreaterThan(10)
    expect(commits.do).toBeGreaterThan(3)
  }

  /** Expects a command to succeed, and everything it wrote below a folder to be on the disk when it reports success. */
  async function expectSynced(run: string, [script = '', ...args]: string[], folder: string, done: RegExp) {
    const disk = new DiskModel(folder, run.endsWith('1') ? [] : DiskModel.pathsIn(folder))
    const [command, all] = traced(trace(run), [process.execPath, join(TOOLS, 'operate', `${script}.ts`), ...args])
    const child = spawn(command, all, { stdio: ['ignore', 'pipe', 'inherit'] })
    child.stdout.resume()
    expect(await new Promise((resolve) => child.once('exit', resolve))).toBe(0)
    const when: string[][] = []
    for (const call of readCalls(trace(run))) {
      disk.apply(call)
      if (isPrinted(call, done)) when.push(unsynced(disk))
    }
    expect([run, when]).toEqual([run, [[]]])
  }

  const unsynced = (disk: DiskModel) => disk.unsynced().filter((text) => !NEEDS_NO_SYNC.test(text))
  const isPrinted = ({ name, args }: Call, text: RegExp) =>
    /^writev?$/.test(name) && /^1</.test(args[0] ?? '') && text.test(args[1] ?? '')
  const isResponse = ({ name, args }: Call, port: number) =>
    /^(?:writev?|sendmsg|sendto)$/.test(name) &&
    args[0]?.includes(`:${port}->`) === true &&
    args.join().includes('HTTP/1.1 200')
})
