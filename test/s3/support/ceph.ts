import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createWriteStream, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { AwsV4Signer } from 'aws4fetch'
import { freePort } from '../../contract/support/service.ts'
import { BUCKET, OWNER } from './accounts.ts'

const PROGRAMS = ['ceph', 'ceph-authtool', 'ceph-mon', 'ceph-osd', 'monmaptool', 'radosgw', 'radosgw-admin']

/** Returns what to install if Ceph is missing; otherwise undefined. */
export function missingCeph(): string | undefined {
  const isMissing = PROGRAMS.some((program) => spawnSync(program, ['--version'], { stdio: 'ignore' }).error)
  return isMissing ? 'apt-get install ceph-common ceph-mon ceph-osd radosgw' : undefined
}

/** A Ceph of one node with its S3 API and its data in memory. It has conditional puts, and a bucket of the owner. */
export interface Ceph {
  endpoint: string
  [Symbol.asyncDispose]: () => Promise<void>
}

export async function startCeph(): Promise<Ceph> {
  const folder = mkdtempSync(path.join(tmpdir(), 'ceph-'))
  const [monitorPort, port] = [await freePort(), await freePort()]
  const endpoint = `http://127.0.0.1:${port}`
  const inFolder = (...names: string[]) => path.join(folder, ...names)
  const [cluster, disk] = [randomUUID(), randomUUID()]
  writeFileSync(
    inFolder('ceph.conf'),
    `[global]
fsid = ${cluster}
mon host = v2:127.0.0.1:${monitorPort}
keyring = ${inFolder('keyring')}
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 1
osd pool default pg autoscale mode = off
osd objectstore = memstore
osd crush chooseleaf type = 0
mon allow pool size one = true
mon max pg per osd = 1000
mon data = ${inFolder('mon')}
osd data = ${inFolder('osd')}
run dir = ${folder}
log file = ${inFolder('$name.log')}
admin socket = ${inFolder('$name.$pid.asok')}
rgw data = ${folder}
rgw frontends = beast endpoint=127.0.0.1:${port}
`,
  )
  const run = async (program: string, args: string[]) => {
    await promisify(execFile)(program, ['-c', inFolder('ceph.conf'), ...args])
  }
  const running: ChildProcess[] = []
  const serve = (program: string, args: string[]) => {
    const output = createWriteStream(inFolder('output'), { flags: 'a' })
    const child = spawn(program, ['-c', inFolder('ceph.conf'), '-f', ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
    child.stdout.pipe(output, { end: false })
    child.stderr.pipe(output, { end: false })
    running.push(child)
  }
  const dispose = async () => {
    for (const child of running.toReversed()) {
      if (child.exitCode !== null || child.signalCode !== null) continue
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    }
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }

  try {
    const all = (...parts: string[]) => parts.flatMap((part) => ['--cap', part, 'allow *'])
    const authority = async (...args: string[]) => {
      await promisify(execFile)('ceph-authtool', [inFolder('keyring'), '--gen-key', ...args])
    }
    await authority('--create-keyring', '-n', 'mon.', ...all('mon'))
    await authority('-n', 'client.admin', ...all('mon', 'osd', 'mgr', 'mds'))
    await authority('-n', 'osd.0', '--cap', 'mon', 'allow profile osd', ...all('osd'))
    const monitors = ['--create', '--fsid', cluster, '--enable-all-features']
    const address = ['--addv', 'a', `[v2:127.0.0.1:${monitorPort}]`]
    await promisify(execFile)('monmaptool', [...monitors, ...address, inFolder('monitors')])
    for (const name of ['mon', 'osd']) mkdirSync(inFolder(name))
    await run('ceph-mon', ['--mkfs', '-i', 'a', '--monmap', inFolder('monitors'), '--keyring', inFolder('keyring')])
    serve('ceph-mon', ['-i', 'a'])
    await run('ceph', ['osd', 'new', disk])
    await run('ceph-osd', ['-i', '0', '--mkfs', '--osd-uuid', disk])
    serve('ceph-osd', ['-i', '0'])
    serve('radosgw', ['-n', 'client.admin'])
    const { accessKeyId, secretAccessKey } = OWNER
    const account = [
      '--uid=owner',
      '--display-name=owner',
      '--access-key',
      accessKeyId,
      '--secret-key',
      secretAccessKey,
    ]
    await run('radosgw-admin', ['user', 'create', ...account])
    for (let status = 0; status !== 200; await wait(100)) {
      if (running.some(({ exitCode }) => exitCode !== null)) {
        throw new Error(`Ceph did not start:\n${readFileSync(inFolder('output'), 'utf8')}`)
      }
      status = await makeBucket(`${endpoint}/${BUCKET}`).catch(() => 0)
    }
    return { endpoint, [Symbol.asyncDispose]: dispose }
  } catch (error) {
    await dispose()
    throw error
  }
}

async function makeBucket(url: string): Promise<number> {
  const { headers } = await new AwsV4Signer({ method: 'PUT', url, ...OWNER, service: 's3', region: 'us-east-1' }).sign()
  const response = await fetch(url, { method: 'PUT', headers })
  await response.text()
  return response.status
}
