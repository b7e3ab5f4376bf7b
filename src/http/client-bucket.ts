import { digestOf } from '../domain/digest.ts'
import type { Bindings } from '../env.ts'
import type { AppContext } from './context.ts'
import { clientKey } from './wire/client-address.ts'

type Bucket = ReturnType<Bindings['RATE_LIMITER']['getByName']>

/**
 * The object that counts what this client does, by itself for each purpose. Names of objects may be stored, so this one holds a
 * digest of the address in place of it; under the OPERATOR_KEY, if there is one, or all addresses could be tried.
 */
export async function clientBucket(c: AppContext, purpose: 'status' | 'limits'): Promise<Bucket> {
  const digest = await digestOf(`${c.env.OPERATOR_KEY ?? ''}\n${clientKey(c.req.raw)}`)
  return c.env.RATE_LIMITER.getByName(`${purpose}:${digest}`)
}
