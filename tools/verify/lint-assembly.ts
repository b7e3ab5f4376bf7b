// Format and lint of codec/assembly/. biome reads TypeScript, where a function has no decorator: it is shown copies of the files
// in which `@inline` is a comment.
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fail, ROOT } from '../install/installed.mjs'
import { parseObject } from '../shared/json.ts'
import { toolSucceeds } from '../shared/processes.ts'
import { GENERATED } from '../shared/when-changed.ts'

const SOURCE = path.join(ROOT, 'codec', 'assembly')
const COPY = path.join(GENERATED, 'lint-assembly')

/** Functions with more take a record in memory, or are two. */
const MAX_PARAMETERS = 7

/** Of biome's rules those that AssemblyScript shares with TypeScript. */
const RULES = {
  preset: 'none',
  complexity: { useMaxParams: { level: 'error', options: { max: MAX_PARAMETERS } } },
  correctness: { noUnusedImports: 'error', noUnreachable: 'error' },
  style: { useConst: 'error' },
  suspicious: { noDuplicateElseIf: 'error', noFallthroughSwitchClause: 'error' },
}

/** Fixes what it can if `writes`; otherwise ends the process if something is wrong. */
export function lintAssembly(writes: boolean) {
  rmSync(COPY, { recursive: true, force: true })
  mkdirSync(COPY, { recursive: true })
  cpSync(SOURCE, path.join(COPY, 'assembly'), { recursive: true })
  const { formatter, javascript } = parseObject(text(path.join(ROOT, 'biome.json')))
  const own = {
    formatter,
    javascript,
    linter: { rules: RULES },
    assist: { enabled: true },
  }
  writeFileSync(path.join(COPY, 'biome.json'), JSON.stringify({ root: true, ...own }))
  const files = readdirSync(COPY, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))
  for (const file of files) rewrite(path.join(COPY, file), /^@inline$/gm, '//@inline')
  const isClean = toolSucceeds('biome', ['check', '--write', '--vcs-enabled=false', 'assembly'], { cwd: COPY })
  for (const file of files) rewrite(path.join(COPY, file), /^\/\/@inline$/gm, '@inline')
  const changed = files.filter((file) => text(path.join(COPY, file)) !== text(path.join(ROOT, 'codec', file)))
  if (writes) for (const file of changed) writeFileSync(path.join(ROOT, 'codec', file), text(path.join(COPY, file)))
  else if (changed.length > 0) fail(`npm run format mends codec/${changed.join(', codec/')}`)
  if (!isClean) fail(`biome finds fault with codec/assembly: run it in ${path.relative(ROOT, COPY)}`)
}

function rewrite(file: string, pattern: RegExp, by: string) {
  const before = text(file)
  const after = before.replace(pattern, by)
  if (after !== before) writeFileSync(file, after)
}

function text(file: string) {
  return readFileSync(file, 'utf8')
}
