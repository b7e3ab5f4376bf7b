import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const FIXTURES = fileURLToPath(new URL('../../../test/fixtures', import.meta.url).href)

/** The images that tools/build/make-fixtures.ts makes, as `<format>/<name>`. */
export function listFixtures(kind: 'valid' | 'invalid'): string[] {
  const formats = readdirSync(join(FIXTURES, kind))
  return formats.flatMap((format) => readdirSync(join(FIXTURES, kind, format)).map((name) => `${format}/${name}`))
}

export function readFixture(kind: 'valid' | 'invalid', path: string): Uint8Array {
  return new Uint8Array(readFileSync(join(FIXTURES, kind, path)))
}
