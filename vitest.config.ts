import { mkdtempSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-plugin'
import { defineConfig, type Plugin } from 'vitest/config'
import { diskServices } from './test/support/disk-files.ts'
import { Hanging } from './test/support/hanging.ts'
import { WaitingFirst } from './test/support/order.ts'
import { Slowest } from './test/support/slowest.ts'
import { temporaryFolder } from './test/support/temporary-folder.ts'
import { Verdict } from './test/support/verdict.ts'

// Inherited by everything started from here.
process.env.TMPDIR = temporaryFolder()
// Where the tests note the tokens that services issue, to look for them in all that these leave.
process.env.TINTYPE_ISSUED_TOKENS ??= join(mkdtempSync(join(tmpdir(), 'tintype-issued-')), 'tokens')

/**
 * In Node.js too, `import module from 'x.wasm'` gives a WebAssembly.Module, as in a Worker: one for all files of a process,
 * and for modules that are loaded anew.
 */
const wasmModules: Plugin = {
  name: 'wasm-modules',
  enforce: 'pre',
  load(id) {
    if (!id.endsWith('.wasm')) return undefined
    return `import { readFileSync } from 'node:fs'
      const file = ${JSON.stringify(id)}
      const compiled = (globalThis.compiledModules ??= new Map())
      if (!compiled.has(file)) compiled.set(file, new WebAssembly.Module(readFileSync(file)))
      export default compiled.get(file)`
  },
}

/** So long only a test waits that hangs: no test may fail because the machine is busy. */
const HANGING_MS = 600_000

/** More than there are processors, for some tests wait. */
const WORKERS = availableParallelism() + 3

/** Whether a command such as `npm run tintype -- crash` runs tests at length. */
function isAtLength(): boolean {
  const { CRASH_CYCLES, FAULTS, FUZZ_ROUNDS, HISTORIES, HOSTILE_FILES, INTERLEAVINGS, POWERCUT_CUTS } = process.env
  return [CRASH_CYCLES, FAULTS, FUZZ_ROUNDS, HISTORIES, HOSTILE_FILES, INTERLEAVINGS, POWERCUT_CUTS].some(Boolean)
}

/** What is set for the tests of `unit`: workerd hands them no variable of the environment. */
function unitSettings(): Record<string, string> {
  const { FAULTS, FUZZ_ROUNDS, HISTORIES, INTERLEAVINGS, TINTYPE_SEED } = process.env
  return JSON.parse(JSON.stringify({ FAULTS, FUZZ_ROUNDS, HISTORIES, INTERLEAVINGS, TINTYPE_SEED }))
}

/** Databases that tests bind as further shards (test/domain/store.ts). */
const SPARE_DATABASES = Object.fromEntries([1, 2, 3, 4, 5, 6, 7].map((n) => [`SPARE_${n}`, `spare-${n}`]))

const SHARED = {
  maxWorkers: WORKERS,
  setupFiles: ['./test/support/byte-equality.ts'],
  testTimeout: HANGING_MS,
  hookTimeout: HANGING_MS,
  expect: { poll: { timeout: HANGING_MS } },
}

const INLINE_WASM = { deps: { inline: [/\.wasm$/] } }

/** The codec's comparisons with the tools of other libraries, which not every machine has: run where they are asked for. */
const codecTools = {
  plugins: [wasmModules],
  test: {
    name: 'codec-tools',
    ...SHARED,
    include: ['codec/test/**/*.tools.test.ts'],
    globalSetup: ['./codec/test/global-setup.mjs', './codec/test/tools-setup.mjs'],
    server: INLINE_WASM,
  },
}

/**
 * The store of files in S3, and the service with it, against a real S3 server, which not every machine has: run where they are
 * asked for.
 */
const s3 = [
  {
    plugins: [cloudflareTest({ wrangler: { configPath: './wrangler.toml' } })],
    test: {
      name: 's3-store',
      ...SHARED,
      isolate: false,
      include: ['test/s3/store/*.test.ts'],
      globalSetup: ['./test/s3/support/global-setup.ts'],
    },
  },
  {
    test: {
      name: 's3-service',
      ...SHARED,
      isolate: false,
      include: [
        'test/s3/service/*.test.ts',
        // What touches files, as it is for every service.
        'test/contract/{covers,gallery-download,hanging-up,management,media,reconcile,thumbnails}.test.ts',
      ],
      globalSetup: ['./test/s3/support/files-of-run.ts', './test/contract/support/global-setup.ts'],
    },
  },
]

/**
 * Six suites: `unit` mirrors src/ and runs inside workerd; `codec` are the tests of the package in codec/; `contract` speaks
 * HTTP only, to the service as `npm start` runs it; `clients` runs published programs against it, unchanged;
 * `cli` runs our own command line; `browser` looks at the pages in a Chromium.
 */
export default defineConfig({
  test: {
    reporters: ['default', new Slowest(), new Hanging(HANGING_MS), new Verdict()],
    // What fails shows what it logged. At length, tests tell how far they are.
    silent: isAtLength() ? false : 'passed-only',
    sequence: { sequencer: WaitingFirst },
    projects: [
      {
        plugins: [
          cloudflareTest(async () => ({
            wrangler: { configPath: './wrangler.toml' },
            miniflare: {
              bindings: { TEST_MIGRATIONS: await readD1Migrations('./migrations'), TEST_SETTINGS: unitSettings() },
              d1Databases: SPARE_DATABASES,
              serviceBindings: await diskServices(),
            },
          })),
        ],
        test: {
          name: 'unit',
          ...SHARED,
          isolate: false,
          // What is logged goes past Vitest: a line that was under way when its worker ended made a whole run fail (quiet.ts).
          disableConsoleIntercept: true,
          include: ['test/{domain,http,image,pages,storage}/**/*.test.{ts,tsx}'],
          exclude: ['**/*.node.test.ts'],
          setupFiles: [...SHARED.setupFiles, './test/support/quiet.ts', './test/apply-migrations.ts'],
        },
      },
      {
        plugins: [wasmModules],
        test: {
          name: 'unit-node',
          ...SHARED,
          isolate: false,
          include: ['test/*.test.ts', 'test/**/*.node.test.ts'],
          exclude: process.env.DEPLOY_FAULTS ? [] : ['test/tools/deploy/deploy-faults.node.test.ts'],
          globalSetup: ['./codec/test/counted-modules.mjs'],
          server: INLINE_WASM,
        },
      },
      {
        plugins: [wasmModules],
        test: {
          name: 'codec',
          ...SHARED,
          isolate: false,
          include: ['codec/test/**/*.test.ts'],
          exclude: ['**/*.tools.test.ts'],
          globalSetup: ['./codec/test/counted-modules.mjs'],
          server: INLINE_WASM,
        },
      },
      ...(process.env.CODEC_TOOLS ? [codecTools] : []),
      ...(process.env.S3_SERVER ? s3 : []),
      {
        test: {
          name: 'contract',
          ...SHARED,
          isolate: false,
          include: ['test/contract/**/*.test.ts'],
          globalSetup: ['./test/contract/support/global-setup.ts'],
        },
      },
      {
        test: {
          name: 'clients',
          ...SHARED,
          isolate: false,
          include: ['test/clients/*.test.ts'],
          globalSetup: ['./test/clients/support/global-setup.ts'],
        },
      },
      {
        test: {
          name: 'cli',
          ...SHARED,
          isolate: false,
          include: ['test/cli/*.test.ts'],
          globalSetup: ['./test/contract/support/global-setup.ts', './test/cli/support/global-setup.ts'],
        },
      },
      {
        test: {
          name: 'browser',
          ...SHARED,
          isolate: false,
          include: ['test/browser/**/*.test.ts'],
          globalSetup: ['./test/browser/support/global-setup.ts'],
        },
      },
    ],
  },
})
