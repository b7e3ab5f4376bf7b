// `npm run rehearse`: checks a deployed service for what workerd on one machine cannot show: limits of memory and CPU,
// the edge cache, headers in transit, and the content of logs. It uploads some images, and deletes all of them.

import { deployedNames, findDeployed } from '../deploy/deployed.ts'
import type { WranglerConfig } from '../deploy/deployment.ts'
import { continueInOwnNode, ensureInstalled, fail } from '../install/installed.mjs'
import { safeOrigin, WRONG_USE } from '../operate/operated-service.ts'
import { messageOf, readCommandLine } from '../shared/command-line.ts'
import type { CloudflareAccount } from './cloudflare-api.ts'

const USAGE = `Usage: npm run rehearse -- --url https://staging.example [options]
Tries a deployed service: memory, CPU, cache, headers and logs, and asks what only a deployment can tell. It uploads images, and
deletes them.
  --url URL       the service; best one that nobody else uses
  --key KEY       its OPERATOR_KEY, or set TINTYPE_OPERATOR_KEY, which the process list does not show: for its metrics
  --other URL     one of its domains in another zone: does a delete reach that too?
  --via URL       a Worker of another zone that passes requests on: do its clients share an address?
  --zone ID       the zone of --url, to purge its cache by CLOUDFLARE_API_TOKEN
  --worker NAME   the Worker's name, where several are deployed from this folder; its Workers Logs are read by
                  CLOUDFLARE_API_TOKEN and CLOUDFLARE_ACCOUNT_ID
  --log FILE      the output of npm start, to search for tokens; not of wrangler tail, which redacts them
  --questions     only the questions
  --quick         smaller images, fewer at once, and a short check of the cache
  --help          this text
                  The exit status is 0 if all passed and no result is no, 1 otherwise, and 2 for a wrong command line.`

const { values } = readCommandLine({
  usage: USAGE,
  wrongUse: WRONG_USE,
  options: {
    url: { type: 'string' },
    key: { type: 'string' },
    other: { type: 'string' },
    via: { type: 'string' },
    zone: { type: 'string' },
    worker: { type: 'string' },
    log: { type: 'string' },
    questions: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
  },
})
if (values.url === undefined) fail(`--url must name the service\n${USAGE}`, WRONG_USE)
const origin = safeOrigin(values.url)
const other = values.other === undefined ? undefined : safeOrigin(values.other, '--other')
const via = values.via === undefined ? undefined : safeOrigin(values.via, '--via')
if (values.zone !== undefined && !/^[0-9a-f]{32}$/.test(values.zone)) {
  fail(`--zone must be the id of a zone, 32 hexadecimal digits: received "${values.zone}"`, WRONG_USE)
}
ensureInstalled('service')
continueInOwnNode()
const { rehearse } = await import('./rehearsal.ts')
try {
  const { log, quick, questions: questionsOnly } = values
  const key = values.key ?? process.env.TINTYPE_OPERATOR_KEY?.trim()
  const rehearsal = { origin, key: key || undefined, other, via, cloudflare: cloudflareOf(), log, quick, questionsOnly }
  const isPassed = await rehearse(rehearsal, (line) => console.log(line))
  process.exit(isPassed ? 0 : 1)
} catch (error) {
  fail(`the rehearsal was cut off: ${messageOf(error)}`)
}

/** Returns the access to Cloudflare's API, if there is a token. */
function cloudflareOf(): CloudflareAccount | undefined {
  const { CLOUDFLARE_API_TOKEN: token, CLOUDFLARE_API_BASE_URL: api, CLOUDFLARE_ACCOUNT_ID: account } = process.env
  if (!token) return undefined
  const deployed = readDeployed()
  return {
    api: api || 'https://api.cloudflare.com/client/v4',
    token,
    account: account || deployed.config?.account_id,
    zone: values.zone,
    worker: values.worker ?? deployed.name,
  }
}

/** Returns the deployment of this folder, as `npm run deploy` configured wrangler. */
function readDeployed(): { name: string; config?: WranglerConfig } {
  const names = deployedNames()
  // The service may be deployed from another folder.
  if (names.length === 0) return { name: values.worker ?? 'my-tintype' }
  if (values.worker !== undefined && !names.includes(values.worker)) return { name: values.worker }
  try {
    return findDeployed({ name: values.worker })
  } catch (error) {
    return fail(`--worker must name the deployment: ${messageOf(error)}`, WRONG_USE)
  }
}
