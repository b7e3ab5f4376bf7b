import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'

/** One digest of all the files in these files and folders, as far as they count. */
export function digestOf(sources, counts = () => true) {
  const hash = createHash('sha256')
  for (const file of sources.flatMap(filesUnder)) {
    if (counts(file)) hash.update(`${file}\0`).update(readFileSync(file))
  }
  return hash.digest('hex')
}

function filesUnder(source) {
  if (!statSync(source).isDirectory()) return [source]
  return readdirSync(source, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath ?? entry.path, entry.name))
    .sort()
}
