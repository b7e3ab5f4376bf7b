import path from 'node:path'
import { build } from 'esbuild'
import { expect, test } from 'vitest'
import { inSources } from '../../../tools/operate/stack.ts'

const ROOT = path.resolve(import.meta.dirname, '../../..')

/** Lines and columns count from 1; `boom` is on the third line. */
const SOURCE = `export function first() { return second() }

function second() { boom() }
first()
`

test('the positions of a minified stack are mapped to the sources, and everything else is unchanged', async () => {
  const { outputFiles } = await build({
    stdin: { contents: SOURCE, resolveDir: path.join(ROOT, 'src'), sourcefile: 'made-up.ts' },
    outfile: path.join(ROOT, 'generated', 'worker', 'index.js'),
    absWorkingDir: path.join(ROOT, 'src'),
    bundle: true,
    minify: true,
    format: 'esm',
    write: false,
    sourcemap: 'external',
  })
  const textOf = (end: string) => outputFiles.find((file) => file.path.endsWith(end))?.text ?? expect.fail(end)
  const column = textOf('.js').indexOf('boom') + 1
  const log = `request 1: ReferenceError: boom is not defined
    at async cloudflare-internal:d1-api:455:19
    at n (file:///home/somebody/tintype/generated/worker/index.js:1:${column})
    at async index.js:1:${column}
    at index.html:1:2`
  const map = JSON.parse(textOf('.map'))
  expect(inSources(log, map, path.join(ROOT, 'generated', 'worker')).split('\n')).toEqual([
    'request 1: ReferenceError: boom is not defined',
    '    at async cloudflare-internal:d1-api:455:19',
    '    at n (src/made-up.ts:3:21)',
    '    at async src/made-up.ts:3:21',
    '    at index.html:1:2',
  ])
})
