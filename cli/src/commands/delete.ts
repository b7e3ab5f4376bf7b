import { once } from 'node:events'
import { createInterface } from 'node:readline/promises'
import { readHistory, recordDeleted } from '../history.ts'
import { type ManagementLink, readManagementLink, tokenOf } from '../management-link.ts'
import { RequestFailed, Stopped, UsageError } from '../problems.ts'
import type { ExitCode, Session } from '../session.ts'
import type { DeleteInvocation } from '../terminal/arguments.ts'

/** The result for one link, by its index among the arguments: the link itself is a secret. */
interface Outcome {
  link: number
  deleted: boolean
  resource_type?: string | undefined
  status?: number | undefined
  message?: string | undefined
}

/** Deletes the resources of management links. A failure does not stop the others. */
export async function remove(invocation: DeleteInvocation, { screen, signal, apiOf }: Session): Promise<ExitCode> {
  const links = invocation.links.map((text, index) => readManagementLink(text, `argument ${index + 1}`, invocation))
  const what = links.length === 1 ? 'this link' : `these ${links.length} links`
  if (!invocation.yes && !(await confirm(`Delete the content of ${what}, for good?`, signal))) {
    screen.problem('nothing was deleted')
    return 1
  }
  const outcomes: Outcome[] = []
  const recorded = new Map(readHistory(invocation.historyFile).map(({ manageUrl, url }) => [tokenOf(manageUrl), url]))
  for (const [index, link] of links.entries()) {
    const outcome = await removeOne(index + 1, link, apiOf(link.host).remove)
    outcomes.push(outcome)
    const url = recorded.get(link.token)
    if (outcome.deleted && url !== undefined) recordDeleted(invocation.historyFile, url)
    const which = links.length > 1 ? ` (link ${outcome.link})` : ''
    if (!outcome.deleted) screen.problem(`not deleted${which}: ${outcome.message}`)
    else if (!invocation.json) screen.result(`deleted ${outcome.resource_type ?? 'by an earlier try'}${which}`)
  }
  if (invocation.json) screen.result(JSON.stringify({ results: outcomes }, undefined, 2))
  return outcomes.every(({ deleted }) => deleted) ? 0 : 1
}

/** Deletes the content of one link, and reports a failure as an outcome. */
export async function removeOne(
  number: number,
  { token }: ManagementLink,
  remove: (token: string) => Promise<string | undefined>,
): Promise<Outcome> {
  try {
    return { link: number, deleted: true, resource_type: await remove(token) }
  } catch (error) {
    if (error instanceof RequestFailed) {
      return { link: number, deleted: false, status: error.status, message: error.message }
    }
    if (error instanceof Stopped) return { link: number, deleted: false, message: 'stopped' }
    throw error
  }
}

/** Asks a question at the terminal. Throws `UsageError` if there is none, and `Stopped`. */
export async function confirm(question: string, signal: AbortSignal): Promise<boolean> {
  if (!process.stdin.isTTY) throw new UsageError('there is no terminal to ask at: delete without asking with --yes')
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  // Ctrl-C is a key here, and no signal.
  terminal.on('SIGINT', () => process.kill(process.pid, 'SIGINT'))
  const closed = once(terminal, 'close').then(() => '')
  try {
    const reply = terminal.question(`${question} Type yes: `, { signal })
    return (await Promise.race([reply, closed])).trim().toLowerCase() === 'yes'
  } catch {
    throw new Stopped()
  } finally {
    terminal.close()
  }
}
