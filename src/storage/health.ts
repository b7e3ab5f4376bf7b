import { eq } from 'drizzle-orm'
import { images } from './schema.ts'
import type { Records, WithFiles } from './store.ts'

/** No image has it. */
const NO_ID = 0
/** No upload makes such a key. */
const NO_KEY = 'healthz'

/** Asks the database for one row, by its key. Throws if it does not answer, or has no such table. */
export async function askDatabase({ db }: Records): Promise<void> {
  await db.select({ id: images.id }).from(images).where(eq(images.id, NO_ID))
}

/** Asks the store for one file. Throws if it does not answer. */
export async function askFiles({ files }: WithFiles): Promise<void> {
  await files.head(NO_KEY)
}
