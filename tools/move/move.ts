// `npm run tintype -- move`: moves a service from this machine to a deployment on Cloudflare, or back.
import path from 'node:path'
import { continueInOwnNode, ensureInstalled, fail, ROOT } from '../install/installed.mjs'
import { messageOf, readCommandLine } from '../shared/command-line.ts'
import { runScript } from '../shared/processes.ts'

const USAGE = `Usage: npm run tintype -- move --from DIR --to cloudflare [options]
Moves records and files from the data folder DIR to a deployment; with --from cloudflare --to DIR, back. It compares both sides and prints
a summary. Where it was interrupted, the same command continues. See docs/self-hosting.md#moving-to-cloudflare.
  --deployment FILE   the deployment (deployment.json)
  --s3-keys FILE      the keys of an R2 API token, in a file of mode 600 (made from CLOUDFLARE_API_TOKEN)
  --r2-endpoint URL   the S3 address of R2 (https://<account>.r2.cloudflarestorage.com)
  --settle N          seconds for requests that began before the Worker became read-only (60)
  --help              this text`

const CLOUDFLARE = 'cloudflare'

const { values } = readCommandLine({
  usage: USAGE,
  options: {
    from: { type: 'string' },
    to: { type: 'string' },
    deployment: { type: 'string', default: path.join(ROOT, 'deployment.json') },
    's3-keys': { type: 'string' },
    'r2-endpoint': { type: 'string' },
    settle: { type: 'string', default: '60' },
  },
})
const { from, to } = values
if (from === undefined || to === undefined || (from === CLOUDFLARE) === (to === CLOUDFLARE)) {
  fail(`one of --from and --to must be "${CLOUDFLARE}", the other a data folder\n${USAGE}`)
}
if (!/^\d{1,4}$/.test(values.settle)) fail(`--settle must be a whole number of seconds: received "${values.settle}"`)
ensureInstalled('service')
continueInOwnNode()
runScript('build/build.ts')
// The module imports packages.
const { runMove } = await import('./run-move.ts')
try {
  await runMove({
    data: path.resolve(to === CLOUDFLARE ? from : to),
    isToCloudflare: to === CLOUDFLARE,
    deployment: path.resolve(values.deployment),
    keysFile: values['s3-keys'],
    r2Endpoint: values['r2-endpoint'],
    settleMs: Number(values.settle) * 1000,
  })
} catch (error) {
  fail(`not moved yet: ${messageOf(error)}\nThe same command continues where this one stopped.`)
}
