import { spawn } from 'node:child_process'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inject } from 'vitest'
import { noteTokens } from '../../contract/support/issued-tokens.ts'
import type { Stage } from './global-setup.ts'
import type { Outcome } from './outcome.ts'

const CLIENTS = join(import.meta.dirname, '..')
const TLS_PROGRAM = join(import.meta.dirname, 'behind-tls.mjs')

/** The exit code and output of a program. */
export interface Ended {
  code: number | null
  stdout: string
  stderr: string
}

/** Returns whether published clients can run here. The reason was printed before the tests. */
export function mayRunClients(): boolean {
  return inject('stage') !== undefined
}

/** Returns whether gallery-dl can run here. */
export function mayRunGalleryDl(): boolean {
  return inject('stage')?.galleryDl ?? false
}

/** Creates a folder whose files the clients can read and write. */
export function clientFolder(): Promise<string> {
  return mkdtemp(join(stage().folder, 'files-'))
}

/** Writes an image to a file for a client. */
export async function clientFile(name: string, bytes: Uint8Array): Promise<string> {
  const path = join(await clientFolder(), name)
  await writeFile(path, bytes)
  return path
}

/** Runs a program to its end in the private network. */
export function runClient(command: string, parameters: readonly string[]): Promise<Ended> {
  const { command: privateNetwork, folder } = stage()
  const [enter = '', ...inside] = [...privateNetwork, process.execPath, TLS_PROGRAM, folder, command, ...parameters]
  const certificate = join(folder, 'cert.pem')
  // Nothing of the user's own: no proxy, no settings of gallery-dl in the home folder.
  const env = {
    PATH: process.env.PATH,
    HOME: join(folder, 'home'),
    LANG: 'C.UTF-8',
    NODE_EXTRA_CA_CERTS: certificate,
    REQUESTS_CA_BUNDLE: certificate,
    SSL_CERT_FILE: certificate,
  }
  const child = spawn(enter, inside, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const [stdout, stderr]: [Buffer[], Buffer[]] = [[], []]
  child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => {
      noteTokens(Buffer.concat(stdout).toString())
      resolve({ code, stdout: Buffer.concat(stdout).toString(), stderr: Buffer.concat(stderr).toString() })
    })
  })
}

/** Calls one method of a published package, by the program of its name in programs/. */
export async function callPackage(
  name: 'pixhost' | 'node-upload-images',
  method: string,
  parameter: string,
): Promise<Outcome> {
  const { packagesFailure } = stage()
  if (packagesFailure !== undefined) throw new Error(packagesFailure)
  const { code, stdout, stderr } = await runClient(process.execPath, [
    join(CLIENTS, 'programs', `${name}.mjs`),
    method,
    parameter,
  ])
  if (code !== 0) throw new Error(`${name} ended with code ${code}: ${stderr}`)
  return JSON.parse(stdout)
}

function stage(): Stage {
  const given = inject('stage')
  if (given === undefined) throw new Error('the clients cannot run here')
  return given
}
