import { Failure } from '../../domain/failure.ts'
import { answerOnce, type Seal, type Surroundings } from '../../domain/idempotency.ts'
import type { Shard } from '../../domain/placement.ts'
import { IDEMPOTENCY_KEY_MAX_CHARACTERS } from '../../limits.ts'
import { every, nowMs, wait } from '../../time.ts'
import type { Form } from '../body/multipart.ts'
import type { AppContext } from '../context.ts'
import { clientKey } from '../limits/client-address.ts'
import { type Charges, chargeClient, keyCharges } from '../limits/client-limits.ts'
import { jsonText } from '../responses/json.ts'

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
  throw new Failure('invalid_idempotency_key')
}

/** How a request is read and validated, done, and answered. */
export interface Steps<Wanted, Made> {
  /** What the client is charged, beside its Idempotency-Key. */
  charges?: Charges
  /** Refuses what cannot be done now, before the body is read. A kept answer is given all the same. */
  admit?: () => Promise<void>
  read: () => Promise<{ form: Form; wanted: Wanted }>
  /** Returns the shards to try for its record. */
  shardsFor: (wanted: Wanted) => Iterable<Shard>
  perform: (wanted: Wanted, seal: Seal<Made> | undefined, shards: Iterable<Shard>) => Promise<Made>
  represent: (made: Made) => unknown
}

/** Performs a request and answers in JSON; only once for each Idempotency-Key, which is read before anything else. */
export async function answerRequest<Wanted, Made>(
  c: AppContext,
  operation: string,
  { charges, admit = async () => {}, read, shardsFor, perform, represent }: Steps<Wanted, Made>,
): Promise<Response> {
  const key = readIdempotencyKey(c.req.raw)
  await chargeClient(c, { ...charges, ...keyCharges(key) })
  const write = (made: Made) => JSON.stringify(represent(made))
  if (key === undefined) {
    await admit()
    const { wanted } = await read()
    return jsonText(c, write(await perform(wanted, undefined, shardsFor(wanted))))
  }
  const request = {
    key,
    operation,
    client: clientKey(c.req.raw),
    admit,
    shardsFor,
    async read() {
      const { form, wanted } = await read()
      return { ...form, wanted }
    },
  }
  const { answer, replayed } = await answerOnce(c.var.store, request, surroundingsOf(c), async (wanted, seal, shard) =>
    write(await perform(wanted, (made) => seal(write(made)), [shard])),
  )
  return jsonText(c, answer, replayed ? { 'Idempotent-Replayed': 'true' } : {})
}

function surroundingsOf(c: AppContext): Surroundings {
  return {
    nowMs: () => nowMs(c.env),
    wait,
    every,
    logProblem: c.var.logProblem,
  }
}
