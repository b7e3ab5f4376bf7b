import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-plugin'
import { defineConfig } from 'vitest/config'

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
        test: { name: 'unit-node', include: ['test/*.test.ts', 'test/**/*.node.test.ts'] },
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
