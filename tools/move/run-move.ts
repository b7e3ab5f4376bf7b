// Moves between a data folder and the deployment of a file.

import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { s3Files } from '../../src/storage/files/s3.ts'
import { readS3Settings } from '../../src/storage/files/s3-settings.ts'
import { idsOf, readLocalService } from '../build/build.ts'
import { AccountApi, API } from '../deploy/account-api.ts'
import { accountToken } from '../deploy/account-login.ts'
import { TOKEN } from '../deploy/account-responses.ts'
import { findAccount, findWorker, isTintype } from '../deploy/account-workers.ts'
import { parseDeployment } from '../deploy/deployment.ts'
import { fail, ROOT } from '../install/installed.mjs'
import { releaseDataFolder, takeDataFolder } from '../serve/data/data-folder.ts'
import { readLocation } from '../serve/data/file-location.ts'
import { isServedReadOnly } from '../serve/data/move-journal.ts'
import { readS3Keys } from '../serve/data/s3-keys.ts'
import { databasePath } from '../serve/data/stored-data.ts'
import { writeDurably } from '../shared/durable-files.ts'
import { ensureOperatorKeys } from '../shared/operator-key.ts'
import { bindingOf, furtherShards, readShards } from '../shared/shards.ts'
import { retryingFiles } from './move-files.ts'
import {
  type Deployed,
  type LocalData,
  type Moved,
  type MoveOptions,
  moveFromCloudflare,
  moveToCloudflare,
} from './moving.ts'

/** A move, as the command line asks for it. */
interface WantedMove {
  data: string
  isToCloudflare: boolean
  /** The file of the deployment. */
  deployment: string
  /** A file with S3 keys of R2. */
  keysFile: string | undefined
  r2Endpoint: string | undefined
  settleMs: number
}

export async function runMove(wanted: WantedMove): Promise<void> {
  if (wanted.isToCloudflare) await moveThere(wanted)
  else await moveHere(wanted)
}

function optionsOf({ settleMs }: Pick<WantedMove, 'settleMs'>): MoveOptions {
  return { log: console.log, settleMs, pollMs: 1000 }
}

async function moveThere({ data, ...wanted }: WantedMove): Promise<void> {
  if (!existsSync(data)) fail(`there is no folder ${data}`)
  const elsewhere = readLocation(data)?.s3.S3_URL
  if (elsewhere !== undefined) fail(`the files of ${data} are in ${elsewhere}: move them to the disk first`)
  const deployed = await findDeployed(wanted)
  const local = localData(data, readShards(data))
  const moved = await moveToCloudflare(local, deployed, {
    ...optionsOf(wanted),
    waitForPause: (forbid) => waitForPause(data, forbid),
    operatorKey: ensureOperatorKeys(data),
  })
  printSummary(moved)
  console.log(
    `"${deployed.worker}" serves. Now point the DNS records there. Until they arrive everywhere, serve this copy with --read-only on`,
  )
}

async function moveHere({ data, ...wanted }: WantedMove): Promise<void> {
  if (!(await takeDataFolder(data))) fail(`${data} is in use by a running Tintype`)
  const deployed = await findDeployed(wanted)
  const moved = await moveFromCloudflare(localData(data, deployed.databases.length), deployed, optionsOf(wanted))
  const { TINTYPE_OPERATOR_KEY: key } = process.env
  if (key) writeDurably(path.join(data, 'operator.key'), `${key}\n`, 0o600)
  printSummary(moved)
  if (!key) console.log('Cloudflare shows no secrets: the first start makes a new operator key')
  console.log(`Start with --data ${data}, then point the DNS records here. "${deployed.worker}" stays read-only`)
}

/** Resolves when the service is stopped or read-only, and can only start read-only. */
async function waitForPause(data: string, forbid: () => void): Promise<void> {
  for (let hasAsked = false; ; hasAsked = true) {
    if (await takeDataFolder(data)) {
      forbid()
      releaseDataFolder(data)
      return
    }
    if (isServedReadOnly(data)) {
      forbid()
      // Another service may have started before that.
      if (isServedReadOnly(data)) return
    }
    if (!hasAsked) {
      console.log(
        'Waiting for the service: stop it, or start it again with --read-only on. It then serves, and changes nothing',
      )
    }
    await wait(1000)
  }
}

function localData(data: string, shards: number): LocalData {
  const [first = ''] = idsOf(readLocalService().bindings.d1Databases)
  const ids = [first, ...furtherShards(shards).map((shard) => `tintype-shard-${shard}`)]
  return { data, databases: ids.map(databasePath) }
}

async function findDeployed({ deployment: file, keysFile, r2Endpoint }: Omit<WantedMove, 'data'>): Promise<Deployed> {
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
  const keys = keysFile === undefined ? await keysOfToken(api, account.id) : readS3Keys(keysFile)
  const settings = readS3Settings({
    S3_URL: `s3://${bucket}`,
    S3_ENDPOINT: r2Endpoint ?? `https://${account.id}.r2.cloudflarestorage.com`,
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
    .get('/user/tokens/verify', TOKEN)
    .catch(() => api.get(`/accounts/${account}/tokens/verify`, TOKEN))
  const secret = createHash('sha256').update(token).digest('hex')
  return { AWS_ACCESS_KEY_ID: verified.id, AWS_SECRET_ACCESS_KEY: secret }
}

function printSummary({ files, bytes, rows, missing, damaged }: Moved): void {
  if (Object.keys(rows).length === 0) {
    console.log('All was moved and compared before')
    return
  }
  for (const key of missing) console.error(`missing in the source: ${key}`)
  for (const key of damaged) console.error(`not what was stored, in the source: ${key}`)
  console.log(`Moved now: ${files} files, ${bytes} bytes`)
  console.log('Compared on both sides: the MD5 of each file, and these records')
  for (const [table, count] of Object.entries(rows)) if (count > 0) console.log(`  ${table.padEnd(22)} ${count}`)
}
