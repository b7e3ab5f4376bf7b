// Imports, withdraws and exports block lists for `npm run moderate`, in batches: a list may have millions of entries.
import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { fail } from '../install/installed.mjs'
import { messageOf } from '../shared/command-line.ts'
import { ask, count, type OperatedService, parsed, plain, WRONG_USE } from './operated-service.ts'
import { Added, BlockLists, Exported, Removed } from './responses.ts'

/** As src/limits.ts has it. */
const BATCH = 2000
/** No line of a list is longer. A comment may follow an entry. */
const LINE_MAX_CHARACTERS = 1000
const TIMEOUT_MS = 60_000
const PDQ = /^pdq:/i

/** Sends the entries of a file or an address to a list of the service. Lines that are empty or begin with # are skipped. */
export async function importList(service: OperatedService, source: string, list: string) {
  const operation = randomUUID()
  let entries: string[] = []
  let sent = 0
  let added = 0
  const send = async (last: boolean) => {
    const response = await ask(service, 'POST', '/operator/import', { list, operation, entries, last })
    added += parsed(Added, response).added
    sent += entries.length
    entries = []
  }
  let number = 0
  for await (const line of linesOf(source)) {
    number++
    const entry = entryOf(line, number)
    if (entry === '') continue
    entries.push(entry)
    if (entries.length === BATCH) await send(false)
  }
  if (sent + entries.length === 0) fail(`${source} has no entry`)
  await send(true)
  return {
    response: { list, entries: sent, added },
    text: `${count(sent, 'entry').replace(/ys$/, 'ies')} read, ${added} new in ${list}.`,
  }
}

function entryOf(line: string, number: number): string {
  if (line.length > LINE_MAX_CHARACTERS)
    return fail(`line ${number} has over ${LINE_MAX_CHARACTERS} characters: this is no block list`)
  const [entry = ''] = line
    .replace(/#.*$/, '')
    .trim()
    .split(/[\s,;]/)
  if (PDQ.test(entry))
    return fail(`line ${number} is a PDQ hash, which this service does not compare: import SHA-256 or fingerprints`)
  return entry.toLowerCase()
}

/** Reads a file or an address line by line. */
async function* linesOf(source: string): AsyncGenerator<string> {
  const input = /^https?:/.test(source) ? await fetched(source) : createReadStream(source)
  try {
    yield* createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })
  } catch (error) {
    fail(`${source} cannot be read: ${messageOf(error)}`)
  }
}

async function fetched(url: string) {
  const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) }).catch((error) =>
    fail(`${url} cannot be read: ${messageOf(error)}`),
  )
  if (!response.ok || response.body === null) return fail(`${url} responded with ${response.status}`)
  return Readable.from(response.body)
}

/** Removes a list from the service. */
export async function withdrawList(service: OperatedService, list: string) {
  const operation = randomUUID()
  let removed = 0
  for (let batch = 1; batch > 0; removed += batch) {
    batch = parsed(Removed, await ask(service, 'POST', '/operator/withdraw', { list, operation })).removed
  }
  const text =
    removed === 0 ? `There is no list ${plain(list)}: lists shows those there are.` : `${plain(list)} is withdrawn.`
  return { response: { list, removed }, text }
}

/** Shows the lists of the service. */
export async function showLists(service: OperatedService) {
  const response = await ask(service, 'GET', '/operator/block-lists')
  const { lists } = parsed(BlockLists, response)
  const lines = lists.map(
    ({ name, files, fingerprints, imported_at: at }) =>
      `${plain(name)}  ${count(files, 'file')}, ${count(fingerprints, 'fingerprint')}, since ${at.slice(0, 10)}`,
  )
  return { response, text: lines.length === 0 ? 'No list is imported.' : lines.join('\n') }
}

/** Prints the entries of a list, or of what the operator blocked, one on each line. Returns their number. */
export async function exportList(service: OperatedService, list: string | undefined, print: (line: string) => void) {
  let printed = 0
  for (let cursor: string | null = 'sha256:'; cursor !== null; ) {
    const query: URLSearchParams = new URLSearchParams({ cursor, ...(list === undefined ? {} : { list }) })
    const { entries, next }: { entries: string[]; next: string | null } = parsed(
      Exported,
      await ask(service, 'GET', `/operator/export?${query}`),
    )
    for (const entry of entries) print(plain(entry))
    printed += entries.length
    cursor = next
  }
  return printed
}

/** Returns the name of a list, or ends the process. */
export function requireList(list: string | undefined): string {
  return list ?? fail('import needs --list NAME: a name for the list, by which it can be withdrawn', WRONG_USE)
}
