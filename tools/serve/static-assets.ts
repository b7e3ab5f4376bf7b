// The static assets of `npm start`. On Cloudflare the platform serves them to the Worker.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { V4ModuleDefinition } from 'miniflare'

/**
 * Returns the modules of a Worker that serves the files of a folder by their paths. It has them in memory: a build that replaces the
 * folder changes nothing for a service that runs.
 */
export function staticAssetsModules(folder: string): V4ModuleDefinition[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .map((file) => ({ name: path.relative(folder, file).replaceAll(path.sep, '/'), contents: readFileSync(file) }))
  const script = `
    ${files.map(({ name }, at) => `import file${at} from './${name}'`).join('\n')}
    const FILES = new Map([${files.map(({ name }, at) => `['/${name}', file${at}]`).join(', ')}])
    export default {
      fetch({ url }) {
        const file = FILES.get(new URL(url).pathname)
        return new Response(file, { status: file ? 200 : 404 })
      },
    }`
  return [
    { type: 'ESModule', path: 'index.js', contents: script },
    ...files.map(({ name, contents }) => ({ type: 'Data' as const, path: name, contents })),
  ]
}
