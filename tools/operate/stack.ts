// `npm run tintype -- stack`: maps the positions in stack traces of the minified Worker to the sources.

import { readFileSync } from 'node:fs'
import type { SourceMapPayload } from 'node:module'
import { SourceMap } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { WORKER } from '../build/build.ts'
import { ensureInstalled, ROOT } from '../install/installed.mjs'
import { readCommandLine } from '../shared/command-line.ts'
import { isObject } from '../shared/json.ts'
import { runScript } from '../shared/processes.ts'

/** A place in the built Worker, wherever it was built or deployed. */
const POSITION = /(?:file:\/\/[^\s()]*\/)?\bindex\.js:(\d+):(\d+)/g

/**
 * Returns the text with each position in `index.js` replaced by that in the sources, such as `src/app.ts:12:3`. `map` is the source
 * map of index.js; its paths are relative to `folder`.
 */
export function inSources(text: string, map: SourceMapPayload, folder: string) {
  const sourceMap = new SourceMap(map)
  return text.replace(POSITION, (position, line, column) => {
    // Numbers of stacks begin with 1, those of the map with 0.
    const entry = sourceMap.findEntry(Number(line) - 1, Number(column) - 1)
    if (!('originalSource' in entry)) return position
    const file = path.relative(ROOT, path.resolve(folder, entry.originalSource))
    return `${file}:${entry.originalLine + 1}:${entry.originalColumn + 1}`
  })
}

function isSourceMap(value: unknown): value is SourceMapPayload {
  return isObject(value) && 'mappings' in value && 'sources' in value
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  readCommandLine({
    usage: `Usage: npm run tintype -- stack < LOG
Prints a log of this version of Tintype, from standard input, with the places of its stacks in the sources.`,
    options: {},
  })
  ensureInstalled('service')
  runScript('build/build.ts')
  const map: unknown = JSON.parse(readFileSync(path.join(WORKER, 'index.js.map'), 'utf8'))
  if (!isSourceMap(map)) throw new Error('the build has written no source map')
  process.stdout.write(inSources(readFileSync(0, 'utf8'), map, WORKER))
}
