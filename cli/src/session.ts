import { type Api, apiAt } from './requests/api.ts'
import { createRetrier, type Retrier } from './requests/retrier.ts'
import { createScreen, type Screen } from './terminal/screen.ts'

/** The context of a running command. */
export interface Session {
  screen: Screen
  /** Aborted by Ctrl-C. */
  signal: AbortSignal
  env: Readonly<Record<string, string | undefined>>
  /** The operations of a host. Requests to one host share their waits. */
  apiOf: (host: string) => Api
  /** Retries of other requests to a host. */
  retrierOf: (host: string) => Retrier
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
  const retriers = new Map<string, Retrier>()
  const retrierOf = (host: string) => {
    const retrier = retriers.get(host) ?? createRetrier(retries, signal, screen.note)
    retriers.set(host, retrier)
    return retrier
  }
  return {
    screen,
    signal,
    env: process.env,
    apiOf: (host) => {
      const api = apis.get(host) ?? apiAt(host, retrierOf(host), signal, uploadKey)
      apis.set(host, api)
      return api
    },
    retrierOf,
  }
}
