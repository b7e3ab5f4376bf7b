import { execFile } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const BUNDLE = join(import.meta.dirname, '../../../tools/build/bundle.ts')

test('an error in bundled code is reported with its line, and the bundle is not printed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tintype-bundle-'))
  writeFileSync(join(folder, 'large.ts'), `export const large: string = '${'x'.repeat(1_000_000)}'`)
  const mistake = "import { large } from './large.ts'\nthrow new Error('of ' + large.length)\n"
  writeFileSync(join(folder, 'mistake.ts'), mistake)
  const entry = join(folder, 'mistake.ts')
  const script = `const { importBundle } = await import(${JSON.stringify(BUNDLE)})
    await importBundle({ entryPoints: [${JSON.stringify(entry)}] })`
  const run = promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script])
  const { stderr } = Object(await run.catch((error: unknown) => error))
  expect(stderr).toContain('Error: of 1000000')
  expect(stderr).toContain(`${entry}:2`)
  expect(stderr.length).toBeLessThan(5000)
})
