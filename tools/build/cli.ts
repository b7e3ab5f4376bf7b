// Bundles the command line of cli/ into one file, cli/dist/tintype-cli.mjs, if what it is made of has changed. Run by itself
// (`npm pack` does, in cli/) it installs what is missing first.
import path from 'node:path'
import { ensureInstalled, ROOT } from '../install/installed.mjs'
import { makeWhenChanged, writeWhole } from '../shared/when-changed.ts'
import { bundle } from './bundle.ts'

const CLI = path.join(ROOT, 'cli')

/** The bundled file. */
export const CLI_BUNDLE = path.join(CLI, 'dist', 'tintype-cli.mjs')

async function makeCli() {
  const { contents, read } = await bundle({
    entryPoints: [path.join(CLI, 'src', 'tintype-cli.ts')],
    platform: 'node',
    target: 'node20',
    banner: { js: '#!/usr/bin/env node' },
  })
  writeWhole(CLI_BUNDLE, contents, { mode: 0o755 })
  return read
}

if (process.argv[1] && path.basename(process.argv[1]) === 'cli.ts') {
  ensureInstalled('service')
  const sources = [path.join(ROOT, 'tools', 'build', 'cli.ts'), path.join(ROOT, 'package-lock.json')]
  await makeWhenChanged({ what: 'the command line', outputs: [CLI_BUNDLE], sources, make: makeCli })
}
