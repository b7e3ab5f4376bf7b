import { parseStorageMax } from '../../domain/settings/storage-max.ts'
import { measureStoredBytes } from '../../domain/shards/stored-bytes.ts'
import { readOnly, storageFull } from '../../domain/storage-failure.ts'
import { DISK_ROOM_FRESH_MS, STORED_BYTES_FRESH_MS } from '../../limits.ts'
import { keepFresh } from '../cache/fresh.ts'
import type { AppContext } from '../context.ts'
import { countsOf } from '../counters.ts'
import { settingReader } from '../setting-reader.ts'

/** The free space of the disk of `npm start`. */
interface DiskRoom {
  /** Whether as much is free as its operator wants. */
  hasRoom: boolean
  freeBytes: number
}

const freshRoom = keepFresh<DiskRoom>(DISK_ROOM_FRESH_MS)

/**
 * Throws `storage_full` if the disk of `npm start` has less free space than its operator wants, or if all files have the STORAGE_MAX.
 * In production there is no disk to ask about. Throws `storage_unavailable` if the service is read-only: before a body is read for nothing.
 */
export async function requireDiskRoom(c: AppContext): Promise<void> {
  if (c.env.READ_ONLY === 'on') throw readOnly()
  const room = await diskRoom(c)
  if (room && !room.hasRoom) throw storageFull()
  const max = storageMax(c)
  if (max !== undefined && (await storedBytes(c)) >= max) throw storageFull()
}

/** The STORAGE_MAX in bytes; undefined for none. */
export function storageMax({ env, var: { logProblem } }: AppContext): number | undefined {
  return readStorageMax(env.STORAGE_MAX ?? '', logProblem)
}

const readStorageMax = settingReader({
  parse: parseStorageMax,
  otherwise: undefined,
  problem: 'there is no limit for all files',
})

const freshStoredBytes = keepFresh<{ bytes: number; countedHere: number }>(STORED_BYTES_FRESH_MS)

/** The bytes of all files: those that were read a moment ago, and what this isolate has stored since. A shard that fails counts as empty. */
async function storedBytes({ var: { store } }: AppContext): Promise<number> {
  const { bytes, countedHere } = await freshStoredBytes(async () => {
    const before = bytesStoredHere()
    const { results } = await measureStoredBytes(store)
    return { bytes: results.reduce((sum, { result }) => sum + result, 0), countedHere: before }
  })
  return bytes + bytesStoredHere() - countedHere
}

function bytesStoredHere(): number {
  return countsOf('stored_bytes')[0]?.value ?? 0
}

/** The room on the disk of `npm start`; undefined where there is no disk. */
export async function diskRoom({ env: { DISK } }: AppContext): Promise<DiskRoom | undefined> {
  if (DISK === undefined) return undefined
  return freshRoom(async () => {
    const { ok, headers } = await DISK.fetch('http://disk/')
    return { hasRoom: ok, freeBytes: Number(headers.get('Free-Bytes')) }
  })
}
