import { type ChildProcess, execFile, execFileSync, fork } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { nodeBinary } from '../../../tools/install/installed.mjs'
import { FILE_SYSTEMS, type FileSystem } from '../../../tools/verify/simulated-disk.ts'
import type { DiskCall, DiskMessage, Survival } from './power-disk-process.ts'

const run = promisify(execFile)
const DISK_PROCESS = join(import.meta.dirname, 'power-disk-process.ts')
const MIB = 1024 ** 2
/** Not the folder for temporary files, because its removal must not reach into a mounted file system. */
const FOLDER = '/tmp'
const UNMOUNT_TRIES = 3000
const UNMOUNT_TRY_MS = 20
const PREFIX = 'tintype-power-'

/** A power cut. */
export interface Cut {
  /** Writes that survive without a flush. */
  survival: Survival
  seed: number
}

/** A file system on a simulated disk whose power can be cut (power-disk-process.ts). */
export class PowerDisk {
  readonly #kind: FileSystem
  readonly #folder: string
  readonly #process: ChildProcess
  readonly #waiting = new Map<number, (message: DiskMessage) => void>()
  #calls = 0
  #attached: string | undefined
  #attachments = 0
  #onHeld: () => void = () => {}
  /** The disk image of an empty file system. */
  #empty = 0
  /** The mount point. */
  readonly path: string

  private constructor(kind: FileSystem) {
    this.#kind = kind
    removeLeftOver()
    this.#folder = mkdtempSync(join(FOLDER, `${PREFIX}${process.pid}-`))
    this.path = join(this.#folder, 'mounted')
    mkdirSync(this.path)
    this.#process = fork(DISK_PROCESS, { execPath: nodeBinary(), execArgv: [] })
    this.#process.on('message', (message: DiskMessage) => {
      if ('event' in message) return this.#onHeld()
      return this.#waiting.get(message.id)?.(message)
    })
    process.once('exit', this.#removeAtExit)
  }

  static async create(kind: FileSystem): Promise<PowerDisk> {
    const disk = new PowerDisk(kind)
    const { make, mib } = FILE_SYSTEMS[kind]
    const file = join(disk.#folder, 'empty')
    writeFileSync(file, '')
    truncateSync(file, mib * MIB)
    await runTool(make, file)
    disk.#empty = await disk.#call({ call: 'load', file, bytes: mib * MIB })
    rmSync(file)
    return disk
  }

  /** Replaces the mounted file system by an empty one. */
  async reset(): Promise<void> {
    await this.#unmount()
    await this.#mount(this.#empty)
  }

  /** Holds all writes and flushes after this many. Resolves when the first one is held. */
  async holdAfter(requests: number): Promise<void> {
    const held = new Promise<void>((resolve) => {
      this.#onHeld = resolve
    })
    await this.#call({ call: 'holdAfter', requests })
    await held
  }

  /** Returns the number of writes and flushes since the mount. */
  requests(): Promise<number> {
    return this.#call({ call: 'requests' })
  }

  /** Releases held writes and flushes. */
  async resume(): Promise<void> {
    this.#onHeld()
    await this.#call({ call: 'resume' })
  }

  /** Writes everything in memory to the disk. */
  async sync(): Promise<void> {
    await run('sync', ['-f', this.path])
  }

  /** Cuts the power. Processes that use the disk must be frozen, and killed before `powerOn`. */
  async cut({ survival, seed }: Cut): Promise<number> {
    const image = await this.#call({ call: 'cut', survival, seed })
    await this.resume()
    return image
  }

  /** Mounts the disk that a cut left, which replays the journal. Throws the findings of the file system check. */
  async powerOn(image: number): Promise<void> {
    await this.#unmount()
    await this.#mount(image)
    await unmount(this.path)
    await runTool(FILE_SYSTEMS[this.#kind].check, this.#attached ?? '')
    await run('mount', ['-o', 'loop', this.#attached ?? '', this.path])
    await this.#call({ call: 'drop', image })
  }

  async close(): Promise<void> {
    await this.#unmount()
    this.#process.disconnect()
    process.off('exit', this.#removeAtExit)
    rmSync(this.#folder, { recursive: true })
  }

  async #mount(image: number): Promise<void> {
    const target = join(this.#folder, `disk-${++this.#attachments}`)
    writeFileSync(target, '')
    await this.#call({ call: 'attach', image, target })
    this.#attached = target
    await run('mount', ['-o', 'loop', target, this.path])
  }

  async #unmount(): Promise<void> {
    if (this.#attached === undefined) return
    await unmount(this.path)
    await unmount(this.#attached)
    rmSync(this.#attached)
    this.#attached = undefined
  }

  #call(call: DiskCall): Promise<number> {
    const id = ++this.#calls
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, (message) => {
        this.#waiting.delete(id)
        if ('result' in message) resolve(message.result)
        else if ('error' in message) reject(new Error(message.error))
      })
      this.#process.send({ id, ...call })
    })
  }

  #removeAtExit = () => {
    unmountLazily(this.#folder)
    this.#process.kill()
  }
}

/** Killed processes may end a moment later, and another process may briefly use the device. */
async function unmount(path: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await run('umount', [path])
      return
    } catch (error) {
      if (attempt === UNMOUNT_TRIES || !String(error).includes('busy')) throw error
      await wait(UNMOUNT_TRY_MS)
    }
  }
}

async function runTool([name = '', ...args]: readonly string[], file: string): Promise<void> {
  const PATH = `${process.env.PATH}:/usr/local/sbin:/usr/sbin:/sbin`
  await run(name, [...args, file], { env: { ...process.env, PATH } })
}

/** Removes the disks of processes that were killed. */
function removeLeftOver(): void {
  for (const name of readdirSync(FOLDER)) {
    const [, pid] = new RegExp(`^${PREFIX}(\\d+)-`).exec(name) ?? []
    if (pid !== undefined && !isAlive(Number(pid))) unmountLazily(join(FOLDER, name))
  }
}

function unmountLazily(folder: string): void {
  for (const name of ['mounted', ...readdirSync(folder).filter((entry) => entry.startsWith('disk-'))]) {
    try {
      execFileSync('umount', ['-l', join(folder, name)], { stdio: 'ignore' })
    } catch {
      // It is not mounted.
    }
  }
  rmSync(folder, { recursive: true, force: true })
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
