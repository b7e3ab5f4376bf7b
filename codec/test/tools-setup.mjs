import { spawnSync } from 'node:child_process'
import { fail } from '../../tools/install/installed.mjs'

const TOOLS = {
  aomdec: '--help',
  aomenc: '--help',
  cjpeg: '-version',
  cwebp: '-version',
  dav1d: '--version',
  dwebp: '-version',
}

/** Ends the run with a sentence if a tool that the *.tools.test.ts compare with is not there. */
export default function setup() {
  const missing = Object.entries(TOOLS)
    .filter(([tool, option]) => spawnSync(tool, [option], { stdio: 'ignore' }).error)
    .map(([tool]) => tool)
  if (missing.length === 0) return
  fail(
    `npm run tintype -- test:tools needs ${missing.join(', ')}: apt-get install webp libjpeg-turbo-progs libvips-tools aom-tools dav1d`,
  )
}
