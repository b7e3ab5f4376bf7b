import { parseArgs } from 'node:util'
import { EXPIRY_MAX_S, EXPIRY_MIN_S, THUMBNAIL_MAX_SIZE_PX, THUMBNAIL_MIN_SIZE_PX } from '../../../src/limits.ts'
import { parseDuration, SECOND_MS } from '../../../src/units.ts'
import { configFile, historyFile } from '../files/folders.ts'
import { FORMATS, type Format } from '../files/formats.ts'
import { STANDARD_INPUT } from '../files/images.ts'
import {
  DEFAULT_CONCURRENCY,
  DEFAULT_NAME,
  DEFAULT_RETRIES,
  DEFAULT_URL,
  MAX_CONCURRENCY,
  MAX_LAST,
  MAX_RETRIES,
} from '../limits.ts'
import { UsageError } from '../problems.ts'
import { mergedValues, OFF, parseSettings, type Value } from './settings.ts'
import {
  COMMANDS,
  type Command,
  canBeNegated,
  findOption,
  HISTORY_CHOICES,
  OPTIONS,
  type OptionName,
  SHELLS,
  type Shell,
} from './usage.ts'

/** Options of every command. */
interface Common {
  /** The host's address, without a slash at its end. */
  host: string
  /** Whether --url named the host: only then does a management link go to another host than its own. */
  hostNamed: boolean
  retries: number
  json: boolean
  quiet: boolean
  /** The key of the uploader, for hosts that ask for one. */
  uploadKey: string | undefined
  /** The file of recorded uploads. */
  historyFile: string
}

/** The recorded part of an upload: nothing, its links, or its private links too. */
export type HistoryChoice = (typeof HISTORY_CHOICES)[number]

/** Options of the commands that upload. */
export interface UploadCommon extends Common {
  adult: boolean
  optimize: boolean
  /** The seconds after which the host deletes it; undefined for what stays. */
  expiresInS: number | undefined
  /** Whether private links are printed. */
  manage: boolean
  format: Format
  copy: boolean
  open: boolean
  history: HistoryChoice
}

export interface UploadInvocation extends UploadCommon {
  command: 'upload'
  paths: string[]
  /** The name of a new gallery to upload into; empty is an untitled one. */
  gallery: string | undefined
  anyOrder: boolean
  /** Whether the images are listed and nothing is sent. */
  dryRun: boolean
  /** The file name of what comes on standard input. */
  name: string
  /** The journal of the upload to resume. */
  resume: string | undefined
  thumbnailPx: number | undefined
  concurrency: number
}

export interface CoverInvocation extends UploadCommon {
  command: 'cover'
  left: string
  right: string | undefined
}

export interface StatusInvocation extends Common {
  command: 'status'
  sources: string[]
  /** Whether an image that is not available is a failure. */
  fail: boolean
}

export interface RenameInvocation extends Common {
  command: 'rename'
  link: string
  name: string
}

export interface DeleteInvocation extends Common {
  command: 'delete'
  links: string[]
  yes: boolean
}

export interface DownloadInvocation extends Common {
  command: 'download'
  sources: string[]
  /** The folder for the files. */
  to: string | undefined
  overwrite: boolean
  concurrency: number
}

export interface HistoryInvocation extends Common {
  command: 'history'
  action: 'list' | 'delete' | 'clear'
  /** Texts to find, or the uploads to delete. */
  words: string[]
  last: number | undefined
  sinceMs: number | undefined
  /** Whether private links are printed. */
  showPrivate: boolean
  yes: boolean
}

export interface McpInvocation extends Common {
  command: 'mcp'
  adult: boolean
  optimize: boolean
  expiresInS: number | undefined
  thumbnailPx: number | undefined
  history: HistoryChoice
  /** The folder whose files may be read. */
  root: string | undefined
}

/** A command line, understood, that sends requests or reads files. */
export type Task =
  | UploadInvocation
  | CoverInvocation
  | DownloadInvocation
  | StatusInvocation
  | RenameInvocation
  | DeleteInvocation
  | HistoryInvocation
  | McpInvocation

/** A command line, understood. */
export type Invocation =
  | Task
  | { command: 'completion'; shell: Shell }
  | { command: 'help'; about: Command }
  | { command: 'version' }

/** The environment in which a command line is parsed. */
export interface Surroundings {
  env: Readonly<Record<string, string | undefined>>
  /** Whether a file or folder is there. */
  exists: (path: string) => boolean
  /** Returns the text of a file; undefined if there is none. */
  read: (path: string) => string | undefined
  nowMs: number
}

// One in 64 tokens begins with the sign of an option.
const TOKEN_LIKE_AN_OPTION = /^-[A-Za-z0-9_-]{42}$/

const KEY = /^[\x21-\x7e]{1,512}$/

const PARSED_OPTIONS = Object.fromEntries(
  Object.keys(OPTIONS).map((name) => {
    const option = findOption(name)
    const type: 'string' | 'boolean' = option?.value === undefined ? 'boolean' : 'string'
    return [name, { type, ...(option?.short !== undefined && { short: option.short }) }]
  }),
)

/** Reads the arguments after the program's name. Throws `UsageError`. */
export function readCommandLine(args: readonly string[], surroundings: Surroundings): Invocation {
  const { positionals, values: typed } = split(withTokens(withGalleryName(args, surroundings.exists)))
  if (typed.has('version')) return { command: 'version' }
  const [word, ...operands] = positionals
  if (word === undefined) {
    if (typed.has('help')) return { command: 'help', about: 'help' }
    throw new UsageError(`a command is missing: ${COMMANDS.join(', ')}`)
  }
  const command = requireCommand(word)
  if (typed.has('help')) return { command: 'help', about: command }
  for (const name of typed.keys()) {
    if (findOption(name)?.of?.includes(command) === false) throw new UsageError(`--${name} is no option of ${command}`)
  }
  if (command === 'help') {
    const [about = 'help'] = requireCount('help', operands, 0, 1, 'at most one command')
    return { command, about: requireCommand(about) }
  }
  if (command === 'completion') return { command, shell: readShell(operands) }
  const settings = readSettings(command, surroundings)
  const values = mergedValues(typed, settings)
  return READERS[command](operands, values, readCommon(values, { typed, settings }, surroundings), surroundings)
}

type Values = ReadonlyMap<string, Value>

type Reader = (operands: string[], values: Values, common: Common, surroundings: Surroundings) => Task

const READERS: Record<Task['command'], Reader> = {
  upload(paths, values, common) {
    requireCount(
      'upload',
      paths,
      1,
      Number.POSITIVE_INFINITY,
      'the files and folders to upload, or - for standard input',
    )
    requireOneInput(paths, values)
    requireNoJournal(values)
    return {
      command: 'upload',
      ...readUploadCommon(values, common),
      paths,
      gallery: values.get('gallery')?.text,
      anyOrder: values.has('any-order'),
      dryRun: values.has('dry-run'),
      name: values.get('name')?.text ?? DEFAULT_NAME,
      resume: values.get('resume')?.text,
      thumbnailPx: readThumbnail(values),
      concurrency: readConcurrency(values),
    }
  },
  cover(paths, values, common) {
    const [left = '', right] = requireCount('cover', paths, 1, 2, 'a left picture, and a right one if there are two')
    return { command: 'cover', ...readUploadCommon(values, common), left, right }
  },
  download(sources, values, common) {
    const what = 'links of galleries and pictures, a file of links, or - for standard input'
    requireCount('download', sources, 1, Number.POSITIVE_INFINITY, what)
    return {
      command: 'download',
      ...common,
      sources,
      to: values.get('to')?.text,
      overwrite: values.has('overwrite'),
      concurrency: readConcurrency(values),
    }
  },
  status(sources, values, common) {
    requireCount('status', sources, 1, Number.POSITIVE_INFINITY, 'URLs, a file of URLs, or - for standard input')
    return { command: 'status', ...common, sources, fail: values.has('fail') }
  },
  rename(operands, _, common) {
    const [link = '', name = ''] = requireCount('rename', operands, 2, 2, 'a management link and the new name')
    return { command: 'rename', ...common, link, name }
  },
  delete(links, values, common) {
    requireCount('delete', links, 1, Number.POSITIVE_INFINITY, 'the management links of what is to go')
    return { command: 'delete', ...common, links, yes: values.has('yes') }
  },
  history(operands, values, common, { nowMs }) {
    const [first, ...rest] = operands
    const action = first === 'delete' || first === 'clear' ? first : 'list'
    if (action === 'clear' && rest.length > 0) throw new UsageError('history clear takes nothing: it clears all')
    if (action === 'delete') {
      requireCount('history delete', rest, 1, Number.POSITIVE_INFINITY, 'numbers, names or links of recorded uploads')
    }
    for (const name of ['last', 'since', 'private'] as const) {
      if (action !== 'list' && values.has(name)) throw new UsageError(`--${name} is no option of history ${action}`)
    }
    if (action === 'list' && values.has('yes')) throw new UsageError('--yes is for history delete and history clear')
    return {
      command: 'history',
      ...common,
      action,
      words: action === 'list' ? operands : rest,
      last: readInteger(values, 'last', 1, MAX_LAST),
      sinceMs: readSince(values, nowMs),
      showPrivate: values.has('private'),
      yes: values.has('yes'),
    }
  },
  mcp(operands, values, common) {
    requireCount('mcp', operands, 0, 0, 'no arguments')
    return {
      command: 'mcp',
      ...common,
      adult: values.has('adult'),
      optimize: values.has('optimize'),
      expiresInS: readExpiry(values),
      thumbnailPx: readThumbnail(values),
      history: readHistoryChoice(values),
      root: values.get('root')?.text,
    }
  },
}

/** Options and the rest, every option known and with a value where it takes one. `--no-NAME` has the value `OFF`. */
function split(args: string[]): { positionals: string[]; values: Map<string, Value> } {
  const { positionals, tokens } = parseArgs({
    args,
    options: PARSED_OPTIONS,
    strict: false,
    allowPositionals: true,
    tokens: true,
  })
  const values = new Map<string, Value>()
  for (const token of tokens) {
    if (token.kind !== 'option') continue
    const negated = token.name.startsWith('no-') ? token.name.slice('no-'.length) : undefined
    if (negated !== undefined && canBeNegated(negated)) {
      if (token.value !== undefined) throw new UsageError(`${token.rawName} takes no value`)
      values.set(negated, { text: OFF, source: token.rawName })
      continue
    }
    const option = findOption(token.name)
    if (!option) throw new UsageError(`${token.rawName} is no option: "tintype-cli help" lists them`)
    if (option.value === undefined && token.value !== undefined) {
      throw new UsageError(`${token.rawName} takes no value`)
    }
    if (option.value !== undefined && token.value === undefined) throw new UsageError(`${token.rawName} needs a value`)
    values.set(token.name, { text: token.value ?? '', source: `--${token.name}` })
  }
  return { positionals, values }
}

/** The settings of the configuration file that the command has. A file that was named must be there. */
function readSettings(command: Command, { env, read }: Surroundings): Map<string, Value> {
  const file = env.TINTYPE_CONFIG || configFile(env)
  const text = read(file)
  if (text === undefined && env.TINTYPE_CONFIG) {
    throw new UsageError(`TINTYPE_CONFIG names a file that cannot be read: ${file}`)
  }
  const settings = parseSettings(text ?? '', file)
  return new Map([...settings].filter(([name]) => findOption(name)?.of?.includes(command)))
}

/** `--gallery` alone is an untitled gallery: what follows is its name unless it is an option or there, as a file or folder. */
function withGalleryName(args: readonly string[], exists: (path: string) => boolean): string[] {
  const end = args.includes('--') ? args.indexOf('--') : args.length
  const at = args.indexOf('--gallery')
  if (at < 0 || at > end) return [...args]
  const next = at + 1 < end ? args[at + 1] : undefined
  const named = next !== undefined && !next.startsWith('-') && !exists(next)
  return [...args.slice(0, at), `--gallery=${named ? next : ''}`, ...args.slice(named ? at + 2 : at + 1)]
}

/** Where tokens are expected, one that looks like an option becomes the end of a link. */
function withTokens(args: string[]): string[] {
  if (!args.some((arg) => arg === 'rename' || arg === 'delete')) return args
  return args.map((arg) => (TOKEN_LIKE_AN_OPTION.test(arg) ? `/manage/${arg}` : arg))
}

function requireCommand(word: string): Command {
  const command = COMMANDS.find((name) => name === word)
  if (command === undefined) {
    throw new UsageError(`"${word}" is no command: use one of ${COMMANDS.join(', ')}`)
  }
  return command
}

function requireCount(command: string, operands: string[], least: number, most: number, what: string): string[] {
  if (operands.length < least || operands.length > most) {
    throw new UsageError(`${command} takes ${what}: received ${operands.length || 'nothing'}`)
  }
  return operands
}

function requireOneInput(paths: readonly string[], values: Values): void {
  const count = paths.filter((path) => path === STANDARD_INPUT).length
  if (count > 1) throw new UsageError('- means standard input, which can be read once: name it once')
  if (count === 0 && values.has('name')) throw new UsageError('--name is for what comes on standard input: upload -')
  if (count > 0 && values.has('resume')) {
    throw new UsageError('--resume is for files: standard input cannot be read again')
  }
}

function requireNoJournal(values: Values): void {
  if (values.has('dry-run') && values.has('resume')) {
    throw new UsageError('--dry-run reads no journal: leave --resume out')
  }
}

function readCommon(
  values: Values,
  { typed, settings }: { typed: Values; settings: Values },
  { env }: Surroundings,
): Common {
  const variable = env.TINTYPE_URL ? { source: 'TINTYPE_URL', text: env.TINTYPE_URL } : undefined
  const ofFile = settings.get('url') ?? { source: 'the default', text: DEFAULT_URL }
  const host = readHost(typed.get('url') ?? variable ?? ofFile)
  return {
    host,
    hostNamed: typed.has('url'),
    retries: readInteger(values, 'retries', 0, MAX_RETRIES) ?? DEFAULT_RETRIES,
    json: values.has('json'),
    quiet: values.has('quiet'),
    // A key of the configuration file is for the host of that file, and is sent to no other.
    uploadKey: readKey(typed.get('key'), env, host === readHost(ofFile) ? settings.get('key') : undefined),
    historyFile: historyFile(env),
  }
}

function readKey(typed: Value | undefined, env: Surroundings['env'], setting: Value | undefined): string | undefined {
  const variable = env.TINTYPE_UPLOAD_KEY ? { source: 'TINTYPE_UPLOAD_KEY', text: env.TINTYPE_UPLOAD_KEY } : undefined
  const value = typed ?? variable ?? setting
  if (value !== undefined && !KEY.test(value.text)) {
    throw new UsageError(`${value.source} must be a key: printable ASCII without spaces`)
  }
  return value?.text
}

function readUploadCommon(values: Values, common: Common): UploadCommon {
  const format = readChoice(values, 'format', FORMATS)
  if (common.json && format !== undefined && format !== 'json') {
    throw new UsageError(`--json and --format ${format} exclude each other: leave one out`)
  }
  return {
    ...common,
    adult: values.has('adult'),
    optimize: values.has('optimize'),
    expiresInS: readExpiry(values),
    manage: values.has('manage'),
    json: common.json || format === 'json',
    format: format ?? (common.json ? 'json' : 'link'),
    copy: values.has('copy'),
    open: values.has('open'),
    history: readHistoryChoice(values),
  }
}

function readHistoryChoice(values: Values): HistoryChoice {
  return readChoice(values, 'history', HISTORY_CHOICES) ?? 'off'
}

function readThumbnail(values: Values): number | undefined {
  return readInteger(values, 'thumbnail', THUMBNAIL_MIN_SIZE_PX, THUMBNAIL_MAX_SIZE_PX)
}

function readExpiry(values: Values): number | undefined {
  const value = values.get('expires-in')
  if (value === undefined) return undefined
  const seconds = parseDuration(value.text)
  if (seconds !== undefined && seconds >= EXPIRY_MIN_S && seconds <= EXPIRY_MAX_S) return seconds
  throw new UsageError(
    `${value.source} must be a time such as 12h or 30d, from a minute to ten years: received "${value.text}"`,
  )
}

function readConcurrency(values: Values): number {
  return readInteger(values, 'concurrency', 1, MAX_CONCURRENCY) ?? DEFAULT_CONCURRENCY
}

function readShell(operands: string[]): Shell {
  const [word] = requireCount('completion', operands, 1, 1, SHELLS.join(', '))
  const shell = SHELLS.find((name) => name === word)
  if (shell === undefined) throw new UsageError(`completion takes ${SHELLS.join(', ')}: received "${word}"`)
  return shell
}

function readSince(values: Values, nowMs: number): number | undefined {
  const value = values.get('since')
  if (value === undefined) return undefined
  const seconds = parseDuration(value.text)
  if (seconds !== undefined) return nowMs - seconds * SECOND_MS
  const ms = /^\d{4}-\d{2}-\d{2}(?:[T ].+)?$/.test(value.text) ? Date.parse(value.text) : Number.NaN
  if (Number.isNaN(ms)) {
    throw new UsageError(
      `${value.source} must be a date such as 2026-11-27, or a time such as 7d: received "${value.text}"`,
    )
  }
  return ms
}

function readChoice<T extends string>(values: Values, name: OptionName, choices: readonly T[]): T | undefined {
  const value = values.get(name)
  if (value === undefined) return undefined
  const choice = choices.find((one) => one === value.text)
  if (choice === undefined) {
    throw new UsageError(`${value.source} must be one of ${choices.join(', ')}: received "${value.text}"`)
  }
  return choice
}

function readHost({ source, text }: Value): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash) {
    throw new UsageError(`${source} must be an address such as https://pics.example: received "${text}"`)
  }
  return url.href.replace(/\/+$/, '')
}

function readInteger(values: Values, name: OptionName, least: number, most: number): number | undefined {
  const value = values.get(name)
  if (value === undefined) return undefined
  const number = /^[0-9]{1,9}$/.test(value.text) ? Number(value.text) : Number.NaN
  if (!(number >= least && number <= most)) {
    throw new UsageError(`${value.source} must be an integer from ${least} to ${most}: received "${value.text}"`)
  }
  return number
}
