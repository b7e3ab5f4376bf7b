// `npm run moderate -- list | remove [--block] <url> | dismiss <url>`: what people reported, and the operator's word on it. It asks the
// service on this machine, by the key in its data folder (--port N, --data DIR as for `npm start`), or a deployed one
// (--url https://host) by the key in TINTYPE_OPERATOR_KEY. `--json` prints the answer as it came.
import { messageOf, readCommandLine } from './command-line.mjs'
import { fail } from './installed.mjs'
import { ask, count, plain, readService, SERVICE_OPTIONS, WRONG_USE } from './operated-service.mjs'

const USAGE = `Usage: npm run moderate -- list | remove <url> | dismiss <url>
Shows what was reported, and settles it.
  --block                with remove: refuse the same pictures when they come again
  --port N, --data DIR   those of the service on this machine (8787, .data)
  --url https://host     a deployed service, by the key in TINTYPE_OPERATOR_KEY
  --json                 the answer as it came
  --help                 this text`

/**
 * What the service answers, as src/http/operator.ts writes it.
 * @typedef {{ reason: string, details: string, contact: string, created_at: string }} Report
 * @typedef {{ url: string, resource_type: string, status: string, reports: Report[] }} Reported
 * @typedef {{ open_reports: number, reported: Reported[] }} Reports
 * @typedef {{ resource_type: string, deleted: boolean, reports_handled: number, pictures_blocked: number }} Settled
 */

/** @type {Record<string, string>} */
const STATES = { pending: ', not public yet', deleted: ', already deleted' }

/**
 * What a command asks of the service, told to a reader.
 * @typedef {{ takesUrl: boolean, run: (url?: string) => Promise<{ answer: unknown, text: string }> }} Command
 */

/** @type {Record<string, Command>} */
const COMMANDS = {
  list: { takesUrl: false, run: () => request('GET', '/operator/reports', undefined, tellReports) },
  remove: {
    takesUrl: true,
    run: (url) => request('POST', '/operator/remove', { url, block: options.block }, tellRemoved),
  },
  dismiss: { takesUrl: true, run: (url) => request('POST', '/operator/dismiss', { url }, tellDismissed) },
}

const { options, command, contentUrl } = readArguments()
const service = readService(options)
const { answer, text } = await command.run(contentUrl)
console.log(options.json ? JSON.stringify(answer, null, 2) : text)

function readArguments() {
  const { values, positionals } = readCommandLine({
    usage: USAGE,
    wrongUse: WRONG_USE,
    allowPositionals: true,
    options: {
      ...SERVICE_OPTIONS,
      json: { type: 'boolean', default: false },
      block: { type: 'boolean', default: false },
    },
  })
  const [name = '', contentUrl, ...rest] = positionals
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (command === undefined) return fail(name === '' ? USAGE : `there is no command "${name}"\n${USAGE}`, WRONG_USE)
  if (command.takesUrl && contentUrl === undefined) fail(`${name} needs the address of a picture or gallery`, WRONG_USE)
  const extra = command.takesUrl ? rest : positionals.slice(1)
  if (extra.length > 0) fail(`${name} does not take "${extra[0]}"\n${USAGE}`, WRONG_USE)
  if (values.block && name !== 'remove') fail(`--block goes with remove alone\n${USAGE}`, WRONG_USE)
  return { options: values, command, contentUrl }
}

/**
 * @template Answer
 * @param {string} method
 * @param {string} address
 * @param {object | undefined} body
 * @param {(answer: Answer) => string} tell
 */
async function request(method, address, body, tell) {
  const answer = await ask(service, method, address, body).catch((error) => fail(messageOf(error)))
  return { answer, text: tell(answer) }
}

function tellReports(/** @type {Reports} */ { open_reports: total, reported }) {
  if (total === 0) return 'No open reports.'
  const listed = reported.reduce((sum, { reports }) => sum + reports.length, 0)
  const rest = total > listed ? `\nThe oldest ${listed} of ${total} reports: settle these to see more.` : ''
  return reported.map(tellContent).join('\n\n') + rest
}

function tellContent(/** @type {Reported} */ { url, resource_type: kind, status, reports }) {
  const state = STATES[status] ?? ''
  const heading = `${plain(url)}\n  ${kind}${state}, ${count(reports.length, 'report')}`
  return [heading, ...reports.map(tellReport)].join('\n')
}

function tellReport(/** @type {Report} */ { reason, details, contact, created_at: createdAt }) {
  const lines = [`  ${createdAt.slice(0, 16).replace('T', ' ')} UTC  ${plain(reason)}`]
  // Indented line by line, so that no report can look like another.
  for (const line of details.split('\n')) if (line.trim() !== '') lines.push(`    ${plain(line)}`)
  if (contact !== '') lines.push(`    contact: ${plain(contact.replaceAll('\n', ' '))}`)
  return lines.join('\n')
}

function tellRemoved(/** @type {Settled} */ settled) {
  const { resource_type: kind, deleted, reports_handled: handled, pictures_blocked: blocked } = settled
  const done = deleted ? `The ${kind} is deleted` : `The ${kind} was deleted already`
  const blocking = options.block ? `, ${count(blocked, 'picture')} blocked` : ''
  return `${done}${blocking}, ${count(handled, 'report')} settled.`
}

function tellDismissed(/** @type {Settled} */ { resource_type: kind, reports_handled: handled }) {
  return `The ${kind} stays as it is, ${count(handled, 'report')} settled.`
}
