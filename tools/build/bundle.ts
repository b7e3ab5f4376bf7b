// esbuild, with the files that it has read.

import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { BuildOptions } from 'esbuild'
import { ROOT } from '../install/installed.mjs'
import { GENERATED } from '../shared/when-changed.ts'

/**
 * Bundles to one file in memory. Returns its contents, the `parts` that it imports later where `splitting` is on, and `read`, the
 * absolute paths of all that went into it.
 */
export async function bundle(options: BuildOptions) {
  const { build } = await import('esbuild')
  const { outputFiles, metafile } = await build({
    ...options,
    absWorkingDir: ROOT,
    bundle: true,
    write: false,
    format: 'esm',
    metafile: true,
  })
  // The file of the entry point has a name of its own, not a hash.
  const isPart = (file: string) => /\.[A-Z0-9]{8}\.js$/.test(file)
  const output = outputFiles.find(({ path: file }) => !isPart(file))
  if (output === undefined) throw new Error('esbuild gave no file')
  const named = outputFiles
    .filter(({ path: file }) => isPart(file))
    .map(({ path: file, text }) => ({ name: path.basename(file), text: text.trim() }))
  // A part of constants alone is empty: they were put where they are used.
  const isNeeded = ({ text }: { text: string }) => text !== ''
  const withoutEmpty = (text: string) =>
    named
      .filter((part) => !isNeeded(part))
      .reduce((left, { name }) => left.replace(new RegExp(`import ?"\\./${name.replaceAll('.', '\\.')}";`), ''), text)
  const parts = named.filter(isNeeded).map(({ name, text }) => ({ name, text: withoutEmpty(text) }))
  const read = Object.keys(metafile.inputs).filter((input) => input !== '<stdin>')
  return {
    contents: output.contents,
    text: withoutEmpty(output.text),
    parts,
    read: read.map((file) => path.join(ROOT, file)),
  }
}

let imported = 0

/**
 * Bundles sources for Node.js and imports the bundle. It is a file, not a `data:` URL, which Node.js would print whole with an
 * error; by its source map the stack of an error names lines of the sources.
 */
export async function importBundle(options: BuildOptions): Promise<{ module: unknown; read: string[] }> {
  const file = path.join(GENERATED, `bundle.${process.pid}-${++imported}.mjs`)
  const { contents, read } = await bundle({ ...options, platform: 'node', outfile: file, sourcemap: 'inline' })
  process.setSourceMapsEnabled(true)
  mkdirSync(GENERATED, { recursive: true })
  writeFileSync(file, contents)
  try {
    return { module: await import(pathToFileURL(file).href), read }
  } finally {
    rmSync(file)
  }
}
