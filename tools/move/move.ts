// `npm run tintype -- move`: moves a service from this machine to a deployment on Cloudflare, or back.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { s3Files } from '../../src/storage/files/s3.ts'
import { readS3Settings } from '../../src/storage/files/s3-settings.ts'
import { idsOf, readLocalService } from '../build/build.mjs'
import { AccountApi, API } from '../deploy/account-api.mjs'
import { accountToken } from '../deploy/account-login.mjs'
import { parseDeployment } from '../deploy/deployment.mjs'
import { findAccount, findWorker, isTintype } from '../deploy/preflight.mjs'
import { writeDurably } from '../install/durable-files.mjs'
import { continueInOwnNode, ensureInstalled, fail, ROOT, runScript } from '../install/installed.mjs'
import { takeDataFolder } from '../serve/data/data-folder.mjs'
import { readLocation } from '../serve/data/file-location.mjs'
import { isServedReadOnly } from '../serve/data/move-journal.ts'
import { readS3Keys } from '../serve/data/s3-keys.mjs'
import { databasePath } from '../serve/data/stored-data.mjs'
import { messageOf, readCommandLine } from '../shared/command-line.mjs'
import { ensureOperatorKeys } from '../shared/operator-key.mjs'
import { bindingOf, furtherShards, readShards } from '../shared/shards.mjs'
import { retryingFiles } from './move-files.ts'
import { type Deployed, type LocalData, type Moved, moveFromCloudflare, moveToCloudflare } from './moving.ts'

const USAGE = `Usage: npm run tintype -- move --from DIR --to cloudflare [options]
Moves records and files from the data folder DIR to a deployment; with --from cloudflare --to DIR, back. It compares both sides and prints
a summary. Where it was interrupted, the same command goes on. See docs/self-hosting.md#moving-to-cloudflare.
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
runScript('build/build.mjs')
const data = path.resolve(to === CLOUDFLARE ? from : to)
const options = { log: console.log, settleMs: Number(values.settle) * 1000, pollMs: 1000 }
try {
  if (to === CLOUDFLARE) await moveThere()
  else await moveHere()
} catch (error) {
  fail(`not moved yet: ${messageOf(error)}\nThe same command goes on where this one stopped.`)
}

async function moveThere(): Promise<void> {
  if (!existsSync(data)) fail(`there is no folder ${data}`)
  const elsewhere = readLocation(data)?.place.S3_URL
  if (elsewhere !== undefined) fail(`the files of ${data} are in ${elsewhere}: move them to the disk first`)
  const deployed = await findDeployed()
  const local = localData(readShards(data))
  const moved = await moveToCloudflare(local, deployed, {
    ...options,
    waitForPause,
    operatorKey: ensureOperatorKeys(data),
  })
  printSummary(moved)
  console.log(
    `"${deployed.worker}" serves. Now point the DNS records there. Until they arrive everywhere, serve this copy with --read-only on`,
  )
}

async function moveHere(): Promise<void> {
  if (!(await takeDataFolder(data))) fail(`${data} is in use by a running Tintype`)
  const deployed = await findDeployed()
  const moved = await moveFromCloudflare(localData(deployed.databases.length), deployed, options)
  const { TINTYPE_OPERATOR_KEY: key } = process.env
  if (key) writeDurably(path.join(data, 'operator.key'), `${key}\n`, 0o600)
  printSummary(moved)
  if (!key) console.log('Cloudflare shows no secrets: the first start makes a new operator key')
  console.log(`Start with --data ${data}, then point the DNS records here. "${deployed.worker}" stays read-only`)
}

/** Resolves when no service changes the data folder: it is stopped, or read-only. */
async function waitForPause(): Promise<void> {
  let hasAsked = false
  while (!(await takeDataFolder(data)) && !isServedReadOnly(data)) {
    if (!hasAsked) {
      console.log(
        'Waiting for the service: stop it, or start it again with --read-only on. It then serves, and changes nothing',
      )
    }
    hasAsked = true
    await wait(1000)
  }
}

function localData(shards: number): LocalData {
  const [first = ''] = idsOf(readLocalService().bindings.d1Databases)
  const ids = [first, ...furtherShards(shards).map((shard) => `tintype-shard-${shard}`)]
  return { data, databases: ids.map(databasePath) }
}

async function findDeployed(): Promise<Deployed> {
  const file = path.resolve(values.deployment)
  if (!existsSync(file)) fail(`there is no ${path.relative(ROOT, file)}: deploy first, with npm run deploy`)
  const { name = 'my-tintype', wrangler } = parseDeployment(readFileSync(file, 'utf8'))
  const token = accountToken()
  const api = new AccountApi({ address: API, token })
  const account = await findAccount(api, {
    remembered: wrangler?.account_id,
    named: process.env.CLOUDFLARE_ACCOUNT_ID || undefined,
  })
  const worker = await findWorker(api, account.id, name)
  if (!worker || !isTintype(worker)) fail(`the account has no Tintype "${name}": deploy first, with npm run deploy`)
  const ids = []
  for (let shard = 0; ; shard++) {
    const bound = worker.bindings.find((one) => one.name === bindingOf(shard))
    if (!bound) break
    ids.push(String(bound.database_id ?? bound.id))
  }
  const bucket = worker.bindings.find((one) => one.name === 'FILES')?.bucket_name ?? ''
  const keys = values['s3-keys'] === undefined ? await keysOfToken(api, account.id) : readS3Keys(values['s3-keys'])
  const settings = readS3Settings({
    S3_URL: `s3://${bucket}`,
    S3_ENDPOINT: values['r2-endpoint'] ?? `https://${account.id}.r2.cloudflarestorage.com`,
    S3_REGION: 'auto',
    ...keys,
  })
  const files = s3Files(settings, async (bytes) => createHash('md5').update(bytes).digest())
  return { api, account: account.id, worker: name, databases: ids, files: retryingFiles(files, 500) }
}

/** Returns S3 keys of an API token: https://developers.cloudflare.com/r2/api/tokens/#get-s3-api-credentials-from-an-api-token. */
async function keysOfToken(api: AccountApi, account: string) {
  const { CLOUDFLARE_API_TOKEN: token } = process.env
  if (!token) fail('set CLOUDFLARE_API_TOKEN, or name the keys of an R2 API token with --s3-keys')
  const verified = await api
    .get<{ id: string }>('/user/tokens/verify')
    .catch(() => api.get<{ id: string }>(`/accounts/${account}/tokens/verify`))
  const secret = createHash('sha256').update(token).digest('hex')
  return { AWS_ACCESS_KEY_ID: verified.id, AWS_SECRET_ACCESS_KEY: secret }
}

function printSummary({ files, bytes, rows, missing, damaged }: Moved): void {
  for (const key of missing) console.error(`missing in the source: ${key}`)
  for (const key of damaged) console.error(`not what was stored, in the source: ${key}`)
  console.log(`Moved now: ${files} files, ${bytes} bytes`)
  console.log('Compared on both sides: the MD5 of each file, and these records')
  for (const [table, count] of Object.entries(rows)) if (count > 0) console.log(`  ${table.padEnd(22)} ${count}`)
}
