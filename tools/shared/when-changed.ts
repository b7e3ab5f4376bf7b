// Regenerates files when their sources have changed, and not before. generated/made-of/ records the sources.

import { createHash } from 'node:crypto'
import type { WriteFileOptions } from 'node:fs'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { takeBuildLock } from '../install/build-lock.mjs'
import { ROOT } from '../install/installed.mjs'
import { syncFile, syncFolder, writeDurably } from './durable-files.ts'
import { parseObject, textsIn } from './json.ts'

/** Where all goes that is made and not committed. Modules of the Worker import it as `#generated/...`: package.json says so. */
export const GENERATED = path.join(ROOT, 'generated')

/**
 * Calls `make` unless all `outputs` are there, made of the same. What counts are `sources` (files, and folders with all in them)
 * and whatever else `make` says it has read. Paths are absolute. `what` names it in the line that says that it is made.
 */
export async function makeWhenChanged({
  what,
  outputs,
  sources,
  make,
}: {
  what: string
  outputs: [string, ...string[]]
  sources: string[]
  make: () => Promise<string[]> | string[]
}) {
  const record = path.join(GENERATED, 'made-of', `${path.basename(outputs[0])}.json`)
  const isMade = () => outputs.every((file) => existsSync(file)) && isCurrent(record, sources)
  if (isMade()) return
  const release = takeBuildLock()
  try {
    if (isMade()) return
    console.log(`Building ${what} ...`)
    await makeNow(record, { outputs, sources, make })
  } finally {
    release()
  }
}

async function makeNow(
  record: string,
  { outputs, sources, make }: Omit<Parameters<typeof makeWhenChanged>[0], 'what'>,
) {
  // An interrupted run leaves no record.
  rmSync(record, { force: true })
  for (const file of [...outputs, record]) mkdirSync(path.dirname(file), { recursive: true })
  // Digested first: what changes meanwhile is made again.
  const digest = digestOf(sources)
  const read = await make()
  // On the disk before the record: after a power cut they would be there by name, and empty.
  for (const file of outputs.filter((output) => statSync(output).isFile())) syncFile(file)
  for (const folder of new Set(outputs.map((file) => path.dirname(file)))) syncFolder(folder)
  writeDurably(record, JSON.stringify({ digest, read: read.map(relative), digestOfRead: digestOf(read) }))
}

/** Writes a file so that nobody who reads it meanwhile sees half of it. */
export function writeWhole(file: string, content: string | Uint8Array, options?: WriteFileOptions) {
  const fresh = `${file}.${process.pid}`
  writeFileSync(fresh, content, options)
  renameSync(fresh, file)
}

function isCurrent(record: string, sources: string[]) {
  if (!existsSync(record)) return false
  const text = readFileSync(record, 'utf8')
  // As a power cut left it where an older version had not synced it.
  if (!text.endsWith('}')) return false
  const { digest, read, digestOfRead } = parseObject(text)
  return digest === digestOf(sources) && digestOfRead === digestOf(textsIn(read).map((file) => path.join(ROOT, file)))
}

/** One digest of all the files in these files and folders. One that is gone counts as such. */
function digestOf(sources: string[]) {
  const hash = createHash('sha256')
  for (const file of sources.flatMap(filesUnder)) {
    hash.update(`${relative(file)}\0`).update(existsSync(file) ? readFileSync(file) : 'gone')
  }
  return hash.digest('hex')
}

function filesUnder(source: string): string[] {
  if (!statSync(source, { throwIfNoEntry: false })?.isDirectory()) return [source]
  return readdirSync(source, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort()
}

function relative(file: string) {
  return path.relative(ROOT, file)
}
