import { readFileSync } from 'node:fs'
import path from 'node:path'
import { STATIC } from '../../tools/build/static.ts'

/** Returns the text of a static asset of the Worker, by its path. */
export function readStaticText(asset: string): string {
  return readFileSync(path.join(STATIC, asset), 'utf8')
}
