import { env } from 'cloudflare:workers'
import { format } from 'node:util'
import { afterAll, afterEach } from 'vitest'

/**
 * Prints the log of a test only if it fails, because tests of failures log expected errors. Vitest does so in Node.js
 * (`silent: 'passed-only'`), but workerd prints directly.
 */
const LEVELS = ['debug', 'error', 'info', 'log', 'warn'] as const

const { FAULTS, FUZZ_ROUNDS, HISTORIES, INTERLEAVINGS } = env.TEST_SETTINGS
const isAtLength = Boolean(FAULTS || FUZZ_ROUNDS || HISTORIES || INTERLEAVINGS)

const lines: string[] = []
const print = { ...console }

// Long runs log their progress.
if (!isAtLength) for (const level of LEVELS) console[level] = (...values) => void lines.push(format(...values))

afterEach(({ task }) => {
  const logged = lines.splice(0)
  if (task.result?.state === 'fail') for (const line of logged) print.error(line)
})
afterAll(() => {
  for (const level of LEVELS) console[level] = print[level]
})
