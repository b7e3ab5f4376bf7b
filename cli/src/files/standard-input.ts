import { addAbortSignal } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { RequestFailed, Stopped } from '../problems.ts'

/**
 * All that comes on standard input. `signal` ends the waiting: throws `Stopped` then, and `RequestFailed` where it cannot be
 * read.
 */
export async function readInput(signal: AbortSignal): Promise<Buffer> {
  try {
    return await buffer(addAbortSignal(signal, process.stdin))
  } catch {
    throw signal.aborted ? new Stopped() : new RequestFailed('standard input cannot be read')
  }
}
