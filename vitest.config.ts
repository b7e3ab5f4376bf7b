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

// Every process that is started from here inherits it.
process.env.TMPDIR = temporaryFolder()
// Tests record the tokens that services issue in this file, to search all output for them.
process.env.TINTYPE_ISSUED_TOKENS ??= join(mkdtempSync(join(tmpdir(), 'tintype-issued-')), 'tokens')

/**
 * Makes `import module from 'x.wasm'` return a WebAssembly.Module in Node.js too, as in a Worker. All files of a
 * process share one, also modules that are loaded again.
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

/** Ends tests that hang. It is long, so that no test fails because the machine is busy. */
const HANGING_MS = 600_000

/** More workers than processors, because some tests wait. */
const WORKERS = availableParallelism() + 3

/** Returns whether a command such as `npm run tintype -- crash` runs long tests. */
function isAtLength(): boolean {
  const { CRASH_CYCLES, FAULTS, FUZZ_ROUNDS, HISTORIES, HOSTILE_FILES, INTERLEAVINGS, POWERCUT_CUTS } = process.env
  return [CRASH_CYCLES, FAULTS, FUZZ_ROUNDS, HISTORIES, HOSTILE_FILES, INTERLEAVINGS, POWERCUT_CUTS].some(Boolean)
}

/** Returns the environment variables for the tests of `unit`, because workerd passes none on. */
function unitSettings(): Record<string, string> {
  const { FAULTS, FUZZ_ROUNDS, HISTORIES, INTERLEAVINGS, THOROUGH, TINTYPE_SEED } = process.env
  return JSON.parse(JSON.stringify({ FAULTS, FUZZ_ROUNDS, HISTORIES, INTERLEAVINGS, THOROUGH, TINTYPE_SEED }))
}

/** Files that `npm test` leaves out because they take long, by suite. */
const LONG: Readonly<Record<string, string[]>> = {
  // Without them, `npm test` checks no prices, and faults only of requests on one shard.
  unit: ['test/http/faults/{cron-faults,pair-faults,shard-faults,time-limit}.test.ts', 'test/http/prices/*.test.ts'],
  'unit-node': [
    'test/{conformance,publishing}.test.ts',
    'test/http/clamping/clamping.node.test.ts',
    'test/image/fingerprint.node.test.ts',
    'test/tools/build/local-tables.node.test.ts',
    'test/tools/commands.node.test.ts',
    'test/tools/deploy/deploy.node.test.ts',
    'test/tools/move/move.node.test.ts',
    'test/tools/serve/data/takeover.node.test.ts',
  ],
  contract: [
    // Services of their own: started again, killed, or filled.
    'test/contract/{backup,crash,disk-room,expired,hanging-up,moderate,powercut,reconcile,rehearse,running}.test.ts',
    'test/contract/{earlier-previews,idempotency-over-time,rate-limit-after-kill,self-hosting,shards}.test.ts',
    'test/contract/{durable,fair-shares,large-images,memory,over-time}.test.ts',
    'test/contract/{block-lists,blocked,edge-cache,every-upload,report-webhook,upload-hook,upload-webhook}.test.ts',
    // Files of the corpus, changed at random.
    'test/contract/hostile.test.ts',
    // Every block of every document, as it is written there.
    'test/contract/{docs,guides}.test.ts',
  ],
  cli: ['test/cli/{completions,desktop,history}.test.ts'],
  codec: [
    'codec/test/package.test.ts',
    'codec/test/pixels/{avif-chromium,avif-corpus,avif-large-grids,avif-memory}.test.ts',
    'codec/test/pixels/{join,join-fuzz,join-memory,live-memory}.test.ts',
    'codec/test/formats/jpeg/decoder/arithmetic.test.ts',
    'codec/test/formats/**/memory.test.ts',
    'codec/test/formats/webp-alpha/encoder/exact.test.ts',
  ],
  browser: [
    'test/browser/{accessibility,accessibility-from-the-right,languages,older-browsers,page-layout}.test.ts',
    'test/browser/{expiry,gallery-rows,guest-page,human-check,large-galleries,uploads-page}.test.ts',
    'test/browser/{embedding,public-hosts,upload-choosing,upload-control,upload-failures,upload-results,upload-shared}.test.ts',
  ],
}

/** Files of which `npm test` runs a sample, by suite. */
const SAMPLED: Readonly<Record<string, string[]>> = {
  unit: ['test/domain/interleavings/*.test.ts', 'test/http/faults/*.test.ts', 'test/http/shards/failing-shard.test.ts'],
  'unit-node': ['test/image/fuzz.node.test.ts'],
  codec: ['codec/test/alone-and-together.test.ts'],
}

/** Whether the command names files, and not only suites. */
const NAMES_FILES = process.argv.slice(2).some((argument) => argument.includes('/') && !argument.startsWith('-'))

/**
 * Returns the files of a suite: all that the command names; otherwise those that are not long, or with `npm run tintype --
 * test:thorough` the long ones and those that are sampled.
 */
function filesOf(suite: string, include: string[], exclude: string[] = []): { include: string[]; exclude: string[] } {
  const long = LONG[suite] ?? []
  if (NAMES_FILES || isAtLength()) return { include, exclude }
  return process.env.THOROUGH
    ? { include: [...long, ...(SAMPLED[suite] ?? [])], exclude }
    : { include, exclude: [...exclude, ...long] }
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

/** Comparisons of the codec with programs that not every machine has. They run on request only. */
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
 * The file store in S3, and the service with it, against a real S3 server, which not every machine has. They run on
 * request only.
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
        // Every test of files, as for the other stores.
        'test/contract/{covers,gallery-download,hanging-up,management,media,reconcile,thumbnails}.test.ts',
      ],
      globalSetup: ['./test/s3/support/files-of-run.ts', './test/contract/support/global-setup.ts'],
    },
  },
]

/** The main flows in Firefox and WebKit, which not every machine has. They run on request only. */
const browsers = {
  test: {
    name: 'browsers',
    ...SHARED,
    include: ['test/browser/engines/*.test.ts'],
    globalSetup: ['./test/browser/engines/support/global-setup.ts'],
  },
}

/** Editors of npm, of 190 MB, into which the script for other sites inserts. They are installed on request only. */
const editors = {
  test: {
    name: 'editors',
    ...SHARED,
    isolate: false,
    include: ['test/browser/editors/*.test.ts'],
    globalSetup: ['./test/browser/editors/support/global-setup.ts'],
  },
}

/** PicGo and clients of the Model Context Protocol, of 80 MB. They are installed on request only. */
const plugins = {
  test: {
    name: 'plugins',
    ...SHARED,
    isolate: false,
    include: ['test/cli/plugins/*.test.ts'],
    globalSetup: ['./test/cli/plugins/support/global-setup.ts'],
  },
}

/**
 * The suites. `unit` mirrors src/ and runs inside workerd. `codec` has the tests of the package in codec/. `contract`
 * sends HTTP requests to the service that `npm start` runs. `clients` runs published programs against it, unchanged.
 * `cli` runs our command line. `browser` opens the pages in Chromium.
 */
export default defineConfig({
  test: {
    reporters: ['default', new Slowest(), new Hanging(HANGING_MS), new Verdict()],
    // Failed tests print their log. Long runs print their progress.
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
          // With the cache, vitest sends all modules of the suite (7 MB) to each file that imports a new one.
          fsModuleCache: false,
          // Each starts a workerd, which loads all modules. Their files compute more than they wait.
          maxWorkers: availableParallelism() + 1,
          // Suites with another number of workers run in a group of their own.
          sequence: { groupOrder: 1 },
          isolate: false,
          // Logs bypass Vitest, because a line that was being sent when its worker ended failed the whole run (quiet.ts).
          disableConsoleIntercept: true,
          ...filesOf('unit', ['test/{domain,http,image,pages,storage}/**/*.test.{ts,tsx}'], ['**/*.node.test.ts']),
          setupFiles: [...SHARED.setupFiles, './test/support/quiet.ts', './test/apply-migrations.ts'],
        },
      },
      {
        plugins: [wasmModules],
        test: {
          name: 'unit-node',
          ...SHARED,
          isolate: false,
          ...filesOf(
            'unit-node',
            ['test/*.test.ts', 'test/**/*.node.test.ts'],
            process.env.DEPLOY_FAULTS ? [] : ['test/tools/deploy/deploy-faults.node.test.ts'],
          ),
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
          ...filesOf('codec', ['codec/test/**/*.test.ts'], ['**/*.tools.test.ts']),
          globalSetup: ['./codec/test/counted-modules.mjs'],
          server: INLINE_WASM,
        },
      },
      ...(process.env.CODEC_TOOLS ? [codecTools] : []),
      ...(process.env.S3_SERVER ? s3 : []),
      ...(process.env.BROWSERS ? [browsers] : []),
      ...(process.env.EDITORS ? [editors] : []),
      ...(process.env.PLUGINS ? [plugins] : []),
      {
        test: {
          name: 'contract',
          ...SHARED,
          isolate: false,
          ...filesOf('contract', ['test/contract/**/*.test.ts']),
          globalSetup: ['./test/contract/support/global-setup.ts'],
        },
      },
      {
        test: {
          name: 'clients',
          ...SHARED,
          isolate: false,
          ...filesOf('clients', ['test/clients/*.test.ts']),
          globalSetup: ['./test/clients/support/global-setup.ts'],
        },
      },
      {
        test: {
          name: 'cli',
          ...SHARED,
          isolate: false,
          ...filesOf('cli', ['test/cli/*.test.ts']),
          globalSetup: ['./test/contract/support/global-setup.ts', './test/cli/support/global-setup.ts'],
        },
      },
      {
        test: {
          name: 'browser',
          ...SHARED,
          isolate: false,
          ...filesOf('browser', ['test/browser/**/*.test.ts'], ['test/browser/{editors,engines}/**']),
          globalSetup: ['./test/browser/support/global-setup.ts'],
        },
      },
    ],
  },
})
