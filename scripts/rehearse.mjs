// `npm run rehearse`: looks at a deployed service for what workerd on one machine hides: the limits of memory and CPU, the edge
// cache, headers on their way, and what stands in the logs. It uploads some pictures, and deletes all of them.
import { messageOf, readCommandLine } from './command-line.mjs'
import { continueInOwnNode, ensureInstalled, fail } from './installed.mjs'
import { safeOrigin, WRONG_USE } from './operated-service.mjs'

const USAGE = `Usage: npm run rehearse -- --url https://staging.example [options]
Tries a deployed service: memory, CPU, cache, headers and logs. It uploads pictures, and deletes them.
  --url URL       the service; best one that nobody else uses
  --key KEY       its OPERATOR_KEY, or set TINTYPE_OPERATOR_KEY, which nobody reads in the list of processes: for its figures
  --log FILE      what the service logs meanwhile, to look through for tokens. Before, in another terminal:
                  npx wrangler tail --format json --config generated/wrangler.json > FILE
  --quick         smaller pictures, fewer at once, and a short look at the cache
  --help          this text
                  The end is 0 if all passed, 1 if something failed, 2 if it was used wrongly.`

const { values } = readCommandLine({
  usage: USAGE,
  wrongUse: WRONG_USE,
  options: {
    url: { type: 'string' },
    key: { type: 'string' },
    log: { type: 'string' },
    quick: { type: 'boolean', default: false },
  },
})
if (values.url === undefined) fail(`--url must name the service\n${USAGE}`, WRONG_USE)
const origin = safeOrigin(values.url)
ensureInstalled('service')
continueInOwnNode()
const { rehearse } = await import('./rehearsal.mjs')
try {
  const { log, quick } = values
  const key = values.key ?? process.env.TINTYPE_OPERATOR_KEY?.trim()
  const isPassed = await rehearse({ origin, log, quick, key: key || undefined }, (line) => console.log(line))
  process.exit(isPassed ? 0 : 1)
} catch (error) {
  fail(`the rehearsal was cut off: ${messageOf(error)}`)
}
