// `npm run moderate -- list | remove <url> | dismiss <url>`: what people reported, and the operator's word on it. It asks the
// service on this machine, by the key in its data folder (--port N, --data DIR as for `npm start`), or a deployed one
// (--url https://host) by the key in TINTYPE_OPERATOR_KEY. `--json` prints the answer as it came.
import path from 'node:path'
import { parseArgs } from 'node:util'
import { fail, ROOT } from './installed.mjs'
import { readOperatorKey } from './operator-key.mjs'

const USAGE = `Usage: npm run moderate -- list | remove <url> | dismiss <url>
Options: --json, --url https://host (with TINTYPE_OPERATOR_KEY), --port N, --data DIR`
const KEY_VARIABLE = 'TINTYPE_OPERATOR_KEY'
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']
const TIMEOUT_MS = 60_000
const WRONG_USE = 2

const COMMANDS = {
  list: { takesUrl: false, ask: () => request('GET', '/operator/reports'), tell: tellReports },
  remove: { takesUrl: true, ask: (url) => request('POST', '/operator/remove', { url }), tell: tellRemoved },
  dismiss: { takesUrl: true, ask: (url) => request('POST', '/operator/dismiss', { url }), tell: tellDismissed },
}

const { options, command, contentUrl } = readArguments()
const { origin, key } = readService()
const answer = await command.ask(contentUrl)
console.log(options.json ? JSON.stringify(answer, null, 2) : command.tell(answer))

function readArguments() {
  let parsed
  try {
    parsed = parseArgs({
      allowPositionals: true,
      options: {
        url: { type: 'string' },
        port: { type: 'string', default: '8787' },
        data: { type: 'string', default: path.join(ROOT, '.data') },
        json: { type: 'boolean', default: false },
      },
    })
  } catch (error) {
    fail(`${error.message}\n${USAGE}`, WRONG_USE)
  }
  const { values, positionals } = parsed
  const [name = '', contentUrl, ...rest] = positionals
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (!command) fail(name === '' ? USAGE : `there is no command "${name}"\n${USAGE}`, WRONG_USE)
  if (command.takesUrl && contentUrl === undefined) fail(`${name} needs the address of a picture or gallery`, WRONG_USE)
  const extra = command.takesUrl ? rest : positionals.slice(1)
  if (extra.length > 0) fail(`${name} does not take "${extra[0]}"\n${USAGE}`, WRONG_USE)
  return { options: values, command, contentUrl }
}

/** Where to ask, and by which key: that of this machine goes nowhere else. */
function readService() {
  if (options.url === undefined) {
    return { origin: `http://localhost:${options.port}`, key: localKey() }
  }
  const url = safely((text) => new URL(text), options.url)
  const isLocal = LOOPBACK.includes(url?.hostname)
  if (url?.protocol !== 'https:' && !(url?.protocol === 'http:' && isLocal)) {
    fail(
      `--url must begin with https://, so that nobody on the way reads the key: received "${options.url}"`,
      WRONG_USE,
    )
  }
  const key = process.env[KEY_VARIABLE]?.trim()
  if (!key) fail(`set ${KEY_VARIABLE} to the OPERATOR_KEY of ${url.origin}`, WRONG_USE)
  return { origin: url.origin, key }
}

function localKey() {
  const data = path.resolve(options.data)
  try {
    return readOperatorKey(data)
  } catch (error) {
    if (error.code !== 'ENOENT') fail(error.message)
    fail(
      `there is no operator.key in ${data}: start the service once with this data folder, or name its own with --data`,
    )
  }
}

async function request(method, address, body) {
  const answer = await fetch(origin + address, {
    method,
    // A redirect would take the key elsewhere.
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
    headers: { Authorization: `Bearer ${key}`, ...(body && { 'Content-Type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  }).catch((error) => fail(`no answer from ${origin}: is the service running? (${reasonOf(error)})`))
  const json = safely(JSON.parse, await answer.text())
  if (answer.ok && json) return json
  if (answer.status === 401) fail(`${origin} does not know this key: ${whereTheKeyIs()}`)
  // Without an OPERATOR_KEY the path is one that nothing answers.
  if (!json || json.error === 'unsupported_endpoint') {
    fail(`${origin} has no operator (status ${answer.status}): give it an OPERATOR_KEY, or check the address`)
  }
  fail(`${json.message} (status ${answer.status})`)
}

function whereTheKeyIs() {
  return options.url === undefined
    ? `it is that of ${path.resolve(options.data)}; name the data folder of the service with --data`
    : `${KEY_VARIABLE} must be its OPERATOR_KEY`
}

function tellReports({ open_reports: total, reported }) {
  if (total === 0) return 'No open reports.'
  const listed = reported.reduce((sum, { reports }) => sum + reports.length, 0)
  const rest = total > listed ? `\nThe oldest ${listed} of ${total} reports: settle these to see more.` : ''
  return reported.map(tellContent).join('\n\n') + rest
}

function tellContent({ url, resource_type: kind, status, reports }) {
  const state = { available: '', pending: ', not public yet', deleted: ', already deleted' }[status] ?? ''
  const heading = `${plain(url)}\n  ${kind}${state}, ${count(reports.length, 'report')}`
  return [heading, ...reports.map(tellReport)].join('\n')
}

function tellReport({ reason, details, contact, created_at: createdAt }) {
  const lines = [`  ${createdAt.slice(0, 16).replace('T', ' ')} UTC  ${plain(reason)}`]
  // Indented line by line, so that no report can look like another.
  for (const line of details.split('\n')) if (line.trim() !== '') lines.push(`    ${plain(line)}`)
  if (contact !== '') lines.push(`    contact: ${plain(contact.replaceAll('\n', ' '))}`)
  return lines.join('\n')
}

function tellRemoved({ resource_type: kind, deleted, reports_handled: handled }) {
  const done = deleted ? `The ${kind} is deleted` : `The ${kind} was deleted already`
  return `${done}, ${count(handled, 'report')} settled.`
}

function tellDismissed({ resource_type: kind, reports_handled: handled }) {
  return `The ${kind} stays as it is, ${count(handled, 'report')} settled.`
}

function count(number, noun) {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}

/** A line that steers no terminal: neither by control characters nor by turning the direction of what follows. */
function plain(text) {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\u{fffd}')
}

function reasonOf(error) {
  return error.cause?.code ?? error.cause?.message ?? error.name
}

function safely(parse, text) {
  try {
    return parse(text)
  } catch {
    return undefined
  }
}
