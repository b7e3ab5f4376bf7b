import { THUMBNAIL_DEFAULT_SIZE_PX, THUMBNAIL_MAX_SIZE_PX, THUMBNAIL_MIN_SIZE_PX } from '../../../src/limits.ts'
import { FORMATS } from '../files/formats.ts'
import { DEFAULT_CONCURRENCY, DEFAULT_RETRIES, DEFAULT_URL } from '../limits.ts'

/** Every command, in the order of the help. */
export const COMMANDS = [
  'upload',
  'cover',
  'download',
  'status',
  'rename',
  'delete',
  'history',
  'completion',
  'mcp',
  'help',
] as const

export type Command = (typeof COMMANDS)[number]

/** Shells that `completion` writes a script for. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const

export type Shell = (typeof SHELLS)[number]

/** Values of `--history`. */
export const HISTORY_CHOICES = ['off', 'links', 'private'] as const

/** The words that complete an operand or the value of an option: files, folders, or these. */
export type Completion = 'files' | 'folders' | readonly string[]

/** An option of the command line. The parser, the help, the completions and the configuration file read this table. */
export interface Option {
  /** Placeholder of the value; absent for an option without one. */
  value?: string
  short?: string
  /** The commands that have it; absent for all. */
  of?: readonly Command[]
  /** The effect, for the help. */
  help: string
  /** The effect in a few words, for completions. */
  summary: string
  completes?: Completion
  /** Whether the configuration file can set it. */
  isSetting?: true
  /** Whether `--no-NAME` exists although the option has a value. */
  isNegatable?: true
}

const UPLOADS: readonly Command[] = ['upload', 'cover']
const UPLOADS_AND_TOOLS: readonly Command[] = ['upload', 'cover', 'mcp']
/** Those that print results. */
const RESULTS: readonly Command[] = ['upload', 'cover', 'download', 'status', 'rename', 'delete', 'history']
/** Those that send requests. */
const REQUESTS: readonly Command[] = [...RESULTS, 'mcp']
/** Those whose operands may not name the host. */
const HOSTED: readonly Command[] = REQUESTS.filter((command) => command !== 'download')
/** Options that the overview lists. */
const SHARED: readonly string[] = ['url', 'retries', 'json', 'quiet', 'help']

/** Every option by its name without dashes, in the order of the help. */
export const OPTIONS = {
  gallery: {
    value: '[NAME]',
    of: ['upload'],
    help: 'into a new gallery, which is public once all are there. NAME is the next argument unless that is an option, a file or a folder; --gallery=NAME leaves no doubt',
    summary: 'into a new gallery',
  },
  'any-order': {
    of: ['upload'],
    help: 'into a gallery several at a time. Without it they go one by one, because a gallery shows pictures in the order in which they arrive',
    summary: 'several at a time into a gallery',
  },
  concurrency: {
    value: 'N',
    of: ['upload', 'download'],
    help: `uploads or downloads at a time (default ${DEFAULT_CONCURRENCY})`,
    summary: 'files at a time',
    isSetting: true,
  },
  'dry-run': {
    of: ['upload'],
    help: 'lists the files that would be uploaded, and sends nothing',
    summary: 'list the files and send nothing',
  },
  thumbnail: {
    value: 'PX',
    of: ['upload', 'mcp'],
    help: `longest side of the thumbnail, ${THUMBNAIL_MIN_SIZE_PX} to ${THUMBNAIL_MAX_SIZE_PX} (default ${THUMBNAIL_DEFAULT_SIZE_PX})`,
    summary: 'longest side of the thumbnail',
    isSetting: true,
  },
  name: {
    value: 'NAME',
    of: ['upload'],
    help: 'the file name of what comes on standard input',
    summary: 'file name of standard input',
  },
  resume: {
    value: 'FILE',
    of: ['upload'],
    help: 'keeps in FILE what was done; the same command continues from there, also after a crash or Ctrl-C. Whoever reads FILE can add to the gallery and, with --manage or --history private, delete',
    summary: 'record progress and continue from it',
    completes: 'files',
  },
  to: {
    value: 'FOLDER',
    of: ['download'],
    help: 'the folder for the files, which is created. Default: for a gallery, a folder with its name; for a picture, this folder',
    summary: 'folder for the files',
    completes: 'folders',
  },
  overwrite: {
    of: ['download'],
    help: 'replaces files of the same name that are other pictures',
    summary: 'replace other files of the same name',
  },
  fail: {
    of: ['status'],
    help: 'exit code 1 unless all are available',
    summary: 'exit code 1 unless all are available',
  },
  adult: { of: UPLOADS_AND_TOOLS, help: 'not safe for work', summary: 'not safe for work', isSetting: true },
  optimize: {
    of: UPLOADS_AND_TOOLS,
    help: 'let the host drop metadata and choose a smaller file',
    summary: 'drop metadata, choose a smaller file',
    isSetting: true,
  },
  'expires-in': {
    value: 'TIME',
    of: UPLOADS_AND_TOOLS,
    help: 'the host deletes it after this time: 90m, 12h, 30d or 8w, from a minute to ten years. A gallery goes with its pictures',
    summary: 'the host deletes it after this time',
    isSetting: true,
    isNegatable: true,
  },
  manage: {
    of: UPLOADS,
    help: 'ask for private links that delete and rename; they cannot be had later',
    summary: 'ask for private links',
    isSetting: true,
  },
  format: {
    value: 'FORMAT',
    of: UPLOADS,
    help: 'link, original, html, markdown, bbcode or json (default link)',
    summary: 'format of the results',
    completes: FORMATS,
    isSetting: true,
  },
  copy: {
    of: UPLOADS,
    help: 'puts the results on the clipboard: links or codes, of a gallery its link. Never private links',
    summary: 'put the results on the clipboard',
    isSetting: true,
  },
  open: {
    of: UPLOADS,
    help: 'opens the page of the gallery, or of the first picture, in the browser',
    summary: 'open the page in the browser',
    isSetting: true,
  },
  history: {
    value: 'WHAT',
    of: UPLOADS_AND_TOOLS,
    help: 'records uploads in a file of this computer: links, or private for links and private links, which "history delete" needs. Default: off, nothing is recorded',
    summary: 'record the uploads',
    completes: HISTORY_CHOICES,
    isSetting: true,
    isNegatable: true,
  },
  last: { value: 'N', of: ['history'], help: 'the last N alone', summary: 'the last N alone' },
  since: {
    value: 'TIME',
    of: ['history'],
    help: 'those since a date (2026-11-27) or for a time (12h, 7d)',
    summary: 'since a date or for a time',
  },
  private: { of: ['history'], help: 'prints private links too', summary: 'print private links too' },
  root: {
    value: 'FOLDER',
    of: ['mcp'],
    help: 'reads files in FOLDER alone. Default: every file that a caller names',
    summary: 'read files in this folder alone',
    completes: 'folders',
  },
  yes: { of: ['delete', 'history'], help: 'does not ask', summary: 'do not ask' },
  key: {
    value: 'KEY',
    of: UPLOADS_AND_TOOLS,
    help: 'the key of a host that lets only some upload (or TINTYPE_UPLOAD_KEY). Other users of this computer may see arguments, but not variables or the configuration file',
    summary: 'key of a host that asks for one',
    isSetting: true,
  },
  url: {
    value: 'URL',
    of: HOSTED,
    help: `the host (or TINTYPE_URL; default ${DEFAULT_URL})`,
    summary: 'the host',
    isSetting: true,
  },
  retries: {
    value: 'N',
    of: REQUESTS,
    help: `tries after the first that failed (default ${DEFAULT_RETRIES})`,
    summary: 'tries after the first that failed',
    isSetting: true,
  },
  json: { of: RESULTS, help: 'results as JSON', summary: 'results as JSON' },
  quiet: { short: 'q', of: REQUESTS, help: 'no progress, problems alone', summary: 'problems alone' },
  help: { short: 'h', help: 'this text', summary: 'show the help' },
  version: { short: 'V', of: ['help'], help: 'the version', summary: 'show the version' },
} as const satisfies Record<string, Option>

export type OptionName = keyof typeof OPTIONS

const ROWS: Readonly<Record<string, Option>> = OPTIONS

/** Returns the option of this name; undefined if there is none. */
export function findOption(name: string): Option | undefined {
  return Object.hasOwn(ROWS, name) ? ROWS[name] : undefined
}

/** Returns the options of a command by name, in the order of the help. */
export function optionsOf(command: Command): [name: string, option: Option][] {
  return Object.entries(ROWS).filter(([, { of }]) => of === undefined || of.includes(command))
}

/** Returns the names of the settings of the configuration file. */
export function settingNames(): string[] {
  return Object.entries(ROWS).flatMap(([name, { isSetting }]) => (isSetting ? [name] : []))
}

/** Returns whether `--no-NAME` exists: it overrides a setting of the configuration file. */
export function canBeNegated(name: string): boolean {
  const option = findOption(name)
  return option?.isNegatable === true || (option?.isSetting === true && option.value === undefined)
}

interface Usage {
  operands: string
  /** A few words, for completions. */
  summary: string
  about: readonly string[]
  closing?: readonly string[]
  completes?: Completion
}

/** The commands, for the help and the completions. */
export const USAGE: Readonly<Record<Command, Usage>> = {
  upload: {
    operands: '<files and folders, or - for standard input...>',
    summary: 'upload files and folders',
    about: [
      'Uploads JPEG, PNG, GIF, WebP and AVIF files. Folders are walked in the order of names (2.jpg before 10.jpg); files in them that are no pictures are skipped. A file that fails does not stop the others.',
    ],
    closing: [
      'One line a picture, in the order of the files; with --manage a line "manage: LINK" after each, or for a gallery at the end, after the line "gallery: LINK".',
    ],
    completes: 'files',
  },
  cover: {
    operands: '<left> [right]',
    summary: 'upload a cover',
    about: ['Uploads a cover: the left picture alone, or two side by side.'],
    completes: 'files',
  },
  download: {
    operands: '<links of galleries and pictures, a file of links, or - for standard input...>',
    summary: 'download galleries and pictures',
    about: [
      'Downloads the originals, under the names that their pages show. The same command continues after a crash or Ctrl-C: files that are there are left alone, and parts are completed. A file gets its name once all its bytes have arrived.',
    ],
    completes: 'files',
  },
  status: {
    operands: '<urls, a file of URLs, or - for standard input...>',
    summary: 'tell whether pictures are available',
    about: [
      'Says of each picture\'s page whether it is available, deleted, not_found, pending or invalid. A file has one URL a line; empty lines are skipped, and so are those that begin with #, "gallery:" or "manage:", so that it may be what upload printed. Asks for 100 at a time, and waits where the host\'s rate limit says so.',
    ],
    completes: 'files',
  },
  rename: {
    operands: '<management link or token> <name>',
    summary: 'rename a gallery',
    about: [
      "Renames a gallery; an empty name takes its name away. The request goes to the link's own host unless --url names another.",
    ],
  },
  delete: {
    operands: '<management links or tokens...>',
    summary: 'delete by private link',
    about: [
      "Deletes pictures, covers, and galleries with all their pictures, for good. Asks first. Each request goes to the link's own host unless --url names another.",
    ],
  },
  history: {
    operands: '[texts...] | delete <numbers, names or links...> | clear',
    summary: 'list, delete and clear recorded uploads',
    about: [
      'Lists the uploads that --history recorded, with their numbers: those that contain every text in a name or link. "delete" deletes at the host by the recorded private link, after asking. It takes numbers (3), ranges (3-7), names and links. "clear" removes the file, and nothing at the host.',
    ],
    completes: ['delete', 'clear'],
  },
  completion: {
    operands: SHELLS.join(' | '),
    summary: 'print a completion script',
    about: [
      'Prints a script that completes commands, options and values in a shell. To load it:',
      '  bash   eval "$(tintype-cli completion bash)" in ~/.bashrc',
      '  zsh    source <(tintype-cli completion zsh) in ~/.zshrc, after compinit',
      '  fish   tintype-cli completion fish > ~/.config/fish/completions/tintype-cli.fish',
    ],
    completes: SHELLS,
  },
  mcp: {
    operands: '',
    summary: 'serve the Model Context Protocol on stdio',
    about: [
      'Serves the Model Context Protocol on standard input and output, for programs with a language model: tools that upload pictures and galleries, read a gallery, tell the status, rename and delete by private link. It reads the files that a caller names, and no others. All requests go to the host of --url.',
    ],
  },
  help: { operands: '[command]', summary: 'show the help', about: [], completes: COMMANDS },
}

const HELP_COLUMN = 21

/** The output of `help <command>`, one paragraph or option a line. */
export function helpOf(command: Command): string {
  if (command === 'help') return overview()
  const { operands, about, closing = [] } = USAGE[command]
  const options = optionsOf(command).map(([name, option]) => optionLine(name, option))
  const texts = [`tintype-cli ${command} ${operands}`.trimEnd(), about.join('\n'), options.join('\n'), ...closing]
  return `${texts.join('\n\n')}\n`
}

function optionLine(name: string, { value, short, help }: Option): string {
  const lead = `  --${name}${value === undefined ? '' : ` ${value}`}${short === undefined ? '' : `, -${short}`}`
  return `${lead.padEnd(HELP_COLUMN - 2)}  ${help}`
}

function overview(): string {
  const commands = COMMANDS.map((command) => `  tintype-cli ${command} ${USAGE[command].operands}`.trimEnd())
  const shared = Object.entries(ROWS).filter(([name]) => SHARED.includes(name))
  return `${[
    'tintype-cli: pictures to an image host, and what became of them',
    [...commands, '  tintype-cli --version'].join('\n'),
    ['Everywhere:', ...shared.map(([name, option]) => optionLine(name, option))].join('\n'),
    `The configuration file holds lines such as "url = https://pics.example": ${settingNames().join(', ')}. It is ~/.config/tintype/config, or that of TINTYPE_CONFIG. Options override variables, which override the file; --no-optimize and the like override what it turns on.`,
    'Results go to standard output, all else to standard error. Exit codes: 0 all done, 1 something failed, 2 the command was not understood, 130 stopped by Ctrl-C.',
  ].join('\n\n')}\n`
}
