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

const SETUP_FILES = ['./test/support/byte-equality.ts']

const INLINE_WASM = { deps: { inline: [/\.wasm$/] } }

/** The codec's comparisons with the tools of other libraries, which not every machine has: run where they are asked for. */
const codecTools = {
  plugins: [wasmModules],
  test: {
    name: 'codec-tools',
    include: ['test/codec/**/*.tools.test.ts'],
    setupFiles: SETUP_FILES,
    globalSetup: ['./test/codec/global-setup.mjs', './test/codec/tools-setup.mjs'],
    testTimeout: 120_000,
    server: INLINE_WASM,
  },
}

/**
 * Six suites: `unit` mirrors src/ and runs inside workerd; `codec` takes the parts of src/codec/ one by one; `contract` speaks
 * HTTP only, to the service as `npm start` runs it; `clients` runs published programs against it, unchanged;
 * `cli` runs our own command line; `browser` looks at the pages in a Chromium.
 */
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
          testTimeout: 60_000,
          setupFiles: [...SETUP_FILES, './test/apply-migrations.ts'],
        },
      },
      {
        plugins: [wasmModules],
        test: {
          name: 'unit-node',
          include: ['test/*.test.ts', 'test/**/*.node.test.ts'],
          setupFiles: SETUP_FILES,
          testTimeout: 60_000,
          server: INLINE_WASM,
        },
      },
      {
        plugins: [wasmModules],
        test: {
          name: 'codec',
          isolate: false,
          include: ['test/codec/**/*.test.ts'],
          setupFiles: SETUP_FILES,
          exclude: ['**/*.tools.test.ts'],
          globalSetup: ['./test/codec/global-setup.mjs'],
          testTimeout: 60_000,
          server: INLINE_WASM,
        },
      },
      ...(process.env.CODEC_TOOLS ? [codecTools] : []),
      {
        test: {
          name: 'contract',
          include: ['test/contract/**/*.test.ts'],
          setupFiles: SETUP_FILES,
          globalSetup: ['./test/contract/support/global-setup.ts'],
          testTimeout: 60_000,
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: 'clients',
          include: ['test/clients/*.test.ts'],
          setupFiles: SETUP_FILES,
          globalSetup: ['./test/clients/support/global-setup.ts'],
          testTimeout: 60_000,
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: 'cli',
          include: ['test/cli/*.test.ts'],
          setupFiles: SETUP_FILES,
          globalSetup: ['./test/contract/support/global-setup.ts', './test/cli/support/global-setup.ts'],
          testTimeout: 60_000,
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: 'browser',
          include: ['test/browser/**/*.test.ts'],
          setupFiles: SETUP_FILES,
          globalSetup: ['./test/browser/support/global-setup.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          maxWorkers: 2,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
})
