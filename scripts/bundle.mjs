// esbuild, with the files that it has read.
import path from 'node:path'
import { ROOT } from './installed.mjs'

/**
 * Bundles to one file in memory. Gives its contents and `read`, the absolute paths of all that went into it.
 * @param {import('esbuild').BuildOptions} options
 */
export async function bundle(options) {
  const { build } = await import('esbuild')
  const { outputFiles, metafile } = await build({
    ...options,
    absWorkingDir: ROOT,
    bundle: true,
    write: false,
    format: 'esm',
    metafile: true,
  })
  const [output] = outputFiles
  if (output === undefined) throw new Error('esbuild gave no file')
  const read = Object.keys(metafile.inputs).filter((input) => input !== '<stdin>')
  return { contents: output.contents, text: output.text, read: read.map((file) => path.join(ROOT, file)) }
}
