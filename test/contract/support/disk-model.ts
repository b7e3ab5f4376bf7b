// The calls that a process makes of its file system, as strace prints them, and what of the files would be left after a power cut:
// the content that was there at an fsync of the file, under the names that were there at an fsync of the folder.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

const CALLS = [
  ...['open', 'openat', 'creat', 'mkdir', 'mkdirat', 'rmdir', 'unlink', 'unlinkat', 'link', 'linkat'],
  ...['rename', 'renameat', 'renameat2', 'fsync', 'fdatasync', 'ftruncate', 'fallocate'],
  ...['write', 'pwrite64', 'writev', 'pwritev', 'pwritev2', 'copy_file_range', 'sendfile', 'sendmsg', 'sendto'],
  'connect',
]
/** Calls with an output file; the position of that argument. */
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

/** Whether processes can be traced here. */
export function canTrace(): boolean {
  return spawnSync('strace', ['-o', '/dev/null', 'true'], { stdio: 'ignore' }).status === 0
}

/** The command that runs another one and traces it, with all its children, into a file. */
export function traced(file: string, command: readonly [string, ...string[]]): [string, string[]] {
  const options = ['-f', '-yy', '-qq', '-s', '200', '--seccomp-bpf', '-e', `trace=${CALLS.join()}`, '-o', file]
  return ['strace', [...options, ...command]]
}

/** One call that succeeded, between `begun` and `ended` in the order of all lines. */
export interface Call {
  name: string
  args: string[]
  result: string
  begun: number
  ended: number
}

/** Returns the addresses beyond this machine that a trace shows a connection or a datagram to, tried or made. */
export function remoteAddresses(file: string): string[] {
  const calls = readFileSync(file, 'utf8').matchAll(
    /^.*\b(?:connect|sendto|sendmsg)\(.*(?:inet_addr\("|inet_pton\(AF_INET6, ")([^"]+)"/gm,
  )
  return [...calls]
    .map(([, address = '']) => address)
    .filter((address) => !/^(?:127\.|0\.0\.0\.0$|::1?$)/.test(address))
}

/** The calls of a trace, in the order in which they ended. */
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

/** Splits at the commas that are in no text, path or structure. */
function argumentsOf(list: string): string[] {
  return (
    list
      .match(/(?:"(?:\\.|[^"\\])*"(?:\.\.\.)?|<[^>]*(?:->[^>]*)?>|\[[^\]]*\]|\{[^}]*\}|[^,"<[{])+/g)
      ?.map((text) => text.trim()) ?? []
  )
}

/** The disk below one folder. */
export class DiskModel {
  readonly #root: string
  readonly #known: Set<string>
  /** By path: when the content was last changed, and when the last sync of it began. */
  readonly #written = new Map<string, number>()
  readonly #synced = new Map<string, number>()
  /** By folder: when an entry was last changed, and which. */
  readonly #changed = new Map<string, { at: number; entry: string }>()

  /** `known` are the paths that are there before the first call. */
  constructor(root: string, known: readonly string[] = []) {
    this.#root = root
    this.#known = new Set(known)
  }

  /** All paths below a folder. */
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

  /** Returns what a power cut now would take: files whose content, and entries of folders which are not on the disk. */
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

/** The path in `12</path>`. */
function fileOf(text = ''): string {
  return /^\d+<(.*)>$/.exec(text)?.[1]?.replace(/\(deleted\)$/, '') ?? ''
}

/** The paths of a call, absolute: as they stand, or with the folder that stands before each. */
function pathsOf(args: readonly string[]): string[] {
  return args.flatMap((text, at) => {
    const name = /^"(.*)"$/.exec(text)?.[1]
    if (name === undefined) return []
    const folder = /^(?:\d+|AT_FDCWD)<(.*)>$/.exec(args[at - 1] ?? '')?.[1]
    return [name.startsWith('/') || folder === undefined ? name : path.join(folder, name)]
  })
}
