import { type Api, apiAt } from './api.ts'
import { createRetrier } from './retrier.ts'
import { createScreen, type Screen } from './screen.ts'

/** The context of a running command. */
export interface Session {
  screen: Screen
  /** Aborted by Ctrl-C. */
  signal: AbortSignal
  /** The operations of a host. Requests to one host share their waits. */
  apiOf: (host: string) => Api
}

/** Exit code of a finished command: 0 success, 1 something failed. */
export type ExitCode = 0 | 1

interface SessionOptions {
  quiet: boolean
  retries: number
  uploadKey?: string | undefined
}

/** A session whose requests are tried `retries` times more, and end when `signal` says so. */
export function createSession({ quiet, retries, uploadKey }: SessionOptions, signal: AbortSignal): Session {
  const screen = createScreen(quiet)
  const apis = new Map<string, Api>()
  return {
    screen,
    signal,
    apiOf: (host) => {
      const api = apis.get(host) ?? apiAt(host, createRetrier(retries, signal, screen.note), signal, uploadKey)
      apis.set(host, api)
      return api
    },
  }
}
