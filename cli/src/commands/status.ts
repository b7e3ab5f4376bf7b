import { STATUS_URL_MAX_BYTES } from '../../../src/limits.ts'
import { readUrls } from '../files/url-list.ts'
import { isManagementLink } from '../management-link.ts'
import { printable } from '../printable.ts'
import { RequestFailed, Stopped } from '../problems.ts'
import { statusBatches } from '../requests/api.ts'
import type { UrlStatus } from '../requests/responses.ts'
import type { ExitCode, Session } from '../session.ts'
import type { StatusInvocation } from '../terminal/arguments.ts'

const WIDTH = 'available'.length

/** Requests the statuses of any number of show URLs, and prints them in the same order. */
export async function status(invocation: StatusInvocation, { screen, signal, apiOf }: Session): Promise<ExitCode> {
  const api = apiOf(invocation.host)
  const urls = await readUrls(invocation.sources, signal)
  if (urls.length === 0) throw new RequestFailed('there is no URL to ask for')
  const known: UrlStatus[] = []
  const tell = (results: readonly UrlStatus[]) => {
    known.push(...results)
    if (invocation.json) return
    for (const { url, status } of results) screen.result(`${status.padEnd(WIDTH)}  ${printable(url)}`)
  }
  try {
    for (const batch of statusBatches(urls)) {
      tell(await statusesOf(batch, api.status))
      screen.draw([`  ${known.length} of ${urls.length} URLs`])
    }
    return invocation.fail && known.some(({ status }) => status !== 'available') ? 1 : 0
  } catch (error) {
    if (!(error instanceof RequestFailed || error instanceof Stopped)) throw error
    screen.problem(`${known.length} of ${urls.length} URLs were asked for: ${error.message}`)
    return 1
  } finally {
    screen.draw([])
    if (invocation.json) screen.result(JSON.stringify({ results: known }, undefined, 2))
  }
}

/**
 * Only certain show URLs are sent: the host refuses a whole batch for one URL that is too long. A management link is a
 * secret.
 */
async function statusesOf(
  batch: readonly string[],
  ask: (urls: readonly string[]) => Promise<UrlStatus[]>,
): Promise<UrlStatus[]> {
  const mayBeAsked = (url: string) => Buffer.byteLength(url) <= STATUS_URL_MAX_BYTES && !isManagementLink(url)
  const asked = batch.filter(mayBeAsked)
  const answered = asked.length > 0 ? await ask(asked) : []
  const results = answered.values()
  return batch.map((url) => (mayBeAsked(url) ? results.next().value : undefined) ?? { url, status: 'invalid' })
}
