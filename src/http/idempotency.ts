import { nowMs } from '../clock.ts'
import { Failure } from '../domain/failure.ts'
import { answerOnce, type Clock, type Seal } from '../domain/idempotency.ts'
import { IDEMPOTENCY_KEY_MAX_CHARACTERS } from '../limits.ts'
import type { AppContext } from './context.ts'
import { jsonText } from './wire/json.ts'
import type { Form } from './wire/multipart.ts'

const QUOTED = /^"((?:[!#-[\]-~]|\\["\\])*)"$/
const KEY = new RegExp(`^[!-~]{1,${IDEMPOTENCY_KEY_MAX_CHARACTERS}}$`)

/**
 * The Idempotency-Key of a request, sent bare or as a quoted string (RFC 8941); both mean the same. Undefined if there is
 * none. Throws `invalid_idempotency_key`. The message does not repeat the key, which is a secret.
 */
export function readIdempotencyKey(request: Request): string | undefined {
  const header = request.headers.get('Idempotency-Key')
  if (header === null) return undefined
  const key = header.startsWith('"') ? QUOTED.exec(header)?.[1]?.replace(/\\(.)/g, '$1') : header
  if (key !== undefined && KEY.test(key)) return key
  throw new Failure(
    'invalid_idempotency_key',
    `Idempotency-Key must be 1 to ${IDEMPOTENCY_KEY_MAX_CHARACTERS} visible ASCII characters, bare or in double quotes`,
  )
}

/** Performs the request of a form and answers in JSON; only once for each Idempotency-Key. */
export async function answerForm<Made>(
  c: AppContext,
  request: { key: string | undefined; operation: string; form: Form },
  perform: (seal?: Seal<Made>) => Promise<Made>,
  represent: (made: Made) => unknown,
): Promise<Response> {
  const { key, operation, form } = request
  const write = (made: Made) => JSON.stringify(represent(made))
  if (key === undefined) return jsonText(c, write(await perform()))
  const answering = answerOnce(c.var.store, { key, operation, ...form }, clockOf(c), async (seal) =>
    write(await perform((made) => seal(write(made)))),
  )
  // A client that disconnects is likely to retry: its request is finished all the same.
  c.executionCtx.waitUntil(answering.catch(() => {}))
  const { answer, replayed } = await answering.catch((error) => {
    if (error instanceof Failure && error.code === 'request_in_progress') c.header('Retry-After', '1')
    throw error
  })
  return jsonText(c, answer, replayed ? { 'Idempotent-Replayed': 'true' } : {})
}

function clockOf(c: AppContext): Clock {
  return {
    nowMs: () => nowMs(c.env),
    wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  }
}
