// `npm run moderate -- <command>`: lists reports, takes decisions and shows earlier ones. It calls the service on this
// machine with a key of its data folder (--port N, --data DIR as for `npm start`). A deployed one (--url https://host) gets
// the key in TINTYPE_OPERATOR_KEY. `--json` prints the response unchanged.

import { fail } from '../install/installed.mjs'
import { messageOf, readCommandLine } from '../shared/command-line.ts'
import { ask, count, plain, readService, SERVICE_OPTIONS, WRONG_USE } from './operated-service.mjs'

const USAGE = `Usage: npm run moderate -- <command> [options]
Shows what was reported, and settles it.
  list                   what is reported, one line each, child abuse first
  show <url>             the reports about a picture or gallery, as they were written
  hide <url>             makes it not public at once, to decide later; its reports stay open
  unhide <url>           shows it again as it was
  remove <url>           deletes it, and settles its reports
  remove --block <url>   and refuses the same pictures when they come again
  dismiss <url>          leaves it as it is, and settles its reports
  unblock <url>          accepts pictures again that were blocked
  hidden                 what is hidden
  blocks                 what is blocked
  audit                  who decided what and when, the newest last
  --port N, --data DIR   those of the service on this machine (8787, .data)
  --as NAME              by the key of this name in its data folder; else the first
  --url https://host     a deployed service, by the key in TINTYPE_OPERATOR_KEY
  --json                 the answer as it came
  --help                 this text`

/**
 * Responses of the service, as written by src/http/handlers/operator.ts.
 * @typedef {{ url: string, resource_type: string, status: string }} Content
 * @typedef {Content & { open_reports: number, reasons: Record<string, number>, first_reported_at: string }} Reported
 * @typedef {{ open_reports: number, reported_contents: number, reported: Reported[] }} Reports
 * @typedef {{ reason: string, details: string, contact: string, created_at: string }} Report
 * @typedef {Content & { reports: Report[] }} ReportsOfOne
 * @typedef {{ resource_type: string, status: string, changed: boolean, reports_handled: number, pictures: number }} Settled
 * @typedef {{ hidden: (Content & { hidden_at: string })[] }} Hidden
 * @typedef {{ blocks: { url: string, blocked_at: string }[] }} Blocks
 * @typedef {{ decided_at: string, operator: string, action: string, completed: boolean, url: string | null } & Settled} Decision
 */

/** @type {Record<string, string>} */
const STATES = { pending: ', not public yet', hidden: ', hidden', deleted: ', already deleted' }
const FIRST_REASON = 'child'

/**
 * A request to the service, and its result as text.
 * @typedef {{ takesUrl: boolean, run: (url?: string) => Promise<{ answer: unknown, text: string }> }} Command
 */

/** @type {Record<string, Command>} */
const COMMANDS = {
  list: asking('reports', tellReports),
  show: deciding('show', tellReportsOfOne),
  hide: deciding('hide', tellHidden),
  unhide: deciding('unhide', tellUnhidden),
  remove: deciding('remove', tellRemoved),
  dismiss: deciding('dismiss', tellDismissed),
  unblock: deciding('unblock', tellUnblocked),
  hidden: asking('hidden', tellAllHidden),
  blocks: asking('blocks', tellBlocks),
  audit: asking('audit', tellAudit),
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
 * A command that asks for a list.
 * @template Answer
 * @param {string} what
 * @param {(answer: Answer) => string} tell
 * @returns {Command}
 */
function asking(what, tell) {
  return { takesUrl: false, run: () => request('GET', what, undefined, tellWithMissing) }

  /** @param {Answer & { unavailable_shards?: number[] }} list */
  function tellWithMissing(list) {
    const { unavailable_shards: shards = [] } = list
    if (shards.length === 0) return tell(list)
    return `${tell(list)}\nIncomplete: these shards did not respond: ${shards.join(', ')}.`
  }
}

/**
 * A command about one image or gallery.
 * @template Answer
 * @param {string} what
 * @param {(answer: Answer) => string} tell
 * @returns {Command}
 */
function deciding(what, tell) {
  return {
    takesUrl: true,
    run: (url) => request('POST', what, { url, ...(options.block && { block: true }) }, tell),
  }
}

/**
 * @template Answer
 * @param {string} method
 * @param {string} what
 * @param {object | undefined} body
 * @param {(answer: Answer) => string} tell
 */
async function request(method, what, body, tell) {
  const answer = await ask(service, method, `/operator/${what}`, body).catch((error) => fail(messageOf(error)))
  return { answer, text: tell(answer) }
}

function tellReports(/** @type {Reports} */ { open_reports: total, reported_contents: contents, reported }) {
  if (reported.length === 0) return 'No open reports.'
  const rest =
    contents > reported.length ? [`The first ${reported.length} of ${contents}, of ${total} reports in total.`] : []
  return [...reported.map(tellReported), ...rest].join('\n')
}

function tellReported(/** @type {Reported} */ content) {
  const { open_reports: reports, reasons, first_reported_at: since } = content
  const named = Object.entries(reasons)
    .sort(([one, many], [other, more]) => Number(other === FIRST_REASON) - Number(one === FIRST_REASON) || more - many)
    .map(([reason, number]) => `${plain(reason)} ${number}`)
  return `${tellContent(content)}, ${count(reports, 'report')} since ${timeOf(since)}: ${named.join(', ')}`
}

function tellContent(/** @type {Content} */ { url, resource_type: kind, status }) {
  return `${plain(url)}  ${kind}${STATES[status] ?? ''}`
}

function tellReportsOfOne(/** @type {ReportsOfOne} */ { reports, ...content }) {
  const heading = `${tellContent(content)}, ${count(reports.length, 'open report')}`
  return [heading, ...reports.map(tellReport)].join('\n')
}

function tellReport(/** @type {Report} */ { reason, details, contact, created_at: createdAt }) {
  const lines = [`  ${timeOf(createdAt)}  ${plain(reason)}`]
  // Indented line by line, so that no report can look like another.
  for (const line of details.split('\n')) if (line.trim() !== '') lines.push(`    ${plain(line)}`)
  if (contact !== '') lines.push(`    contact: ${plain(contact.replaceAll('\n', ' '))}`)
  return lines.join('\n')
}

function tellHidden(/** @type {Settled} */ { resource_type: kind, status, changed }) {
  if (changed) return `The ${kind} is hidden: show it again with unhide, or remove it.`
  return status === 'deleted' ? `The ${kind} is deleted.` : `The ${kind} was hidden already.`
}

function tellUnhidden(/** @type {Settled} */ { resource_type: kind, status, changed }) {
  if (status === 'deleted') return `The ${kind} is deleted.`
  const done = changed ? `The ${kind} is hidden no more` : `The ${kind} was not hidden itself`
  if (status === 'hidden') return `${done}, but its gallery is.`
  return status === 'pending' ? `${done}; it is not public yet.` : `${done}.`
}

function tellRemoved(/** @type {Settled} */ { resource_type: kind, changed, reports_handled: handled, pictures }) {
  const done = changed ? `The ${kind} is deleted` : `The ${kind} was deleted already`
  const blocking = options.block ? `, ${count(pictures, 'picture')} blocked` : ''
  return `${done}${blocking}, ${count(handled, 'report')} settled.`
}

function tellDismissed(/** @type {Settled} */ { resource_type: kind, status, reports_handled: handled }) {
  return `The ${kind} stays ${status === 'hidden' ? 'hidden' : 'as it is'}, ${count(handled, 'report')} settled.`
}

function tellUnblocked(/** @type {Settled} */ { pictures }) {
  if (pictures > 0) return `${count(pictures, 'picture')} unblocked.`
  return 'Nothing is blocked under this address: blocks lists what is.'
}

function tellAllHidden(/** @type {Hidden} */ { hidden }) {
  if (hidden.length === 0) return 'Nothing is hidden.'
  return hidden
    .map(({ url, resource_type: kind, hidden_at: since }) => `${plain(url)}  ${kind}, since ${timeOf(since)}`)
    .join('\n')
}

function tellBlocks(/** @type {Blocks} */ { blocks }) {
  if (blocks.length === 0) return 'Nothing is blocked.'
  return blocks.map(({ url, blocked_at: since }) => `${plain(url)}  since ${timeOf(since)}`).join('\n')
}

function tellAudit(/** @type {{ decisions: Decision[] }} */ { decisions }) {
  if (decisions.length === 0) return 'Nothing was decided yet.'
  return decisions.toReversed().map(tellDecision).join('\n')
}

function tellDecision(/** @type {Decision} */ decision) {
  const { decided_at: at, operator, action, url, completed, changed, reports_handled: reports, pictures } = decision
  const effects = [
    ...(completed ? [] : ['not completed']),
    ...(completed && !changed && action !== 'dismiss' ? ['nothing changed'] : []),
    ...(reports > 0 ? [`${count(reports, 'report')} settled`] : []),
    ...(pictures > 0 ? [count(pictures, 'picture')] : []),
  ]
  // Entries of older versions are on shard 0, and the image may be on another.
  const shown = url === null ? 'an image on a shard that did not respond' : plain(url)
  return [`${timeOf(at)}  ${plain(operator)}  ${plain(action)}  ${shown}`, ...effects].join(', ')
}

function timeOf(/** @type {string} */ isoTime) {
  return `${isoTime.slice(0, 16).replace('T', ' ')} UTC`
}
