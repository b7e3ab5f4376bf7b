import { eq } from 'drizzle-orm'
import { images } from '../schema.ts'
import type { Records, WithFiles } from '../store.ts'

/** No image has it. */
const NO_ID = 0
/** No upload makes such a key. */
const NO_KEY = 'healthz'

/** Reads one row by its key. Throws if the database does not respond, or lacks the table. */
export async function askDatabase({ db }: Records): Promise<void> {
  await db.select({ id: images.id }).from(images).where(eq(images.id, NO_ID))
}

/** Reads the metadata of one file. Throws if the store does not respond. */
export async function askFiles({ files }: WithFiles): Promise<void> {
  await files.head(NO_KEY)
}
