// Requests of `npm run rehearse` to Cloudflare's API.
import { setTimeout as wait } from 'node:timers/promises'
import { z } from 'zod'
import { AccountApi, AccountApiError } from '../deploy/account-api.ts'

const STARTED_WAIT_MS = 2000
const STARTED_POLLS = 15
const LOG_PAGE = 1000
const LOG_PAGES = 50

/** An account, and what may be asked of it. */
export interface CloudflareAccount {
  /** The address of the API, without a slash at its end. */
  api: string
  token: string
  account: string | undefined
  zone: string | undefined
  /** The name of the Worker. */
  worker: string
}

/** The API refused a request, or gave no response. */
export class ApiRefusal extends Error {}

/** Purges tags from the cache of a zone. https://developers.cloudflare.com/api/resources/cache/methods/purge/ */
export async function purgeTags(cloudflare: CloudflareAccount, tags: string[]) {
  await post(cloudflare, `/zones/${cloudflare.zone}/purge_cache`, { tags }, 'Zone, Cache Purge, Purge')
}

/**
 * Returns all events that Workers Logs hold of a Worker in a time, as JSON, and whether they are a sample.
 * https://developers.cloudflare.com/api/resources/workers/subresources/observability/subresources/telemetry/methods/query/
 */
export async function readWorkersLogs(
  cloudflare: CloudflareAccount,
  { fromMs, toMs }: { fromMs: number; toMs: number },
) {
  const pages = []
  let isSample = false
  let offset: string | undefined
  for (let page = 0; page < LOG_PAGES; page++) {
    const { events, statistics } = await queryLogs(cloudflare, {
      queryId: 'tintype-rehearsal',
      view: 'events',
      dry: true,
      limit: LOG_PAGE,
      timeframe: { from: fromMs, to: toMs },
      parameters: {
        datasets: [],
        filters: [{ key: '$metadata.service', operation: 'eq', type: 'string', value: cloudflare.worker }],
      },
      ...(offset !== undefined && { offset, offsetDirection: 'next' }),
    })
    isSample ||= (statistics?.abr_level ?? 1) > 1
    const list = events?.events ?? []
    pages.push(JSON.stringify(list))
    const last = list.at(-1)?.$metadata?.id ?? undefined
    if (list.length < LOG_PAGE || last === undefined || last === offset) return { text: pages.join('\n'), isSample }
    offset = last
  }
  return { text: pages.join('\n'), isSample: true }
}

/** A result of a query. Events keep all their members. */
const LOG_RESULT = z.object({
  run: z.object({ status: z.string().nullish() }).nullish(),
  statistics: z.object({ abr_level: z.number().nullish() }).nullish(),
  events: z
    .object({
      events: z.array(z.looseObject({ $metadata: z.looseObject({ id: z.string().nullish() }).nullish() })).nullish(),
    })
    .nullish(),
})

async function queryLogs(cloudflare: CloudflareAccount, query: object) {
  for (let polls = 0; ; polls++) {
    const path = `/accounts/${cloudflare.account}/workers/observability/telemetry/query`
    const result = LOG_RESULT.parse(await post(cloudflare, path, query, 'Account, Workers Observability, Read'))
    if (result.run?.status !== 'STARTED') return result
    if (polls === STARTED_POLLS) throw new ApiRefusal('a query of Workers Logs does not end')
    await wait(STARTED_WAIT_MS)
  }
}

async function post({ api, token }: CloudflareAccount, path: string, body: object, permission: string) {
  try {
    const result = await new AccountApi({ address: api, token }).post(path, body)
    return result ?? {}
  } catch (error) {
    if (!(error instanceof AccountApiError)) throw error
    if (error.isDenied) throw new ApiRefusal(`the token may not (${error.status}): it needs ${permission}`)
    throw new ApiRefusal(
      error.status === 0 ? "Cloudflare's API does not respond" : `Cloudflare's API responded ${error.status}`,
    )
  }
}
