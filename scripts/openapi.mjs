// Makes src/api/build/contract.ts, if what it is made of has changed: the OpenAPI document and the reference, both from the
// tables of src/api. Zod and what else makes them thus stay out of the Worker.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { digestOf } from './digest.mjs'
import { ROOT } from './installed.mjs'

const API = path.join(ROOT, 'src', 'api')
const BUILD = path.join(API, 'build')
const MODULE = path.join(BUILD, 'contract.ts')
const DOCUMENT = path.join(BUILD, 'openapi.json')
const DIGEST = path.join(BUILD, 'digest')
const SOURCES = [
  API,
  path.join(ROOT, 'src', 'http', 'failures.ts'),
  path.join(ROOT, 'src', 'image', 'format.ts'),
  path.join(ROOT, 'src', 'limits.ts'),
  path.join(ROOT, 'scripts', 'openapi.mjs'),
]
const ENTRY = `
  import examples from './examples.json'
  import { ERROR_STATUS } from '../http/failures.ts'
  import { openApiDocument } from './document.ts'
  import { referenceMarkup } from './reference.tsx'
  const sources = { statuses: ERROR_STATUS, examples }
  export const document = openApiDocument(sources)
  export const reference = referenceMarkup(sources)
`

/** Makes the module unless the last one was made of the same. Gives the file that holds the document as tools read it. */
export async function ensureContract() {
  const digest = digestOf(SOURCES, (file) => !file.startsWith(BUILD))
  if (existsSync(MODULE) && existsSync(DIGEST) && readFileSync(DIGEST, 'utf8') === digest) return DOCUMENT
  const { document, reference } = await evaluate()
  const text = JSON.stringify(document)
  const hash = createHash('sha256').update(text).digest('base64url').slice(0, 16)
  const contents = { OPENAPI_JSON: text, OPENAPI_HASH: hash, REFERENCE_MARKUP: reference }
  const lines = Object.entries(contents).map(([name, value]) => `export const ${name} = ${JSON.stringify(value)}\n`)
  mkdirSync(BUILD, { recursive: true })
  writeFileSync(MODULE, `// Made by scripts/openapi.mjs.\n${lines.join('')}`)
  writeFileSync(DOCUMENT, text)
  writeFileSync(DIGEST, digest)
  return DOCUMENT
}

async function evaluate() {
  const { build } = await import('esbuild')
  const { outputFiles } = await build({
    stdin: { contents: ENTRY, resolveDir: API, loader: 'ts' },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    jsx: 'automatic',
    jsxImportSource: 'hono/jsx',
  })
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].text).toString('base64')}`)
}
