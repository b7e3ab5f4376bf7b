// The options of `npm start`.
import { isIPv4 } from 'node:net'
import path from 'node:path'
import { messageOf, readCommandLine } from './command-line.mjs'
import { fail, ROOT } from './installed.mjs'
import { parseLocalDomains } from './public-domain.mjs'
import { checkOption } from './settings.mjs'
import { parseShards } from './shards.mjs'

const USAGE = `Usage: npm start -- [options]
Serves Tintype on this machine, with its data in one folder, until it is stopped.
  --port N                    the port (8787)
  --host ADDRESS              the IPv4 address that it listens on (127.0.0.1); 0.0.0.0 for all of this machine
  --data DIR                  the folder that keeps the data (.data)
  --files s3://bucket/folder  where the files are: disk (in the data folder), or S3 (as it was; first disk)
  --s3-endpoint URL           the address of the S3 service (that of Amazon for the region)
  --s3-region NAME            the region of the bucket (us-east-1)
  --s3-addressing STYLE       path or virtual-host: where addresses have the name of the bucket (path; Amazon: virtual-host)
  --s3-keys FILE              AWS_ACCESS_KEY_ID=… and AWS_SECRET_ACCESS_KEY=…, in a file of mode 600 (the environment)
  --files-moved               says that the files of this data were copied to where --files says
  --domains a,b,c             the public domains (localhost)
  --single-host-domains a,b   those of them that cannot have subdomains (*.workers.dev is known)
  --min-free N                uploads are refused while the disk of the data has less than N MB free (200)
  --client-limits LIST        the operator's limits that differ, as uploads=5000,covers=off, or off for none
  --log-requests SHARE        the share of requests that write a line of the log, from 0 to 1 (0)
  --shards N                  the number of databases (1, or as many as the data has: never fewer)
  --write-shards 0,2          those that take new pictures and galleries (all)
  --report-webhook URL        an address that new reports are posted to
  --operator-name NAME        who runs the service, at the foot of its pages
  --tagline TEXT              the line below the heading of the front page
  --site-links LIST           as terms=https://…,privacy=https://…,imprint=…,contact=mailto:…
  --file-links on|off         whether the pages offer the addresses of files (on)
  --security-contact A        where security problems are told: mail or web addresses, with commas
  --read-cache on|off         whether images and pages that many ask for are kept in memory (on)
  --clock-offset-ms N         added to what the service takes for now, for tests that need tomorrow
  --help                      this text`

// An address of mail, or a URI that says how somebody is reached.
const CONTACT = /^(?:(?:mailto:)?[^\s@:]+@[^\s@]+|https:\/\/\S+|tel:\S+)$/i

/** The options whose value is that of a setting of the Worker, and that setting. */
const SETTINGS = /** @type {const} */ ([
  ['write-shards', 'WRITE_SHARDS'],
  ['client-limits', 'CLIENT_LIMITS'],
  ['log-requests', 'LOG_REQUESTS'],
  ['report-webhook', 'REPORT_WEBHOOK'],
  ['operator-name', 'OPERATOR_NAME'],
  ['tagline', 'TAGLINE'],
  ['site-links', 'SITE_LINKS'],
  ['file-links', 'FILE_LINKS'],
])

/**
 * Reads them, of the command line where none are given; anything wrong ends the process with a sentence. `data` is an absolute
 * path, `settings` those of the Worker that were given, by their names in wrangler.toml.
 */
export async function readStartOptions(args = process.argv.slice(2)) {
  const { values } = readCommandLine({
    usage: USAGE,
    args,
    options: {
      port: { type: 'string', default: '8787' },
      host: { type: 'string', default: '127.0.0.1' },
      data: { type: 'string', default: path.join(ROOT, '.data') },
      files: { type: 'string' },
      's3-endpoint': { type: 'string' },
      's3-region': { type: 'string' },
      's3-addressing': { type: 'string' },
      's3-keys': { type: 'string' },
      'files-moved': { type: 'boolean', default: false },
      domains: { type: 'string' },
      'single-host-domains': { type: 'string' },
      'min-free': { type: 'string', default: '200' },
      'client-limits': { type: 'string' },
      'log-requests': { type: 'string' },
      shards: { type: 'string' },
      'write-shards': { type: 'string' },
      'report-webhook': { type: 'string' },
      'operator-name': { type: 'string' },
      tagline: { type: 'string' },
      'site-links': { type: 'string' },
      'file-links': { type: 'string' },
      'security-contact': { type: 'string' },
      'read-cache': { type: 'string', default: 'on' },
      'clock-offset-ms': { type: 'string' },
    },
  })
  const { port, data, 'single-host-domains': singleHosts, 'clock-offset-ms': offset } = values
  if (!/^[1-9][0-9]{0,4}$/.test(port) || Number(port) > 65_535) fail(`--port must be a port number: received "${port}"`)
  if (!isIPv4(values.host)) fail(`--host must be an IPv4 address of this machine: received "${values.host}"`)
  if (offset !== undefined && !/^-?[0-9]+$/.test(offset)) {
    fail(`--clock-offset-ms must be a whole number of milliseconds: received "${offset}"`)
  }
  const readCache = values['read-cache']
  if (!['on', 'off'].includes(readCache)) fail(`--read-cache must be "on" or "off": received "${readCache}"`)
  const minFree = values['min-free']
  if (!/^[0-9]{1,12}$/.test(minFree)) fail(`--min-free must be a whole number of megabytes: received "${minFree}"`)
  let shards
  const s3 = given({
    S3_ENDPOINT: values['s3-endpoint'],
    S3_REGION: values['s3-region'],
    S3_ADDRESSING: values['s3-addressing'],
  })
  try {
    await checkPlace(values.files, s3)
    shards = parseShards(values.shards)
    for (const [option, name] of SETTINGS) await checkOption(`--${option}`, name, values[option])
  } catch (error) {
    fail(messageOf(error))
  }
  const settings = {
    ...Object.fromEntries(SETTINGS.map(([option, name]) => [name, values[option]])),
    PUBLIC_DOMAINS: readDomains('--domains', values.domains),
    SINGLE_HOST_DOMAINS: readDomains('--single-host-domains', singleHosts),
    SECURITY_CONTACT: readContacts(values['security-contact']),
    // Every write to the data of npm start goes through its one Worker.
    READ_CACHE: readCache,
    CLOCK_OFFSET_MS: offset,
  }
  return {
    port: Number(port),
    host: values.host,
    data: path.resolve(data),
    minFreeMib: Number(minFree),
    shards,
    files: {
      ...given({ files: values.files, keysFile: values['s3-keys'] && path.resolve(values['s3-keys']) }),
      s3,
      moved: values['files-moved'],
    },
    settings: given(settings),
  }
}

/**
 * Throws a sentence where files cannot be there. A Node.js that knows no TypeScript lets it pass: the one that serves does not.
 * @param {string | undefined} files
 * @param {Record<string, string>} s3
 */
async function checkPlace(files, s3) {
  if (files === 'disk' || !process.features.typescript) return
  const { readS3Location } = await import('../src/storage/files/s3-settings.ts')
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

/** @returns {Record<string, string>} those that have a value */
function given(/** @type {Record<string, string | undefined>} */ settings) {
  const entries = Object.entries(settings)
  return Object.fromEntries(entries.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
}

/** @returns {string | undefined} the domains of an option, with commas */
function readDomains(/** @type {string} */ option, /** @type {string | undefined} */ list) {
  if (list === undefined) return undefined
  try {
    const domains = parseLocalDomains(list)
    if (domains.length > 0) return domains.join(',')
  } catch (error) {
    fail(`${option}: ${messageOf(error)}`)
  }
  return fail(`${option} must name at least one domain`)
}

/** @returns {string | undefined} the addresses as security.txt takes them (RFC 9116, 2.5.3), with commas */
function readContacts(/** @type {string | undefined} */ list) {
  const contacts = list?.split(',').map((contact) => contact.trim())
  const wrong = contacts?.find((contact) => !CONTACT.test(contact))
  if (wrong === undefined) return contacts?.join(',')
  return fail(
    `--security-contact must be addresses such as security@pics.example or https://pics.example/security: received "${wrong}"`,
  )
}
