// The file system calls of a process, as strace prints them, and the files that a power cut would leave. A file has its
// content at the last fsync of the file, and its name at the last fsync of the folder.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

const CALLS = [
  ...['open', 'openat', 'creat', 'mkdir', 'mkdirat', 'rmdir', 'unlink', 'unlinkat', 'link', 'linkat'],
  ...['rename', 'renameat', 'renameat2', 'fsync', 'fdatasync', 'ftruncate', 'fallocate'],
  ...['write', 'pwrite64', 'writev', 'pwritev', 'pwritev2', 'copy_file_range', 'sendfile', 'sendmsg', 'sendto'],
  'connect',
]
/** Calls with an output file, and the position of that argument. */
const WRITES: Readonly<Record<string, number>> = {
  ...{
    write: 0,
    pwrite64: 0,
    writev: 0,
    pwritev: 0,
    pwritev2: 0,
    ftruncate: 0,
    fallocate: 0,
    sendfile: 0,
    copy_file_range: 2,
  },
}

/** Returns whether this machine can trace processes. */
export function canTrace(): boolean {
  return spawnSync('strace', ['-o', '/dev/null', 'true'], { stdio: 'ignore' }).status === 0
}

/** Returns the command that runs another one and traces it, with all its children, into a file. */
export function traced(file: string, command: readonly [string, ...string[]]): [string, string[]] {
  const options = ['-f', '-yy', '-qq', '-s', '200', '--seccomp-bpf', '-e', `trace=${CALLS.join()}`, '-o', file]
  return ['strace', [...options, ...command]]
}

/** One call that succeeded, between the lines `begun` and `ended`. */
export interface Call {
  name: string
  args: string[]
  result: string
  begun: number
  ended: number
}

/**
 * Returns the addresses outside of this machine to which a trace shows a connection or a datagram, attempted or made.
 */
export function remoteAddresses(file: string): string[] {
  const calls = readFileSync(file, 'utf8').matchAll(
    /^.*\b(?:connect|sendto|sendmsg)\(.*(?:inet_addr\("|inet_pton\(AF_INET6, ")([^"]+)"/gm,
  )
  return [...calls]
    .map(([, address = '']) => address)
    .filter((address) => !/^(?:127\.|0\.0\.0\.0$|::1?$)/.test(address))
}

/** Returns the calls of a trace, sorted by their ends. */
export function readCalls(file: string): Call[] {
  const begun = new Map<string, { text: string; line: number }>()
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line, at) => {
      const [, pid = '', text = ''] = /^(\d+) +(.*)$/.exec(line) ?? []
      if (text.endsWith(' <unfinished ...>')) {
        begun.set(pid, { text: text.slice(0, -' <unfinished ...>'.length), line: at })
        return []
      }
      const [, rest] = /^<\.\.\. \w+ resumed>(.*)$/.exec(text) ?? []
      const start = rest === undefined ? undefined : begun.get(pid)
      const [, name = '', list = '', result = ''] =
        /^(\w+)\((.*)\) += (.*)$/.exec((start?.text ?? '') + (rest ?? text)) ?? []
      if (name === '' || result.startsWith('-1')) return []
      return [{ name, args: argumentsOf(list), result, begun: start?.line ?? at, ended: at }]
    })
}

/** Splits at commas outside of strings, paths and structures. */
function argumentsOf(list: string): string[] {
  return (
    list
      .match(/(?:"(?:\\.|[^"\\])*"(?:\.\.\.)?|<[^>]*(?:->[^>]*)?>|\[[^\]]*\]|\{[^}]*\}|[^,"<[{])+/g)
      ?.map((text) => text.trim()) ?? []
  )
}

/** The files on the disk below one folder. */
export class DiskModel {
  readonly #root: string
  readonly #known: Set<string>
  /** By path: the last change of the content, and the start of its last sync. */
  readonly #written = new Map<string, number>()
  readonly #synced = new Map<string, number>()
  /** By folder: the last change of an entry, and the entry. */
  readonly #changed = new Map<string, { at: number; entry: string }>()

  /** `known` are the paths that exist before the first call. */
  constructor(root: string, known: readonly string[] = []) {
    this.#root = root
    this.#known = new Set(known)
  }

  /** Returns all paths below a folder. */
  static pathsIn(root: string): string[] {
    return readdirSync(root, { recursive: true, encoding: 'utf8' }).map((name) => path.join(root, name))
  }

  apply({ name, args, result, begun, ended }: Call): void {
    const output = WRITES[name]
    if (output !== undefined) this.#write(fileOf(args[output]), ended)
    else if (name === 'fsync' || name === 'fdatasync') this.#synced.set(fileOf(args[0]), begun)
    else if (name === 'open' || name === 'openat' || name === 'creat') this.#open(fileOf(result), args.join(' '), ended)
    else if (name.startsWith('rename')) this.#rename(pathsOf(args), ended)
    else if (name.startsWith('link')) this.#link(pathsOf(args), ended)
    else if (name.startsWith('mkdir')) this.#change(pathsOf(args)[0], ended)
    else if (name.startsWith('unlink') || name === 'rmdir') this.#remove(pathsOf(args)[0], ended)
  }

  /** Returns the losses of a power cut now: files whose content is not on the disk, and entries of folders. */
  unsynced(): string[] {
    const late = (entry: string, at: number) => at > (this.#synced.get(entry) ?? -1)
    const contents = [...this.#written].filter(([file, at]) => late(file, at)).map(([file]) => `content of ${file}`)
    const entries = [...this.#changed]
      .filter(([folder, { at }]) => late(folder, at))
      .map(([, { entry }]) => `entry ${entry}`)
    return [...contents, ...entries].map((text) => text.replaceAll(this.#root, '.')).sort()
  }

  #isInside(entry = ''): boolean {
    return entry.startsWith(`${this.#root}/`)
  }

  #write(file: string, at: number): void {
    if (this.#isInside(file)) this.#written.set(file, at)
  }

  #open(file: string, flags: string, at: number): void {
    if (!this.#isInside(file)) return
    if (/O_CREAT/.test(flags) && !this.#known.has(file)) this.#change(file, at)
    if (/O_TRUNC/.test(flags) && this.#known.has(file)) this.#write(file, at)
  }

  #change(entry: string | undefined, at: number): void {
    if (entry === undefined || !this.#isInside(entry)) return
    this.#known.add(entry)
    this.#changed.set(path.dirname(entry), { at, entry: entry })
  }

  #rename([from, to]: string[], at: number): void {
    if (from === undefined || to === undefined || !this.#isInside(to)) return
    const moved = (entry: string) =>
      entry === from || entry.startsWith(`${from}/`) ? to + entry.slice(from.length) : entry
    for (const map of [this.#written, this.#synced, this.#changed] as Map<string, unknown>[]) {
      for (const [entry, value] of [...map]) {
        if (moved(entry) === entry) continue
        map.delete(entry)
        map.set(moved(entry), value)
      }
    }
    for (const entry of [...this.#known]) if (this.#known.delete(entry)) this.#known.add(moved(entry))
    this.#change(from, at)
    this.#known.delete(from)
    this.#change(to, at)
  }

  #link([from = '', to]: string[], at: number): void {
    const written = this.#written.get(from)
    if (to !== undefined && written !== undefined) this.#written.set(to, written)
    const synced = this.#synced.get(from)
    if (to !== undefined && synced !== undefined) this.#synced.set(to, synced)
    this.#change(to, at)
  }

  #remove(entry: string | undefined, at: number): void {
    if (entry === undefined || !this.#isInside(entry)) return
    this.#change(entry, at)
    this.#known.delete(entry)
    for (const map of [this.#written, this.#changed]) map.delete(entry)
  }
}

/** Returns the path in `12</path>`. */
function fileOf(text = ''): string {
  return /^\d+<(.*)>$/.exec(text)?.[1]?.replace(/\(deleted\)$/, '') ?? ''
}

/** Returns the absolute paths of a call, each resolved with the folder before it, if there is one. */
function pathsOf(args: readonly string[]): string[] {
  return args.flatMap((text, at) => {
    const name = /^"(.*)"$/.exec(text)?.[1]
    if (name === undefined) return []
    const folder = /^(?:\d+|AT_FDCWD)<(.*)>$/.exec(args[at - 1] ?? '')?.[1]
    return [name.startsWith('/') || folder === undefined ? name : path.join(folder, name)]
  })
}
