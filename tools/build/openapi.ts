// Makes the OpenAPI document and the reference from the tables of src/api, as static assets of the Worker in
// generated/static/contract/. generated/contract.ts has what pages need of them. Zod and what else makes them stay out of the Worker.
import { createHash } from 'node:crypto'
import path from 'node:path'
import { ROOT } from '../install/installed.mjs'
import { isObject } from '../shared/json.ts'
import { GENERATED, makeWhenChanged, writeWhole } from '../shared/when-changed.ts'
import { importBundle } from './bundle.ts'
import { STATIC } from './static.ts'

const API = path.join(ROOT, 'src', 'api')
const MODULE = path.join(GENERATED, 'contract.ts')

const FOLDER = path.join(STATIC, 'contract')

/** The document as tools read it. */
export const OPENAPI_DOCUMENT = path.join(FOLDER, 'openapi.json')
const YAML = path.join(FOLDER, 'openapi.yaml')
const REFERENCE = path.join(FOLDER, 'reference.html')

const ENTRY = `
  import examples from './examples.json'
  import { openApiDocument } from './document.ts'
  import { OPERATIONS } from './operations.ts'
  import { referenceMarkup } from './reference.tsx'
  import { yamlOf } from './yaml.ts'
  const sources = { examples }
  export const document = openApiDocument(sources)
  export const yaml = yamlOf(document)
  export const reference = referenceMarkup(sources)
  export const operations = OPERATIONS.map(({ id, method, summary, tag }) => ({ id, method, summary, tag }))
  const bodyOf = (operation, title) =>
    JSON.stringify(examples.find((one) => one.operation === operation && one.title === title).body, null, 2)
  export const responses = {
    upload: bodyOf('uploadImage', 'With a management link'),
    gallery: bodyOf('createGallery', 'A gallery'),
    rename: bodyOf('renameManagedGallery', 'Renamed'),
    status: bodyOf('checkImageStatus', 'Each status'),
    delete: bodyOf('deleteManagedResource', 'A picture'),
  }
`

/** Makes module and documents unless the last ones were made of the same. Returns the module's file. */
export async function ensureContract() {
  await makeWhenChanged({
    what: "the API's description",
    outputs: [MODULE, OPENAPI_DOCUMENT, YAML, REFERENCE],
    sources: [path.join(ROOT, 'tools', 'build', 'openapi.ts'), path.join(ROOT, 'package-lock.json')],
    make: makeContract,
  })
  return MODULE
}

async function makeContract() {
  const { module, read } = await importBundle({
    stdin: { contents: ENTRY, resolveDir: API, loader: 'ts' },
    jsx: 'automatic',
    jsxImportSource: 'hono/jsx',
  })
  if (!isObject(module)) throw new Error('no document is exported')
  const { document, yaml, reference, operations, responses } = module
  if (typeof yaml !== 'string' || typeof reference !== 'string') throw new Error('no YAML or no reference is exported')
  const text = JSON.stringify(document)
  const hash = createHash('sha256').update(text).digest('base64url').slice(0, 16)
  const contents = {
    OPENAPI_HASH: hash,
    REFERENCE_OPERATIONS: operations,
    QUICK_START_RESPONSES: responses,
  }
  const lines = Object.entries(contents).map(([name, value]) => `export const ${name} = ${JSON.stringify(value)}\n`)
  writeWhole(MODULE, `// Made by tools/build/openapi.ts.\n${lines.join('')}`)
  writeWhole(OPENAPI_DOCUMENT, text)
  writeWhole(YAML, yaml)
  writeWhole(REFERENCE, reference)
  return read
}
