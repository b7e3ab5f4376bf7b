import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-plugin'
import { defineConfig, type Plugin } from 'vitest/config'

/** In Node.js too, `import module from 'x.wasm'` gives a WebAssembly.Module, as in a Worker. */
const wasmModules: Plugin = {
  name: 'wasm-modules',
  enforce: 'pre',
  load(id) {
    if (!id.endsWith('.wasm')) return undefined
    return `import { readFileSync } from 'node:fs'
      export default new WebAssembly.Module(readFileSync(${JSON.stringify(id)}))`
  },
}

/** Two suites: `unit` mirrors src/ and runs inside workerd; `contract` speaks HTTP only, to the service as `npm start` runs it. */
export default defineConfig({
  test: {
    projects: [
      {
        plugins: [
          cloudflareTest(async () => ({
            wrangler: { configPath: './wrangler.toml' },
            miniflare: { bindings: { TEST_MIGRATIONS: await readD1Migrations('./migrations') } },
          })),
        ],
        test: {
          name: 'unit',
          isolate: false,
          include: ['test/{domain,http,image,pages,storage}/**/*.test.{ts,tsx}'],
          exclude: ['**/*.node.test.ts'],
          setupFiles: ['./test/apply-migrations.ts'],
        },
      },
      {
        plugins: [wasmModules],
        test: {
          name: 'unit-node',
          include: ['test/*.test.ts', 'test/**/*.node.test.ts'],
          server: { deps: { inline: [/\.wasm$/] } },
        },
      },
      {
        test: {
          name: 'contract',
          include: ['test/contract/**/*.test.ts'],
          globalSetup: ['./test/contract/support/global-setup.ts'],
          testTimeout: 60_000,
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
