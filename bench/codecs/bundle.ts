// Bundles TypeScript modules for Node.js. As in a Worker, `import module from 'x.wasm'` is a WebAssembly.Module.

import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Plugin } from 'esbuild'
import { build } from 'esbuild'
import { GENERATED } from '../../tools/shared/when-changed.ts'

const wasm: Plugin = {
  name: 'wasm',
  setup(setup) {
    setup.onResolve({ filter: /\.wasm$/ }, async ({ path: specifier, resolveDir, pluginData }) => {
      if (pluginData === 'resolving') return undefined
      const { path: file } = await setup.resolve(specifier, {
        resolveDir,
        kind: 'import-statement',
        pluginData: 'resolving',
      })
      return { path: file, namespace: 'wasm' }
    })
    setup.onLoad({ filter: /./, namespace: 'wasm' }, ({ path: file }) => ({
      contents: `import { readFileSync } from 'node:fs'
        export default new WebAssembly.Module(readFileSync(${JSON.stringify(file)}))`,
      resolveDir: path.dirname(file),
    }))
  },
}

/** Bundles the entry into the output file and imports it. */
async function importBundled<Module>(entry: string, outfile: string): Promise<Module> {
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'es2024',
    logLevel: 'error',
    plugins: [wasm],
  })
  return import(pathToFileURL(outfile).href)
}

/** Bundles and imports what the benchmarks use of the service (tintype.ts). */
export function importTintype() {
  const folder = path.join(GENERATED, 'bench')
  mkdirSync(folder, { recursive: true })
  const entry = path.join(import.meta.dirname, 'tintype.ts')
  return importBundled<typeof import('./tintype.ts')>(entry, path.join(folder, `tintype.${process.pid}.mjs`))
}
