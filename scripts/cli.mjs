// Bundles the command line of cli/ into one file, cli/dist/tintype-cli.mjs, if what it is made of has changed. Run by itself
// (`npm pack` does, in cli/) it installs what is missing first.
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { digestOf } from './digest.mjs'
import { ensureInstalled, ROOT } from './installed.mjs'

const CLI = path.join(ROOT, 'cli')
const BUNDLE = path.join(CLI, 'dist', 'tintype-cli.mjs')
const SOURCES = [
  path.join(CLI, 'src'),
  path.join(CLI, 'package.json'),
  path.join(ROOT, 'src', 'limits.ts'),
  path.join(ROOT, 'src', 'pages', 'codes.ts'),
  path.join(ROOT, 'src', 'image', 'format.ts'),
  path.join(ROOT, 'scripts', 'cli.mjs'),
  path.join(ROOT, 'package-lock.json'),
]

/** Gives the bundled file. Its last line is the digest of what it was made of. */
export async function ensureCli() {
  const lastLine = `// ${digestOf(SOURCES)}\n`
  if (existsSync(BUNDLE) && readFileSync(BUNDLE, 'utf8').endsWith(lastLine)) return BUNDLE
  const { build } = await import('esbuild')
  const { outputFiles } = await build({
    entryPoints: [path.join(CLI, 'src', 'tintype-cli.ts')],
    bundle: true,
    write: false,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    banner: { js: '#!/usr/bin/env node' },
    footer: { js: lastLine.trimEnd() },
  })
  // Two that build at once must not see each other's half.
  const fresh = `${BUNDLE}.${process.pid}`
  mkdirSync(path.dirname(BUNDLE), { recursive: true })
  writeFileSync(fresh, outputFiles[0].contents, { mode: 0o755 })
  renameSync(fresh, BUNDLE)
  return BUNDLE
}

if (process.argv[1] && path.basename(process.argv[1]) === 'cli.mjs') {
  ensureInstalled()
  await ensureCli()
}
