// esbuild, with the files that it has read.
import path from 'node:path'
import { ROOT } from './installed.mjs'

/** Bundles to one file in memory. Gives its contents and `read`, the absolute paths of all that went into it. */
export async function bundle(options) {
  const { build } = await import('esbuild')
  const { outputFiles, metafile } = await build({
    absWorkingDir: ROOT,
    bundle: true,
    write: false,
    format: 'esm',
    metafile: true,
    ...options,
  })
  const read = Object.keys(metafile.inputs).filter((input) => input !== '<stdin>')
  return {
    contents: outputFiles[0].contents,
    text: outputFiles[0].text,
    read: read.map((file) => path.join(ROOT, file)),
  }
}
