import { once } from 'node:events'
import { createInterface } from 'node:readline/promises'
import type { DeleteInvocation } from '../arguments.ts'
import { type ManagementLink, readManagementLink } from '../management-link.ts'
import { RequestFailed, Stopped, UsageError } from '../problems.ts'
import type { ExitCode, Session } from '../session.ts'

/** The result for one link, by its index among the arguments: the link itself is a secret. */
interface Outcome {
  link: number
  deleted: boolean
  resource_type?: string | undefined
  status?: number | undefined
  message?: string
}

/** Deletes the resources of management links. A failure does not stop the others. */
export async function remove(invocation: DeleteInvocation, { screen, signal, apiOf }: Session): Promise<ExitCode> {
  const links = invocation.links.map((text, index) => readManagementLink(text, `argument ${index + 1}`, invocation))
  if (!invocation.yes && !(await confirm(links.length, signal))) {
    screen.problem('nothing was deleted')
    return 1
  }
  const outcomes: Outcome[] = []
  for (const [index, link] of links.entries()) {
    const outcome = await removeOne(index + 1, link, apiOf(link.host).remove)
    outcomes.push(outcome)
    const which = links.length > 1 ? ` (link ${outcome.link})` : ''
    if (!outcome.deleted) screen.problem(`not deleted${which}: ${outcome.message}`)
    else if (!invocation.json) screen.result(`deleted ${outcome.resource_type ?? 'by an earlier try'}${which}`)
  }
  if (invocation.json) screen.result(JSON.stringify({ results: outcomes }, undefined, 2))
  return outcomes.every(({ deleted }) => deleted) ? 0 : 1
}

async function removeOne(
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

async function confirm(count: number, signal: AbortSignal): Promise<boolean> {
  if (!process.stdin.isTTY) throw new UsageError('there is no terminal to ask at: delete without asking with --yes')
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  // Ctrl-C is a key here, and no signal.
  terminal.on('SIGINT', () => process.kill(process.pid, 'SIGINT'))
  const closed = once(terminal, 'close').then(() => '')
  try {
    const what = count === 1 ? 'the content of this link' : `the content of these ${count} links`
    const reply = terminal.question(`Delete ${what}, for good? Type yes: `, { signal })
    return (await Promise.race([reply, closed])).trim().toLowerCase() === 'yes'
  } catch {
    throw new Stopped()
  } finally {
    terminal.close()
  }
}
