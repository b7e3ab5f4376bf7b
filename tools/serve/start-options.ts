// The options of `npm start`, for a Node.js that reads TypeScript.

import { isIPv4 } from 'node:net'
import path from 'node:path'
import type { StartOption } from '../../src/settings.ts'
import { isParsed, START_OPTIONS, startOptions } from '../../src/settings.ts'
import { readS3Location } from '../../src/storage/files/s3-settings.ts'
import { fail, ROOT } from '../install/installed.mjs'
import { messageOf, readCommandLine } from '../shared/command-line.ts'
import { parseLocalDomains } from '../shared/public-domain.ts'
import { checkOption } from '../shared/settings.ts'
import { parseShards } from '../shared/shards.ts'

// An e-mail address, or a URI of a contact.
const CONTACT = /^(?:(?:mailto:)?[^\s@:]+@[^\s@]+|https:\/\/\S+|tel:\S+)$/i

/** Settings that are read from the environment: options are visible in the process list. */
const SECRETS = ['WEBHOOK_SECRET', 'TURNSTILE_SECRET'] as const

/** The column of the help where texts begin. */
const TEXT_AT = 30
const HELP_COLUMNS = 120

/**
 * Reads the options of a command line, by default that of this process. Ends the process with a sentence if one is wrong. `data`
 * is an absolute path, `settings` are those of the Worker that were given, by their names in wrangler.toml.
 */
export async function readStartOptions(args = process.argv.slice(2)) {
  const options = startOptions()
  const { values } = readCommandLine({
    usage: usageOf(options),
    args,
    options: Object.fromEntries(
      options.map(({ name, value }) => [name, { type: value === undefined ? 'boolean' : 'string' }]),
    ),
  })
  const textOf = (name: StartOption) => {
    const value = values[name]
    return typeof value === 'string' ? value : undefined
  }
  const {
    port = START_OPTIONS.port.default,
    host = START_OPTIONS.host.default,
    data = path.join(ROOT, '.data'),
    minFree = START_OPTIONS['min-free'].default,
    readCache = 'on',
    offset,
  } = given({
    port: textOf('port'),
    host: textOf('host'),
    data: textOf('data'),
    minFree: textOf('min-free'),
    readCache: textOf('read-cache'),
    offset: textOf('clock-offset-ms'),
  })
  if (!/^[1-9][0-9]{0,4}$/.test(port) || Number(port) > 65_535) fail(`--port must be a port number: received "${port}"`)
  if (!isIPv4(host)) fail(`--host must be an IPv4 address of this machine: received "${host}"`)
  if (offset !== undefined && !/^-?[0-9]+$/.test(offset)) {
    fail(`--clock-offset-ms must be a whole number of milliseconds: received "${offset}"`)
  }
  if (!['on', 'off'].includes(readCache)) fail(`--read-cache must be "on" or "off": received "${readCache}"`)
  if (!/^[0-9]{1,12}$/.test(minFree)) fail(`--min-free must be a whole number of megabytes: received "${minFree}"`)
  let shards: number | undefined
  const files = textOf('files')
  const s3 = given({
    S3_ENDPOINT: textOf('s3-endpoint'),
    S3_REGION: textOf('s3-region'),
    S3_ADDRESSING: textOf('s3-addressing'),
  })
  const parsed = options.filter(({ setting }) => setting !== undefined && isParsed(setting))
  try {
    checkFilesLocation(files, s3)
    shards = parseShards(textOf('shards'))
    for (const { name, setting = '' } of parsed) await checkOption(`--${name}`, setting, textOf(name))
    for (const setting of SECRETS) await checkOption(setting, setting, process.env[setting] || undefined)
  } catch (error) {
    fail(messageOf(error))
  }
  const keysFile = textOf('s3-keys')
  return {
    port: Number(port),
    host,
    data: path.resolve(data),
    minFreeMib: Number(minFree),
    shards,
    files: {
      ...given({ files, keysFile: keysFile && path.resolve(keysFile) }),
      s3,
      moved: values['files-moved'] === true,
    },
    settings: given({
      ...Object.fromEntries(SECRETS.map((name) => [name, process.env[name] || undefined])),
      ...Object.fromEntries(parsed.map(({ name, setting }) => [setting, textOf(name)])),
      PUBLIC_DOMAINS: readDomains('--domains', textOf('domains')),
      SINGLE_HOST_DOMAINS: readDomains('--single-host-domains', textOf('single-host-domains')),
      SECURITY_CONTACT: readContacts(textOf('security-contact')),
      // Every write to the data of npm start goes through its one Worker.
      READ_CACHE: readCache,
      CLOCK_OFFSET_MS: offset,
    }),
  }
}

/** The help, with the texts of the documentation. */
function usageOf(options: ReturnType<typeof startOptions>) {
  const lines = options.flatMap(({ name, value, text, default: byDefault }) => {
    const option = `  --${name}${value === undefined ? '' : ` ${value}`}`
    const words = plain(byDefault === '' ? text : `${text} (${byDefault})`)
    return helpLines(option, words)
  })
  return `Usage: npm start -- [options]
Serves Tintype on this machine, with its data in one folder, until it is stopped.
${[...lines, ...helpLines('  --help', 'this text')].join('\n')}`
}

function helpLines(option: string, words: string) {
  const lines = [option.padEnd(TEXT_AT - 1)]
  for (const word of words.split(' ')) {
    const last = lines.at(-1) ?? ''
    if (last.trim() !== '' && last.length + 1 + word.length > HELP_COLUMNS) lines.push(`${' '.repeat(TEXT_AT)}${word}`)
    else lines.splice(-1, 1, `${last} ${word}`)
  }
  return lines
}

/** Markdown without its links and code spans. */
function plain(markdown: string) {
  return markdown.replace(/\[([^\]]+)\]\([^)]*\)/g, '$1').replaceAll('`', '')
}

/** Throws a sentence where files cannot be there. */
function checkFilesLocation(files: string | undefined, s3: Record<string, string>) {
  if (files === 'disk') return
  try {
    readS3Location({ S3_URL: files ?? 's3://any', ...s3 })
  } catch (error) {
    const sentence = messageOf(error)
    throw new Error(
      sentence.startsWith('S3_URL')
        ? `--files must be disk, or an address such as s3://bucket or s3://bucket/folder: received "${files}"`
        : sentence.replace(/^S3_(\w+)/, (_, name) => `--s3-${name.toLowerCase()}`),
    )
  }
}

/** Returns the settings that have a value. */
function given(settings: Record<string, string | undefined>): Record<string, string> {
  const entries = Object.entries(settings)
  return Object.fromEntries(entries.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
}

/** Returns the domains of an option, separated by commas. */
function readDomains(option: string, list: string | undefined): string | undefined {
  if (list === undefined) return undefined
  try {
    const domains = parseLocalDomains(list)
    if (domains.length > 0) return domains.join(',')
  } catch (error) {
    fail(`${option}: ${messageOf(error)}`)
  }
  return fail(`${option} must name at least one domain`)
}

/** Returns the addresses as security.txt takes them (RFC 9116, 2.5.3), separated by commas. */
function readContacts(list: string | undefined): string | undefined {
  const contacts = list?.split(',').map((contact) => contact.trim())
  const wrong = contacts?.find((contact) => !CONTACT.test(contact))
  if (wrong === undefined) return contacts?.join(',')
  return fail(
    `--security-contact must be addresses such as security@pics.example or https://pics.example/security: received "${wrong}"`,
  )
}
