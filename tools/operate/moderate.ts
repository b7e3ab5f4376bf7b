// `npm run moderate -- <command>`: lists reports, takes decisions and shows earlier ones. It calls the service on this
// machine with a key of its data folder (--port N, --data DIR as for `npm start`). A deployed one (--url https://host) gets
// the key in TINTYPE_OPERATOR_KEY. `--json` prints the response unchanged.

import type { ZodType, z } from 'zod'
import { ensureInstalled, fail } from '../install/installed.mjs'
import { messageOf, readCommandLine } from '../shared/command-line.ts'
import { ask, count, parsed, plain, readService, SERVICE_OPTIONS, WRONG_USE } from './operated-service.ts'
import type { Content, Decision, Report, Reported, Settled } from './responses.ts'

const USAGE = `Usage: npm run moderate -- <command> [options]
Shows what was reported, and settles it.
  list                   what is reported, one line each, child abuse first
  show <url>             the reports about an image or gallery, as they were written
  hide <url>             makes it not public at once, to decide later; its reports stay open
  unhide <url>           shows it again as it was
  remove <url>           deletes it, and settles its reports
  remove --block <url>   and refuses new uploads of the same images
  dismiss <url>          leaves it as it is, and settles its reports
  unblock <url>          accepts blocked images again
  hidden                 what is hidden
  blocks                 what is blocked
  import <file or URL> --list NAME   refuses the SHA-256 and fingerprints in it
  withdraw <NAME>        takes such a list back
  lists                  the imported lists
  export                 what is blocked, as import reads it; --list NAME, of that list
  audit                  who decided what and when, the newest last
  --port N, --data DIR   those of the service on this machine (8787, .data)
  --as NAME              by the key of this name in its data folder; else the first
  --url https://host     a deployed service, by the key in TINTYPE_OPERATOR_KEY
  --json                 the response as JSON
  --help                 this text`

// Zod checks the responses.
ensureInstalled('service')
const responses = await import('./responses.ts')
const lists = await import('./block-lists.ts')

const STATES: Record<string, string> = { pending: ', not public yet', hidden: ', hidden', deleted: ', already deleted' }
const FIRST_REASON = 'child'

/** A request to the service, and its response as JSON and as text. */
interface Command {
  takesArgument: boolean
  /** The name of its argument, where that is not the address of an image or gallery. */
  takes?: string
  run: (argument?: string) => Promise<{ response: unknown; text: string }>
}

const COMMANDS: Readonly<Record<string, Command>> = {
  list: asking('reports', responses.Reports, formatReports),
  show: deciding('show', responses.ReportsOfOne, formatReportsOfOne),
  hide: deciding('hide', responses.Settled, formatHide),
  unhide: deciding('unhide', responses.Settled, formatUnhide),
  remove: deciding('remove', responses.Settled, formatRemoval),
  dismiss: deciding('dismiss', responses.Settled, formatDismissal),
  unblock: deciding('unblock', responses.Settled, formatUnblock),
  hidden: asking('hidden', responses.Hidden, formatHidden),
  blocks: asking('blocks', responses.Blocks, formatBlocks),
  import: {
    takesArgument: true,
    takes: 'a file or an address',
    run: (source = '') => lists.importList(service, source, lists.requireList(options.list)),
  },
  withdraw: { takesArgument: true, takes: 'the name of a list', run: (list = '') => lists.withdrawList(service, list) },
  lists: { takesArgument: false, run: () => lists.showLists(service) },
  export: {
    takesArgument: false,
    async run() {
      const entries: string[] = []
      const printed = await lists.exportList(service, options.list, (entry) => {
        if (options.json) entries.push(entry)
        else console.log(entry)
      })
      return { response: entries, text: printed === 0 ? '# Nothing is blocked.' : `# ${count(printed, 'block')}` }
    },
  },
  audit: asking('audit', responses.Audit, formatAudit),
}

const { options, command, argument } = readArguments()
const service = readService(options)
const { response, text } = await command.run(argument)
console.log(options.json ? JSON.stringify(response, null, 2) : text)

function readArguments() {
  const { values, positionals } = readCommandLine({
    usage: USAGE,
    wrongUse: WRONG_USE,
    allowPositionals: true,
    options: {
      ...SERVICE_OPTIONS,
      json: { type: 'boolean', default: false },
      block: { type: 'boolean', default: false },
      list: { type: 'string' },
    },
  })
  const [name = '', argument, ...rest] = positionals
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (command === undefined) return fail(name === '' ? USAGE : `there is no command "${name}"\n${USAGE}`, WRONG_USE)
  const { takes = 'the address of an image or gallery' } = command
  if (command.takesArgument && argument === undefined) fail(`${name} needs ${takes}`, WRONG_USE)
  const extra = command.takesArgument ? rest : positionals.slice(1)
  if (extra.length > 0) fail(`${name} does not take "${extra[0]}"\n${USAGE}`, WRONG_USE)
  if (values.list !== undefined && !['import', 'export'].includes(name)) {
    fail(`--list goes with import and export alone\n${USAGE}`, WRONG_USE)
  }
  if (values.block && name !== 'remove') fail(`--block goes with remove alone\n${USAGE}`, WRONG_USE)
  return { options: values, command, argument }
}

/** A command that asks for a list. */
function asking<List>(what: string, schema: ZodType<List>, format: (list: List) => string): Command {
  return {
    takesArgument: false,
    async run() {
      const { response, text } = await request('GET', what, undefined, schema, format)
      const { unavailable_shards: shards } = parsed(responses.Incomplete, response)
      const missing = shards.length > 0 ? `\nIncomplete: these shards did not respond: ${shards.join(', ')}.` : ''
      return { response, text: text + missing }
    },
  }
}

/** A command about one image or gallery. */
function deciding<Decided>(what: string, schema: ZodType<Decided>, format: (decided: Decided) => string): Command {
  return {
    takesArgument: true,
    run: (url) => request('POST', what, { url, ...(options.block && { block: true }) }, schema, format),
  }
}

async function request<Value>(
  method: string,
  what: string,
  body: object | undefined,
  schema: ZodType<Value>,
  format: (value: Value) => string,
) {
  const response = await ask(service, method, `/operator/${what}`, body).catch((error) => fail(messageOf(error)))
  return { response, text: format(parsed(schema, response)) }
}

function formatReports({
  open_reports: total,
  reported_contents: contents,
  reported,
}: z.infer<typeof responses.Reports>) {
  if (reported.length === 0) return 'No open reports.'
  const rest =
    contents > reported.length ? [`The first ${reported.length} of ${contents}, of ${total} reports in total.`] : []
  return [...reported.map(formatReported), ...rest].join('\n')
}

function formatReported(content: Reported) {
  const { open_reports: reports, reasons, first_reported_at: since } = content
  const named = Object.entries(reasons)
    .sort(([one, many], [other, more]) => Number(other === FIRST_REASON) - Number(one === FIRST_REASON) || more - many)
    .map(([reason, number]) => `${plain(reason)} ${number}`)
  return `${formatContent(content)}, ${count(reports, 'report')} since ${timeOf(since)}: ${named.join(', ')}`
}

function formatContent({ url, resource_type: kind, status }: Content) {
  return `${plain(url)}  ${kind}${STATES[status] ?? ''}`
}

function formatReportsOfOne({ reports, ...content }: z.infer<typeof responses.ReportsOfOne>) {
  const heading = `${formatContent(content)}, ${count(reports.length, 'open report')}`
  return [heading, ...reports.map(formatReport)].join('\n')
}

function formatReport({ reason, details, contact, created_at: createdAt }: Report) {
  const lines = [`  ${timeOf(createdAt)}  ${plain(reason)}`]
  // Indented line by line, so that no report can look like another.
  for (const line of details.split('\n')) if (line.trim() !== '') lines.push(`    ${plain(line)}`)
  if (contact !== '') lines.push(`    contact: ${plain(contact.replaceAll('\n', ' '))}`)
  return lines.join('\n')
}

function formatHide({ resource_type: kind, status, changed }: Settled) {
  if (changed) return `The ${kind} is hidden: show it again with unhide, or remove it.`
  return status === 'deleted' ? `The ${kind} is deleted.` : `The ${kind} was hidden already.`
}

function formatUnhide({ resource_type: kind, status, changed }: Settled) {
  if (status === 'deleted') return `The ${kind} is deleted.`
  const done = changed ? `The ${kind} is no longer hidden` : `The ${kind} was not hidden itself`
  if (status === 'hidden') return `${done}, but its gallery is.`
  return status === 'pending' ? `${done}; it is not public yet.` : `${done}.`
}

function formatRemoval({
  resource_type: kind,
  changed,
  reports_handled: handled,
  [responses.IMAGES_FIELD]: images,
}: Settled) {
  const done = changed ? `The ${kind} is deleted` : `The ${kind} was deleted already`
  const counted = count(images, 'image')
  const blocking = options.block ? `, ${counted} blocked` : ''
  return `${done}${blocking}, ${count(handled, 'report')} settled.`
}

function formatDismissal({ resource_type: kind, status, reports_handled: handled }: Settled) {
  return `The ${kind} stays ${status === 'hidden' ? 'hidden' : 'as it is'}, ${count(handled, 'report')} settled.`
}

function formatUnblock({ [responses.IMAGES_FIELD]: images }: Settled) {
  const counted = count(images, 'image')
  if (images > 0) return `${counted} unblocked.`
  return 'Nothing is blocked under this address: blocks lists what is.'
}

function formatHidden({ hidden }: z.infer<typeof responses.Hidden>) {
  if (hidden.length === 0) return 'Nothing is hidden.'
  return hidden
    .map(({ url, resource_type: kind, hidden_at: since }) => `${plain(url)}  ${kind}, since ${timeOf(since)}`)
    .join('\n')
}

function formatBlocks({ blocks }: z.infer<typeof responses.Blocks>) {
  if (blocks.length === 0) return 'Nothing is blocked.'
  return blocks.map(({ url, blocked_at: since }) => `${plain(url)}  since ${timeOf(since)}`).join('\n')
}

function formatAudit({ decisions }: z.infer<typeof responses.Audit>) {
  if (decisions.length === 0) return 'Nothing was decided yet.'
  return decisions.toReversed().map(formatDecision).join('\n')
}

function formatDecision(decision: Decision) {
  const {
    decided_at: at,
    operator,
    action,
    url,
    completed,
    changed,
    reports_handled: reports,
    [responses.IMAGES_FIELD]: images,
    list,
  } = decision
  const effects = [
    ...(completed ? [] : ['not completed']),
    ...(completed && !changed && action !== 'dismiss' ? ['nothing changed'] : []),
    ...(reports > 0 ? [`${count(reports, 'report')} settled`] : []),
    ...(images > 0 ? [list === undefined ? count(images, 'image') : `${images} changed`] : []),
  ]
  // Entries of older versions are on shard 0, and the image may be on another.
  const shown =
    list !== undefined ? plain(list) : url === null ? 'an image on a shard that did not respond' : plain(url)
  return [`${timeOf(at)}  ${plain(operator)}  ${plain(action)}  ${shown}`, ...effects].join(', ')
}

function timeOf(isoTime: string) {
  return `${isoTime.slice(0, 16).replace('T', ' ')} UTC`
}
