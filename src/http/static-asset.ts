import { STATIC_ASSET_ATTEMPTS, STATIC_ASSET_MAX_MS } from '../limits.ts'
import { retry } from '../retry.ts'
import { StorageUnavailable } from '../storage/bounded-calls.ts'
import { inTime } from '../time.ts'
import type { AppContext } from './context.ts'

/** The binding ignores the host of an address. */
const ORIGIN = 'https://static.invalid'

/** Returns the bytes of a static asset by its path. Throws `StorageUnavailable`: every path that the Worker knows exists. */
export async function staticAsset({ env }: AppContext, path: string): Promise<ArrayBuffer> {
  // Without the client's headers: conditions and ranges are about our response.
  const read = async () => {
    const response = await env.ASSETS.fetch(ORIGIN + path)
    if (!response.ok) throw new Error(`its status is ${response.status}`)
    return response.arrayBuffer()
  }
  try {
    return await inTime(STATIC_ASSET_MAX_MS, 'it', () => retry(read, { attempts: STATIC_ASSET_ATTEMPTS }))
  } catch (error) {
    throw new StorageUnavailable(`the static asset ${path} cannot be read`, { cause: error })
  }
}

/** Returns the text of a static asset. */
export async function staticText(c: AppContext, path: string): Promise<string> {
  return new TextDecoder().decode(await staticAsset(c, path))
}
