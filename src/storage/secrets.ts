import { eq } from 'drizzle-orm'
import { secrets } from './schema.ts'
import type { Shard } from './store.ts'

const ADDRESSES = 'addresses'
const SECRET_BYTES = 32

/** Returns the secret under which digests of network addresses are made. The first call of a service makes it. */
export async function addressSecret({ db }: Shard): Promise<string> {
  const find = () => db.select().from(secrets).where(eq(secrets.name, ADDRESSES)).get()
  const known = await find()
  if (known) return known.value
  const value = [...crypto.getRandomValues(new Uint8Array(SECRET_BYTES))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')
  await db.insert(secrets).values({ name: ADDRESSES, value }).onConflictDoNothing()
  // Another request may have been first.
  return (await find())?.value ?? value
}
