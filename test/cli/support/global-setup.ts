import { execFileSync } from 'node:child_process'
import { join } from 'node:path'

const SCRIPT = join(import.meta.dirname, '../../../tools/build/cli.ts')

/** Bundles the command line, which the tests run as its user does. */
export default function setup(): void {
  execFileSync(process.execPath, [SCRIPT], { stdio: 'inherit' })
}
