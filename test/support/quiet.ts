import { env } from 'cloudflare:workers'
import { format } from 'node:util'
import { afterAll, afterEach } from 'vitest'

/**
 * Prints what a test logs only if it fails: tests of failures log errors that are expected. Vitest does so in Node.js
 * (`silent: 'passed-only'`), but workerd prints past it.
 */
const LEVELS = ['debug', 'error', 'info', 'log', 'warn'] as const

const { FAULTS, FUZZ_ROUNDS, HISTORIES, INTERLEAVINGS } = env.TEST_SETTINGS
const isAtLength = Boolean(FAULTS || FUZZ_ROUNDS || HISTORIES || INTERLEAVINGS)

const lines: string[] = []
const print = { ...console }

// At length, tests tell how far they are.
if (!isAtLength) for (const level of LEVELS) console[level] = (...values) => void lines.push(format(...values))

afterEach(({ task }) => {
  const logged = lines.splice(0)
  if (task.result?.state === 'fail') for (const line of logged) print.error(line)
})
afterAll(() => {
  for (const level of LEVELS) console[level] = print[level]
})
