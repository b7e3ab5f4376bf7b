import { mkdirSync } from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { startService, temporaryData } from '../../contract/support/service.ts'
import { installPackages } from '../../support/packages.ts'
import { writeCertificate } from './certificate.ts'
import { findPrivateNetwork, HOSTS, isInstalled } from './private-network.ts'

/** The clients that npm has, with a lock file of their own. */
const FOLDER = join(import.meta.dirname, '..')

/** The environment of the tests of published clients. */
export interface Stage {
  /** The prefix of a command that runs it in the private network of the service under test. */
  command: readonly string[]
  /** The certificate of these hosts, the clients' home, and files. */
  folder: string
  /** Whether gallery-dl is installed on this machine. */
  galleryDl: boolean
  /** Why the packages of npm are unusable. */
  packagesFailure: string | undefined
}

declare module 'vitest' {
  interface ProvidedContext {
    /** Absent if this machine allows no private network, which was printed. */
    stage: Stage | undefined
  }
}

/** Starts a service for the clients' own domain, and connects the private network to it. */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const { path: folder, remove } = await temporaryData()
  const network =
    process.env.CONFORMANCE_URL === undefined
      ? findPrivateNetwork(folder)
      : { missing: 'they need a service of their own, and CONFORMANCE_URL names another' }
  if ('missing' in network) {
    console.info(`the tests of existing clients are skipped: ${network.missing}`)
    project.provide('stage', undefined)
    project.provide('missing', network.missing)
    await remove()
    return undefined
  }

  const galleryDl = isInstalled('gallery-dl')
  if (!galleryDl) console.info('the tests of gallery-dl are skipped: `apt install gallery-dl` brings it on Debian')
  writeCertificate(folder, HOSTS)
  mkdirSync(join(folder, 'home'))
  const service = await startService({ byCommand: true, domains: ['pixhost.to', 'localhost'] })
  const doorway = await openDoorway(join(folder, 'service.sock'), service.port)
  project.provide('baseUrl', service.baseUrl)
  project.provide('stage', { command: network.command, folder, galleryDl, packagesFailure: installPackages(FOLDER) })
  return async () => {
    doorway.close()
    await service.stop()
    await remove()
  }
}

/**
 * Connects a Unix socket to the service, because a private network cannot reach a port of the machine, but shares its
 * files.
 */
function openDoorway(socket: string, port: number): Promise<Server> {
  const server = createServer((client) => {
    const service = connect(port, '127.0.0.1')
    client.pipe(service).pipe(client)
    client.on('error', () => service.destroy())
    service.on('error', () => client.destroy())
  })
  return new Promise((resolve, reject) => {
    server.once('error', reject).listen(socket, () => resolve(server))
  })
}
