import { parseArgs } from 'node:util'
import { THUMBNAIL_MAX_SIZE_PX, THUMBNAIL_MIN_SIZE_PX } from '../../src/limits.ts'
import { FORMATS, type Format } from './formats.ts'
import { STANDARD_INPUT } from './images.ts'
import {
  DEFAULT_CONCURRENCY,
  DEFAULT_NAME,
  DEFAULT_RETRIES,
  DEFAULT_URL,
  MAX_CONCURRENCY,
  MAX_RETRIES,
} from './limits.ts'
import { UsageError } from './problems.ts'
import { COMMANDS, type Command } from './usage.ts'

/** Options of every command. */
export interface Common {
  /** The host's address, without a slash at its end. */
  host: string
  /** Whether --url named the host: only then does a management link go to another host than its own. */
  hostNamed: boolean
  retries: number
  json: boolean
  quiet: boolean
  /** The key of the uploader, for hosts that ask for one. */
  uploadKey: string | undefined
}

/** Options of the commands that upload. */
export interface UploadCommon extends Common {
  adult: boolean
  optimize: boolean
  manage: boolean
  format: Format
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
  /** The journal to go on from. */
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

/** A command line, understood. */
export type Invocation =
  | UploadInvocation
  | CoverInvocation
  | StatusInvocation
  | RenameInvocation
  | DeleteInvocation
  | { command: 'help'; about: Command }
  | { command: 'version' }

/** The environment in which a command line is parsed. */
export interface Surroundings {
  env: Readonly<Record<string, string | undefined>>
  /** Whether a file or folder is there. */
  exists: (path: string) => boolean
}

const UPLOADS: readonly Command[] = ['upload', 'cover']

/** Every option: with a value or without, and of which commands; all commands where none is named. */
const OPTIONS: Record<string, { type: 'string' | 'boolean'; short?: string; of?: readonly Command[] }> = {
  gallery: { type: 'string', of: ['upload'] },
  'any-order': { type: 'boolean', of: ['upload'] },
  concurrency: { type: 'string', of: ['upload'] },
  'dry-run': { type: 'boolean', of: ['upload'] },
  thumbnail: { type: 'string', of: ['upload'] },
  name: { type: 'string', of: ['upload'] },
  resume: { type: 'string', of: ['upload'] },
  fail: { type: 'boolean', of: ['status'] },
  adult: { type: 'boolean', of: UPLOADS },
  optimize: { type: 'boolean', of: UPLOADS },
  manage: { type: 'boolean', of: UPLOADS },
  format: { type: 'string', of: UPLOADS },
  yes: { type: 'boolean', of: ['delete'] },
  url: { type: 'string' },
  retries: { type: 'string' },
  json: { type: 'boolean' },
  quiet: { type: 'boolean', short: 'q' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'V' },
}

// One in 64 tokens begins with the sign of an option.
const TOKEN_LIKE_AN_OPTION = /^-[A-Za-z0-9_-]{42}$/

/** Reads the arguments after the program's name. Throws `UsageError`. */
export function readCommandLine(args: readonly string[], { env, exists }: Surroundings): Invocation {
  const { positionals, values } = split(withTokens(withGalleryName(args, exists)))
  if (values.has('version')) return { command: 'version' }
  const [word, ...operands] = positionals
  if (word === undefined) {
    if (values.has('help')) return { command: 'help', about: 'help' }
    throw new UsageError(`a command is missing: ${COMMANDS.join(', ')}`)
  }
  const command = requireCommand(word)
  if (values.has('help')) return { command: 'help', about: command }
  for (const name of values.keys()) {
    if (OPTIONS[name]?.of?.includes(command) === false) throw new UsageError(`--${name} is no option of ${command}`)
  }
  return READERS[command](operands, values, readCommon(values, env))
}

type Values = ReadonlyMap<string, string>

const READERS: Record<Command, (operands: string[], values: Values, common: Common) => Invocation> = {
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
      gallery: values.get('gallery'),
      anyOrder: values.has('any-order'),
      dryRun: values.has('dry-run'),
      name: values.get('name') ?? DEFAULT_NAME,
      resume: values.get('resume'),
      thumbnailPx: readInteger(values, 'thumbnail', THUMBNAIL_MIN_SIZE_PX, THUMBNAIL_MAX_SIZE_PX),
      concurrency: readInteger(values, 'concurrency', 1, MAX_CONCURRENCY) ?? DEFAULT_CONCURRENCY,
    }
  },
  cover(paths, values, common) {
    const [left = '', right] = requireCount('cover', paths, 1, 2, 'a left picture, and a right one if there are two')
    return { command: 'cover', ...readUploadCommon(values, common), left, right }
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
  help(operands) {
    const [word = 'help'] = requireCount('help', operands, 0, 1, 'at most one command')
    return { command: 'help', about: requireCommand(word) }
  },
}

/** Options and the rest, every option known and with a value where it takes one. */
function split(args: string[]): { positionals: string[]; values: Map<string, string> } {
  const { positionals, tokens } = parseArgs({
    args,
    options: OPTIONS,
    strict: false,
    allowPositionals: true,
    tokens: true,
  })
  const values = new Map<string, string>()
  for (const token of tokens) {
    if (token.kind !== 'option') continue
    const option = OPTIONS[token.name]
    if (!option) throw new UsageError(`${token.rawName} is no option: "tintype-cli help" lists them`)
    if (option.type === 'boolean' && token.value !== undefined) throw new UsageError(`${token.rawName} takes no value`)
    if (option.type === 'string' && token.value === undefined) throw new UsageError(`${token.rawName} needs a value`)
    values.set(token.name, token.value ?? '')
  }
  return { positionals, values }
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

function requireCount(command: Command, operands: string[], least: number, most: number, what: string): string[] {
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

function readCommon(values: Values, env: Surroundings['env']): Common {
  return {
    host: readHost(values.get('url'), env.TINTYPE_URL),
    hostNamed: values.has('url'),
    retries: readInteger(values, 'retries', 0, MAX_RETRIES) ?? DEFAULT_RETRIES,
    json: values.has('json'),
    quiet: values.has('quiet'),
    uploadKey: env.TINTYPE_UPLOAD_KEY || undefined,
  }
}

function readUploadCommon(values: Values, common: Common): UploadCommon {
  const format = readFormat(values.get('format'))
  if (common.json && format !== undefined && format !== 'json') {
    throw new UsageError(`--json and --format ${format} exclude each other: leave one out`)
  }
  return {
    ...common,
    adult: values.has('adult'),
    optimize: values.has('optimize'),
    manage: values.has('manage'),
    json: common.json || format === 'json',
    format: format ?? (common.json ? 'json' : 'link'),
  }
}

function readFormat(value: string | undefined): Format | undefined {
  if (value === undefined) return undefined
  const format = FORMATS.find((name) => name === value)
  if (format === undefined) throw new UsageError(`--format must be one of ${FORMATS.join(', ')}: received "${value}"`)
  return format
}

function readHost(option: string | undefined, variable: string | undefined): string {
  const [name, value] = option !== undefined ? ['--url', option] : ['TINTYPE_URL', variable || DEFAULT_URL]
  const url = URL.canParse(value) ? new URL(value) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash) {
    throw new UsageError(`${name} must be an address such as https://pics.example: received "${value}"`)
  }
  return url.href.replace(/\/+$/, '')
}

function readInteger(values: Values, name: string, least: number, most: number): number | undefined {
  const value = values.get(name)
  if (value === undefined) return undefined
  const number = /^[0-9]{1,9}$/.test(value) ? Number(value) : Number.NaN
  if (!(number >= least && number <= most)) {
    throw new UsageError(`--${name} must be an integer from ${least} to ${most}: received "${value}"`)
  }
  return number
}
